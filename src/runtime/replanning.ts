import { saysPlanChange } from "../roles/executor.js";
import type { Observation } from "../state/observation.js";
import type { Planning } from "../state/plan.js";
import { wholeText } from "../tools/kept-result.js";
import { hasFailed, standingOf } from "./plan-tasks.js";

/** All there are. */
export const replannings = ["auto", "on-failure", "always"] as const;

/**
 * When a plan of tasks is looked at again. "always": after every step. "on-failure": after one that failed.
 * "auto": after one that failed, or reports that the plan has to change. And whenever no step is left.
 */
export type Replanning = (typeof replannings)[number];

/** Whether a step's result calls for another look at the plan, whatever is still open. */
export function isSurprise(result: Observation, replanning: Replanning): boolean {
  if (hasFailed(result)) return true;
  return replanning !== "on-failure" && saysPlanChange(result.content);
}

/** What steps brought since the plan was last looked at. */
export function freshResults({
  steps,
  observations,
  judged,
}: Pick<Planning, "steps" | "observations" | "judged">): Observation[] {
  const { ended } = standingOf({ steps, observations });
  const seen = new Set(judged);
  return observations.filter(({ callId }) => ended.has(callId) && !seen.has(callId));
}

/** Whether the replanner is to look at the plan before it goes on. */
export function isReplanDue(
  state: Pick<Planning, "steps" | "observations" | "judged">,
  replanning: Replanning,
): boolean {
  if (standingOf(state).open.length === 0) return true;
  const fresh = freshResults(state);
  if (replanning === "always") return fresh.length > 0;
  return fresh.some((result) => isSurprise(result, replanning));
}

/**
 * The answer that a plan's last step gave, where it was to give it, or a tool gave it that `isDirect` names, and all
 * went as planned.
 */
export function finalAnswer(
  { steps, observations, judged }: Pick<Planning, "steps" | "observations" | "judged">,
  replanning: Replanning,
  isDirect: (tool: string) => boolean,
): string | undefined {
  const { open, steps: tasks } = standingOf({ steps, observations });
  const last = tasks.at(-1);
  if (open.length > 0 || last === undefined) return undefined;
  const seen = new Set(judged);
  const isClean = observations.every(
    (result) => seen.has(result.callId) || !isSurprise(result, replanning),
  );
  const result = observations.find(({ callId }) => callId === last.id);
  if (!isClean || result?.ok !== true) return undefined;
  return last.final === true || isFromTool(result, isDirect) ? wholeText(result) : undefined;
}

/** Whether a step's result is what a tool gave for the user, as it is. */
function isFromTool(result: Observation, isDirect: (tool: string) => boolean): boolean {
  const inner = result.run?.observations.at(-1);
  const isGiven = inner?.ok === true && isDirect(inner.tool);
  return isGiven && wholeText(inner) === wholeText(result);
}
