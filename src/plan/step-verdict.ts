import { meets } from "../json/condition.js";
import type { Json } from "../json/json.js";
import { type Bindings, referenceName, substituteReferences } from "./references.js";
import { idsIn, type StepCondition, type ToolStep, valuesIn, wholeReference } from "./step.js";

/** How a step has ended: with a result, failed, or not run because its condition did not hold. */
export type StepEnd =
  { readonly kind: "done"; readonly value: Json } | { readonly kind: "failed" | "untaken" };

/** How steps have ended, by id. */
export type StepEnds = ReadonlyMap<string, StepEnd>;

/** Whether a step runs. */
export type StepVerdict =
  | { readonly kind: "run" }
  /** Its branch is not taken; `reason` is a sentence without a capital. */
  | { readonly kind: "untaken"; readonly reason: string }
  /** It needs the result of a step that has none. */
  | { readonly kind: "skipped"; readonly waitedFor: string };

type Judged = Pick<ToolStep, "args" | "after" | "when">;

/**
 * Decides whether a step runs, once everything that it waits for has ended. A step whose condition does not hold is not
 * taken, and neither is one that needs its result; one that only comes `after` it runs. A step that needs a failed one,
 * or comes after it, is skipped. `more` are values that it needs beside its arguments.
 */
export function judgeStep(
  { args, after = [], when = [] }: Judged,
  ends: StepEnds,
  more: readonly Json[] = [],
): StepVerdict {
  const asked = missingOf(valuesIn(when).flatMap(idsIn), ends);
  if (asked !== undefined) return asked;
  const unmet = when.find((condition) => !holds(condition, resultsIn(ends)));
  if (unmet !== undefined) return { kind: "untaken", reason: unmetReason(unmet, ends) };
  const needed = missingOf([args, ...more].flatMap(idsIn), ends);
  if (needed !== undefined) return needed;
  const failed = after.find((id) => ends.get(id)?.kind === "failed");
  return failed === undefined ? { kind: "run" } : { kind: "skipped", waitedFor: failed };
}

/** Why a step with references to these ids does not run. A failure counts more than a branch that was not taken. */
function missingOf(ids: readonly string[], ends: StepEnds): StepVerdict | undefined {
  const missing = ids.filter((id) => ends.get(id)?.kind !== "done");
  const failed = missing.find((id) => ends.get(id)?.kind !== "untaken");
  if (failed !== undefined) return { kind: "skipped", waitedFor: failed };
  const [untaken] = missing;
  if (untaken === undefined) return undefined;
  return { kind: "untaken", reason: `it needs the result of ${untaken}, which did not run.` };
}

/** The results of steps that have one. */
export function resultsIn(ends: StepEnds): Bindings {
  return new Map(
    [...ends].flatMap(([id, end]) => (end.kind === "done" ? [[id, end.value] as const] : [])),
  );
}

/** Whether a comparison holds; a value that is not there is compared as nothing. */
export function holds({ value, operator, target }: StepCondition, results: Bindings): boolean {
  const filled = filledIn(target ?? null, results);
  return meets(filledIn(value, results), { operator, target: filled ?? null });
}

/** A value with the results in its references; undefined where one of them is not there. */
export function filledIn(value: Json, results: Bindings): Json | undefined {
  const filled = substituteReferences({ value }, results);
  return filled.ok ? filled.args["value"] : undefined;
}

function unmetReason(condition: StepCondition, ends: StepEnds): string {
  return `its condition does not hold: ${conditionText(condition, resultsIn(ends))}.`;
}

/** Longest value in the text of a condition, in characters. */
const maxShown = 60;

/** A comparison in words, with what its value is where the results are given: `order.days > 3 (it is 2)`. */
export function conditionText(
  { value, operator, target }: StepCondition,
  results?: Bindings,
): string {
  const reference = typeof value === "string" ? wholeReference(value) : undefined;
  const name = reference === undefined ? shown(value) : referenceName(reference);
  const compared = operator === "exists" ? "" : ` ${shown(target)}`;
  if (results === undefined) return `${name} ${operator}${compared}`;
  return `${name} ${operator}${compared} (it is ${shown(filledIn(value, results))})`;
}

function shown(value: Json | undefined): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
