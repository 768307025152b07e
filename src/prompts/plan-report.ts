import type { Json } from "../json/json.js";
import { dependenciesOf, type ToolStep } from "../plan/step.js";
import type { Observation } from "../state/observation.js";
import { maxCallChars } from "./call-text.js";
import { differenceLine } from "./difference-line.js";
import { evidenceLines } from "./evidence-lines.js";
import { insideFence } from "./fence.js";
import { resultText } from "./result-text.js";

/** The longest that a call gets as it was made, in characters, where it was made with what came from outside. */
const maxOutsideChars = 80;

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
    const value = observation === undefined ? "not run" : resultText(observation, steps.length);
    const evidence = evidenceLines([{ id: step.id, value }]);
    const difference = observation === undefined ? "" : differenceLine(step, observation, steps);
    const isOutside = dependenciesOf(step).some((id) => isFenced(byId.get(id)));
    return `${callLine(step, observation, isOutside)}\n${evidence}${difference === "" ? "" : `\n${difference}`}`;
  });
  return `The results:\n${results.join("\n")}`;
}

function isFenced(observation?: Observation): boolean {
  return observation !== undefined && insideFence(observation.content).before !== "";
}

/**
 * What a step was for, and its call: as planned where it was made with more than a figure or a name from
 * outside, which stands in no fence here.
 */
function callLine({ thought = "", tool, args }: ToolStep, made?: Observation, isOutside = false) {
  const purpose = thought === "" ? "" : `${thought.replace(/[.:]\s*$/, "")}: `;
  const asMade = argumentsText(made?.args ?? args);
  const told = isOutside && asMade.length > maxOutsideChars ? argumentsText(args) : asMade;
  return `(${purpose}${tool} ${told})`.replaceAll(/\s+/g, " ").slice(0, maxCallChars);
}

/** Arguments as JSON; one that is all of them, and a text, without its name. */
function argumentsText(args: Json): string {
  const [only, ...others] = typeof args === "object" && args !== null ? Object.values(args) : [];
  return typeof only === "string" && others.length === 0 ? only : JSON.stringify(args);
}
