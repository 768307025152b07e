import type { ToolStep } from "../plan/step.js";
import type { Observation } from "../state/observation.js";
import { planReport } from "./plan-report.js";

/** What a joiner is told when the caller says nothing else. */
export const defaultJoinerInstructions =
  "You judge whether the results of a plan answer the user's question, and answer it if they do. You " +
  "know no figures, names or dates yourself.";

/** What the joiner's reply is to hold, for the request that asks for it. */
export const joinTask =
  'Write {"thought": "…", "action": "finish", "answer": "…"} to give the answer, or ' +
  '{"thought": "…", "action": "replan", "feedback": "…"} to have other steps planned.';

/**
 * Asks to finish with an answer from a plan and what came of its steps, or for another plan; `unplanned` says why
 * the rest of the plan did not come.
 */
export function joinerPrompt(
  objective: string,
  steps: readonly ToolStep[],
  observations: readonly Observation[],
  unplanned?: string,
): string {
  return [
    planReport(steps, observations),
    ...(unplanned === undefined
      ? []
      : [`The plan is not complete, its rest did not come: ${unplanned}\nSay what is missing.`]),
    `The question: ${objective}`,
    `${lastResult(steps, observations)}If the results hold the answer, finish with it: the last result is ` +
      "usually the answer. Answer in one or two sentences, with the figures and units of the results and " +
      "nothing else. If a step failed or something is missing that a tool can still find, replan, and say " +
      "what is missing.",
  ].join("\n\n");
}

/** The longest that the last result is said again. */
const maxChars = 200;

/** What the last step brought, once more: a small model overlooks that it is there, and asks for it again. */
function lastResult(steps: readonly ToolStep[], observations: readonly Observation[]): string {
  const { id, thought = "" } = steps.at(-1) ?? {};
  const found = observations.find(({ callId, ok }) => ok && callId === id);
  if (found === undefined || found.content.length > maxChars) return "";
  const purpose = thought === "" ? "" : ` (${thought.replace(/[.:]\s*$/, "")})`;
  return `The last step${purpose} gave: ${found.content}\n`;
}
