import { nextStepId, type ToolStep } from "../plan/step.js";
import type { Observation } from "../state/observation.js";
import { planReport } from "./plan-report.js";

/** Asks the planner for the steps that a plan lacked: what was done, what is missing, and how to go on. */
export function replanPrompt(
  feedback: string,
  steps: readonly ToolStep[],
  observations: readonly Observation[],
): string {
  const ids = steps.map(({ id }) => id);
  const found = observations.filter(({ ok, callId }) => ok && ids.includes(callId));
  const known = found.map(({ callId }) => `{{${callId}}}`).join(", ");
  return [
    planReport(steps, observations),
    `That is not enough: ${feedback}`,
    `Plan only the steps that are still needed, from the id ${nextStepId(ids, "tool")} on. Do not repeat steps ` +
      (known === ""
        ? "that failed."
        : `whose results are there: write ${known} where they are needed.`),
  ].join("\n\n");
}
