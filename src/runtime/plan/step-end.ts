import { limitAt } from "../../run/budget.js";
import { defined, type Json, jsonText } from "../../json/json.js";
import { filledIn, resultsIn, type StepEnd, type StepEnds } from "../../plan/step-verdict.js";
import { idsIn, type Step } from "../../plan/step.js";
import type { Observation } from "../../state/observation.js";
import { wholeValue } from "../../tools/kept-result.js";
import {
  emitToolEvents,
  refused,
  type ToolCall,
  type ToolCallResult,
} from "../../tools/tool-call.js";
import { capResult } from "../../tools/tool-result.js";
import type { Run } from "../enter-run.js";

type StepError = Required<Observation>["error"];

/** The error of a step that needs the result of another one, which has none. */
export function skippedFor(waitedFor: string): StepError {
  const message = `it needs the result of ${waitedFor}, which has none.`;
  return { kind: "skipped", message, waitedFor };
}

/** The error of a step whose branch is not taken: it waits for nothing. */
export function untaken(reason: string): StepError {
  return { kind: "skipped", message: reason };
}

/** How the steps of these observations have ended. */
export function stepEnds(observations: readonly Observation[]): StepEnds {
  return new Map(observations.map((each) => [each.callId, stepEnd(each)]));
}

function stepEnd(observation: Observation): StepEnd {
  const value = observation.ok ? wholeValue(observation) : undefined;
  // A result that is too large to keep is none for other steps.
  if (value !== undefined) return { kind: "done", value };
  return { kind: isUntaken(observation) ? "untaken" : "failed" };
}

/** The result that a value refers to and that is too large to keep, if there is one. */
export function tooLargeFor(
  values: readonly Json[],
  found: readonly Observation[],
): Observation | undefined {
  const needed = new Set(values.flatMap(idsIn));
  return found.find(({ callId, notKept }) => notKept !== undefined && needed.has(callId));
}

/** Whether a step did not run because its branch was not taken. */
export function isUntaken({ ok, error }: Observation): boolean {
  return !ok && error?.kind === "skipped" && error.waitedFor === undefined;
}

/** The result of a step that is not run; it has events like every call. */
export function notRun(
  asked: ToolCall,
  { kind, message, waitedFor }: StepError,
  { run }: { readonly run: Run },
): ToolCallResult {
  const why = refused(asked, kind, message, { run });
  const error = { kind, message, ...defined({ waitedFor }) };
  const observation = { ...why, error };
  emitToolEvents(observation, false, run);
  return { kind: "observed", observation };
}

/**
 * The result of a step, or what its rules put in its place: `otherwise` for a branch that was not taken, `fallback` for a
 * failure. A step that the end of the run stopped has neither. `found` are the results that the rules may refer to.
 */
export function withStandIn(
  step: Step | undefined,
  result: ToolCallResult,
  found: readonly Observation[],
  { run }: { readonly run: Run },
): ToolCallResult {
  if (step?.kind !== "tool" || result.kind !== "observed" || result.ends !== undefined)
    return result;
  const { observation } = result;
  // What a limit forbade did not fail: the run ends with the limit.
  if (limitAt(run.budget) !== undefined && !isUntaken(observation)) return result;
  const rule = ruleFor(step, observation);
  if (rule === undefined) return result;
  const value = filledIn(rule, resultsIn(stepEnds(found)));
  // A rule that refers to what is not there changes nothing.
  if (value === undefined) return result;
  return { ...result, observation: replaced(observation, value, run) };
}

function ruleFor(
  { otherwise, fallback }: Extract<Step, { readonly kind: "tool" }>,
  observation: Observation,
): Json | undefined {
  if (observation.ok || observation.error?.kind === "cancelled") return undefined;
  return isUntaken(observation) ? otherwise : fallback;
}

/** The observation with another result. What a person or a trace reads says why. */
function replaced(observation: Observation, value: Json, run: Run): Observation {
  const { callId, tool, error } = observation;
  const text = jsonText(value);
  run.emit({
    type: "result_replaced",
    callId,
    tool,
    reason: isUntaken(observation) ? "not_taken" : "failed",
    content: { result: text, ...defined({ error: error?.message }) },
  });
  const { error: replaces, ...rest } = observation;
  return { ...rest, ok: true, content: capResult(text), value, ...defined({ replaces }) };
}
