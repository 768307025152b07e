import type { Observation } from "../state/observation.js";

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

function lineOf(observation: Observation, maxChars: number): string {
  const text = observation.content.replaceAll(/\s+/g, " ");
  const short = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
  return `- ${callOf(observation)}: ${short}`;
}

function callOf({ tool, args }: Observation): string {
  return `${tool}(${JSON.stringify(args)})`;
}
