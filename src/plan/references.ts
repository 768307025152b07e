import {
  isJsonObject,
  isRecord,
  type Json,
  type JsonObject,
  mapFields,
  jsonText,
} from "../json/json.js";
import { shortened } from "./plan-issue.js";
import {
  printPath,
  printReference,
  type Reference,
  replaceReferences,
  wholeReference,
} from "./step.js";

/** The results of finished steps by id. */
export type Bindings = ReadonlyMap<string, Json>;

/** Arguments with the results inserted, or for each missing result what it was and what is available instead. */
export type Substituted =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Replaces references in arguments with the results of earlier steps, in one pass over the original arguments: inserted
 * text is not read again. An argument that is exactly one reference keeps the result's type; inside a longer string,
 * text is inserted unchanged and other values as JSON. With `render`, every result becomes the text that it returns.
 */
export function substituteReferences(
  args: JsonObject,
  bindings: Bindings,
  render?: (id: string, text: string) => string,
): Substituted {
  const problems: string[] = [];
  const valueOf = (reference: Reference): Json => {
    const found = lookUp(reference, bindings);
    if (found.ok) return render?.(reference.id, jsonText(found.value)) ?? found.value;
    problems.push(found.problem);
    return null;
  };
  const substituted = mapFields(args, (text) => substituteText(text, valueOf));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, args: substituted };
}

function substituteText(text: string, valueOf: (reference: Reference) => Json): Json {
  const only = wholeReference(text);
  if (only !== undefined) return valueOf(only);
  return replaceReferences(text, (reference) => jsonText(valueOf(reference)));
}

type LookedUp =
  { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: string };

function lookUp({ text, id, path }: Reference, bindings: Bindings): LookedUp {
  let value = bindings.get(id);
  if (value === undefined) {
    return { ok: false, problem: `${shortened(text, maxShown)}: there is no result of ${id}` };
  }
  for (const [at, part] of path.entries()) {
    const next = partOf(value, part);
    if (next === undefined) {
      const place = shortened(`${id}${printPath(path.slice(0, at))}`, maxShown);
      return {
        ok: false,
        problem: `${shortened(text, maxShown)}: ${place} is ${description(value)}`,
      };
    }
    value = next;
  }
  return { ok: true, value };
}

function partOf(value: Json, part: string | number): Json | undefined {
  if (isJsonObject(value)) return Object.hasOwn(value, part) ? value[part] : undefined;
  const list: readonly Json[] = Array.isArray(value) ? value : [];
  return typeof part === "number" ? list[part] : undefined;
}

/** The kind of a value, for a model that asked for a missing part of it. */
function description(value: Json): string {
  if (Array.isArray(value)) {
    return value.length === 0 ? "an empty list" : `a list of ${value.length}, from [0]`;
  }
  if (isRecord(value)) {
    const fields = Object.keys(value);
    return fields.length === 0 ? "an empty object" : `an object with ${named(fields)}`;
  }
  return value === null
    ? "null"
    : `the ${nameOfType(value)} ${shortened(JSON.stringify(value), maxShown)}`;
}

function nameOfType(value: Json): string {
  return typeof value === "string" ? "text" : typeof value;
}

const maxNames = 8;
const maxShown = 60;

function named(fields: readonly string[]): string {
  const shown = fields
    .slice(0, maxNames)
    .map((field) => JSON.stringify(shortened(field, maxShown)));
  return `${shown.join(", ")}${fields.length > maxNames ? ", …" : ""}`;
}

/** A reference without its braces: `E1`, `E1.items[0]`. */
export function referenceName(reference: Pick<Reference, "id" | "path">): string {
  return printReference(reference).slice(2, -2);
}

/**
 * The arguments with a value for each reference, by its name (`referenceName`). The value of a whole argument keeps its
 * type; inside a longer text it is text. References without a value stay.
 */
export function fillReferences(args: JsonObject, values: ReadonlyMap<string, Json>): JsonObject {
  const valueOf = (reference: Reference) => values.get(referenceName(reference)) ?? reference.text;
  return mapFields(args, (text) => substituteText(text, valueOf));
}
