import type { Json, JsonObject } from "../json/json.js";
import { dependenciesOf, type TaskStep, type ToolStep } from "../plan/step.js";
import type { Observation } from "../state/observation.js";
import { insideFence } from "./fence.js";
import { evidenceLines, maxCallChars, resultText } from "./results.js";

/** The longest part of a call's arguments from outside, in characters. */
const maxOutsideChars = 80;

/** The results of a plan's steps with purpose and call; failures are marked. A small model needs differences in words. */
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

/** A step's purpose and call; the planned call if its arguments came from outside, because no fence is here. */
function callLine({ thought = "", tool, args }: ToolStep, made?: Observation, isOutside = false) {
  const purpose = thought === "" ? "" : `${thought.replace(/[.:]\s*$/, "")}: `;
  const asMade = argumentsText(made?.args ?? args);
  const told = isOutside && asMade.length > maxOutsideChars ? argumentsText(args) : asMade;
  return `(${purpose}${tool} ${told})`.replaceAll(/\s+/g, " ").slice(0, maxCallChars);
}

/** Arguments as JSON; a single text argument without its name. */
function argumentsText(args: Json): string {
  const [only, ...others] = typeof args === "object" && args !== null ? Object.values(args) : [];
  return typeof only === "string" && others.length === 0 ? only : JSON.stringify(args);
}

/** The longest last result that is repeated, in characters. */
const maxRepeatedChars = 400;

/**
 * The last step's result again, as a line: a small model overlooks it, asks for it once more or calculates it anew.
 * Nothing for a result that is long, has several lines or came from outside.
 */
export function lastResult(
  steps: readonly ToolStep[],
  observations: readonly Observation[],
): string {
  const { id, thought = "" } = steps.at(-1) ?? {};
  const found = observations.find(({ callId, ok }) => ok && callId === id);
  if (found === undefined || found.content.length > maxRepeatedChars) return "";
  if (found.content.includes("\n") || isFenced(found)) return "";
  const purpose = thought === "" ? "" : ` (${thought.replace(/[.:]\s*$/, "")})`;
  return `The last step${purpose} gave: ${found.content}\n`;
}

const difference = /^\s*\{\{\s*(\w+)\s*\}\}\s*[-−]\s*\{\{\s*(\w+)\s*\}\}\s*$/;

/**
 * What the difference of two earlier results means, in both directions, in the words of their steps: "The height of A
 * is 5 more than the height of B. …". Nothing for any other step.
 */
export function differenceLine(
  { args }: ToolStep,
  { ok, content }: Observation,
  steps: readonly ToolStep[],
): string {
  const [first, second] = subtracted(args).map(
    (id) => steps.find((step) => step.id === id)?.thought ?? "",
  );
  const isNumber = ok && /^-?\d+(?:\.\d+)?$/.test(content);
  if (!isNumber || !first || !second) return "";
  const by = content.replace("-", "");
  if (Number(content) === 0) return `That means: ${first} is the same as ${second}.`;
  const [more, less] = content.startsWith("-") ? [second, first] : [first, second];
  return `That means: ${more} is ${by} more than ${less}. ${less} is ${by} less than ${more}.`;
}

/** The ids of the two steps if the arguments only ask for their difference. */
function subtracted(args: JsonObject): string[] {
  const [only, ...others] = Object.values(args);
  const found = typeof only === "string" && others.length === 0 ? difference.exec(only) : null;
  return found === null ? [] : found.slice(1);
}

/** The ended tasks of a plan for models: the task, then its result under its id. */
export function taskReport(
  steps: readonly TaskStep[],
  observations: readonly Observation[],
): string {
  const byId = new Map(observations.map((observation) => [observation.callId, observation]));
  const told = steps.flatMap(({ id, task }) => {
    const observation = byId.get(id);
    if (observation === undefined) return [];
    const remark = `(${task.replaceAll(/\s+/g, " ")})`;
    return [`${remark}\n${evidenceLines([{ id, value: resultText(observation, steps.length) }])}`];
  });
  return told.length === 0 ? "" : `Results so far:\n${told.join("\n")}`;
}

/** Tasks in a row, by id, in a form that is not taken for results. */
export function taskList(steps: readonly TaskStep[]): string {
  return steps.map(({ id, task, executor }) => `- [${id}] ${task}${byLine(executor)}`).join("\n");
}

function byLine(executor: string | undefined): string {
  return executor === undefined ? "" : ` (executor: ${executor})`;
}
