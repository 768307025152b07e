import type { Observation } from "../state/observation.js";
import { changeInFence, insideFence } from "./fence.js";

/** The longest that one result gets, in characters, where nothing else is said. */
const defaultMaxChars = 500;

/** One line for each call that brought a result: `tool(arguments): result`, which is cut at `maxChars`. */
export function resultLines(
  observations: readonly Observation[],
  maxChars = defaultMaxChars,
): string[] {
  return observations
    .filter(({ ok, attempts }) => ok && attempts > 0)
    .map((observation) => lineOf(observation, maxChars));
}

/** The same for each call that was made and failed, each failure once, unless the call went well another time. */
export function failureLines(
  observations: readonly Observation[],
  maxChars = defaultMaxChars,
): string[] {
  const made = observations.filter(({ attempts }) => attempts > 0);
  const good = new Set(made.filter(({ ok }) => ok).map((observation) => callOf(observation)));
  const failed = made.filter((observation) => !observation.ok && !good.has(callOf(observation)));
  return [...new Set(failed.map((observation) => lineOf(observation, maxChars)))];
}

/** The observations as people read them: without the fences around what came from outside. */
export function withoutFences(observations: readonly Observation[]): Observation[] {
  return observations.map((seen) => ({ ...seen, content: insideFence(seen.content).text }));
}

function lineOf(observation: Observation, maxChars: number): string {
  const told = changeInFence(observation.content, (text) => {
    const line = inOneLine(text);
    return line.length > maxChars ? `${line.slice(0, maxChars)}…` : line;
  });
  return `- ${callOf(observation)}: ${inOneLine(told)}`;
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

function callOf({ tool, args }: Observation): string {
  return `${tool}(${JSON.stringify(args)})`;
}
