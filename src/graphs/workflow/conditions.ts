import { amount } from "../../json/condition.js";
import { type Json, jsonText } from "../../json/json.js";
import { referencesIn, wholeReference } from "../../plan/step.js";
import { hintAt, preview } from "../../run/check-names.js";
import { type JsonSchema, typesOf } from "../../tools/argument-schema.js";
import type { StepForm } from "./form.js";
import { schemaOfReference, type Scope, type WorkflowIssue } from "./scope.js";
import { articled } from "./types.js";

type Comparison = Extract<NonNullable<StepForm["when"]>, { readonly value: unknown }>;

/** Longest value in a message, in characters. */
const maxShown = 60;

/** Comparisons that cannot be made, and those that come out the same whatever the steps bring. */
export function conditionIssues(
  given: StepForm["when"],
  path: readonly PropertyKey[],
  scope: Scope,
): WorkflowIssue[] {
  const all = given === undefined ? [] : [given].flat();
  const isList = Array.isArray(given);
  return all.flatMap((comparison, at) =>
    comparisonIssues(comparison, scope).map(({ path: inside, message }) => ({
      path: [...path, ...(isList ? [at] : []), ...inside],
      message,
    })),
  );
}

function comparisonIssues(comparison: Comparison, scope: Scope): WorkflowIssue[] {
  const { value, operator, target } = comparison;
  const bare = bareReference(value, scope);
  if (bare !== undefined) {
    const message = `expected ${bare}, got ${preview(value, maxShown)}: a reference has braces`;
    return [{ path: ["value"], message }];
  }
  if (operator === "exists") {
    if (target === undefined) return [];
    return [{ path: ["target"], message: "`exists` compares with nothing: expected no target" }];
  }
  if (target === undefined) {
    return [{ path: ["target"], message: `${operator} expected a target, got none` }];
  }
  if (operator === "in") return [...listIssues(target, scope), ...neverSame(comparison, scope)];
  return operator === "==" || operator === "!="
    ? neverSame(comparison, scope)
    : [...amountIssues("value", value, scope), ...amountIssues("target", target, scope)];
}

/** The reference that a text would be with braces around it. */
function bareReference(value: Json, scope: Scope): string | undefined {
  const only = typeof value === "string" ? wholeReference(`{{${value}}}`) : undefined;
  return only !== undefined && scope.has(only.id) ? only.text : undefined;
}

function isFixed(value: Json): boolean {
  return referencesIn(value).length === 0;
}

function listIssues(target: Json, scope: Scope): WorkflowIssue[] {
  const found = schemaOfReference(target, scope);
  const isList = Array.isArray(target) || (found === undefined && !isFixed(target));
  if (isList || (found !== undefined && typesOf(found).includes("array"))) return [];
  const what = found === undefined ? "" : `, which is ${articled(found)}`;
  return [
    { path: ["target"], message: `expected a list, got ${preview(target, maxShown)}${what}` },
  ];
}

/** Only numbers, and texts that may be numbers, are greater or less. */
function amountIssues(field: "value" | "target", value: Json, scope: Scope): WorkflowIssue[] {
  const found = schemaOfReference(value, scope);
  const isAmount = isFixed(value)
    ? !Number.isNaN(amount(value))
    : found === undefined || typesOf(found).some((type) => numeric.has(type));
  if (isAmount) return [];
  const what = found === undefined ? "" : `, which is ${articled(found)}`;
  return [{ path: [field], message: `expected a number, got ${preview(value, maxShown)}${what}` }];
}

const numeric: ReadonlySet<string> = new Set(["number", "integer", "string"]);

/** Targets that a value of a known form never has. */
function neverSame({ value, operator, target = null }: Comparison, scope: Scope): WorkflowIssue[] {
  const found = schemaOfReference(value, scope);
  if (found === undefined) return [];
  const isList = operator === "in" && Array.isArray(target);
  return (isList ? target : [target]).flatMap((one: Json, at): WorkflowIssue[] => {
    const expected = isFixed(one) && one !== null ? unlike(one, found) : undefined;
    if (expected === undefined) return [];
    const message = `${jsonText(value)} is never ${preview(one, maxShown)}: expected ${expected}`;
    return [{ path: ["target", ...(isList ? [at] : [])], message }];
  });
}

/** What is expected where a value never is the same as one of a form; nothing where it may be. */
function unlike(one: Json, form: JsonSchema): string | undefined {
  const choices = form["enum"];
  if (Array.isArray(choices)) {
    const words = choices.map(String);
    if (words.includes(jsonText(one))) return undefined;
    return `one of ${words.join(", ")}.${hintAt(jsonText(one), words)}`;
  }
  const types = typesOf(form);
  return types.some((type) => mayBe[type]?.(one) ?? true) ? undefined : articled(form);
}

/** Whether a value of each type may be the same as a written one: a number equals its text. */
const mayBe: { readonly [type: string]: (one: Json) => boolean } = {
  string: (one) => typeof one !== "object",
  number: (one) => !Number.isNaN(amount(one)),
  integer: (one) => !Number.isNaN(amount(one)),
  boolean: (one) => ["true", "false"].includes(jsonText(one)),
  array: (one) => typeof one === "object",
  object: (one) => typeof one === "object",
};
