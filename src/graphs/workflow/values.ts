import { isRecord, type Json } from "../../json/json.js";
import { referencesIn, wholeReference } from "../../plan/step.js";
import { preview } from "../../run/check-names.js";
import { type JsonSchema, schemaAt, typesOf } from "../../tools/argument-schema.js";
import { placeOf, schemaProblems, valueAt } from "../../tools/schema-problems.js";
import { textsIn } from "./references.js";
import { schemaOfReference, type Scope, type WorkflowIssue } from "./scope.js";
import { articled, typeWords } from "./types.js";

/** Longest value in a message, in characters. */
const maxShown = 60;

/** What is wrong with a value that must fit a schema; it has no references. */
export function literalIssues(
  value: Json,
  schema: JsonSchema,
  path: readonly PropertyKey[],
): WorkflowIssue[] {
  return schemaProblems(schema, value).map(({ path: at, message }) => {
    const found = valueAt(value, at);
    const words = expectedWords(schemaAt(schema, at));
    const why = isRecord(found) ? `. ${message}` : "";
    return {
      path: [...path, ...at],
      message: `expected ${words}, got ${preview(found, maxShown)}${why}`,
    };
  });
}

function expectedWords(schema: JsonSchema): string {
  const choices = schema["enum"];
  return Array.isArray(choices)
    ? `one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`
    : typeWords(schema);
}

/** The same for a value that may have references: their types are compared, as far as they are known. */
export function valueIssues(
  value: Json,
  schema: JsonSchema,
  path: readonly PropertyKey[],
  scope: Scope,
): WorkflowIssue[] {
  const referring = textsIn(value, []).filter((text) => referencesIn(text.value).length > 0);
  const places = new Set(referring.map((text) => placeOf([...path, ...text.path])));
  const written = literalIssues(value, schema, path).filter(
    (one) => !places.has(placeOf(one.path)),
  );
  const referred = referring.flatMap(({ value: text, path: at }) => {
    const message = typeProblem(text, schemaAt(schema, at), scope);
    return message === undefined ? [] : [{ path: [...path, ...at], message }];
  });
  return [...written, ...referred];
}

/** A text around references is a text; a reference alone has the type of what it brings. */
function typeProblem(text: string, wanted: JsonSchema, scope: Scope): string | undefined {
  const isWhole = wholeReference(text.trim()) !== undefined;
  const found = isWhole ? schemaOfReference(text, scope) : { type: "string" };
  if (found === undefined || hasTypeOf(found, wanted)) return undefined;
  return `expected ${typeWords(wanted)}, got ${preview(text, maxShown)}, which is ${articled(found)}`;
}

function hasTypeOf(given: JsonSchema, expected: JsonSchema): boolean {
  const wanted = new Set(typesOf(expected).map(asNumber));
  return wanted.size === 0 || typesOf(given).some((type) => wanted.has(asNumber(type)));
}

/** A number may turn out to be an integer. */
function asNumber(type: string): string {
  return type === "integer" ? "number" : type;
}
