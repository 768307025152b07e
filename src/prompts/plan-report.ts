import type { ToolStep } from "../plan/step.js";
import type { Observation } from "../state/observation.js";
import { differenceLine } from "./difference-line.js";
import { evidenceLines } from "./evidence-lines.js";
import { resultText } from "./result-text.js";

/** The longest that a call gets. */
const maxCallChars = 300;

/**
 * What came of a plan's steps, as the models read it: what each was for, the call as it was made, the result;
 * failures are named as such. A small model does not see who is ahead in a difference: it is told in words.
 */
export function planReport(
  steps: readonly ToolStep[],
  observations: readonly Observation[],
): string {
  const byId = new Map(observations.map((observation) => [observation.callId, observation]));
  const results = steps.map((step) => {
    const observation = byId.get(step.id);
    const value = observation === undefined ? "not run" : resultText(observation);
    const evidence = evidenceLines([{ id: step.id, value }]);
    const difference = observation === undefined ? "" : differenceLine(step, observation, steps);
    return `${callLine(step, observation)}\n${evidence}${difference === "" ? "" : `\n${difference}`}`;
  });
  return `The results:\n${results.join("\n")}`;
}

/** What a step was for, and its call: an argument that is all of it without its name. */
function callLine({ thought = "", tool, args: planned }: ToolStep, made?: Observation): string {
  const args = made?.args ?? planned;
  const [only, ...others] = typeof args === "object" && args !== null ? Object.values(args) : [];
  const told = typeof only === "string" && others.length === 0 ? only : JSON.stringify(args);
  const purpose = thought === "" ? "" : `${thought.replace(/[.:]\s*$/, "")}: `;
  return `(${purpose}${tool} ${told})`.replaceAll(/\s+/g, " ").slice(0, maxCallChars);
}
