import type { Observation } from "../state/observation.js";

/** One line for each call that brought a result: `tool(arguments): result`, which is cut at `maxChars`. */
export function resultLines(observations: readonly Observation[], maxChars = 500): string[] {
  return observations
    .filter(({ ok, attempts }) => ok && attempts > 0)
    .map((observation) => lineOf(observation, callOf(observation), maxChars));
}

/**
 * The same for all that was asked for, failures named as such and calls that were left out for another's sake left
 * out; `wordsOf` gives the words of a call that is a task.
 */
export function callLines(
  observations: readonly Observation[],
  wordsOf: (callId: string) => string | undefined,
): string[] {
  return observations
    .filter(({ error, attempts }) => attempts > 0 || error?.kind !== "cancelled")
    .map((observation) => {
      const call = wordsOf(observation.callId) ?? callOf(observation);
      return lineOf(observation, observation.ok ? call : `${call} FAILED`, 500);
    });
}

function callOf({ tool, args }: Observation): string {
  return `${tool}(${JSON.stringify(args)})`;
}

function lineOf({ content }: Observation, call: string, maxChars: number): string {
  const text = content.replaceAll(/\s+/g, " ");
  return `- ${call}: ${text.length > maxChars ? `${text.slice(0, maxChars)}…` : text}`;
}
