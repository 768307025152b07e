import { canonicalJson } from "../json/json.js";
import type { Observation } from "../state/observation.js";
import { callText } from "./call-text.js";
import { changeInFence, insideFence } from "./fence.js";
import { withoutReadOnHint } from "./read-on-hint.js";

/** The longest that one result gets, in characters, where nothing else is said. */
const defaultMaxChars = 500;

/** One line for each call that brought a result: `tool(arguments): result`, which is cut at `maxChars`. */
export function resultLines(
  observations: readonly Observation[],
  maxChars = defaultMaxChars,
): string[] {
  return observations
    .filter(({ ok, attempts }) => ok && attempts > 0)
    .map((observation) => lineOf(observation, callText(observation), maxChars));
}

/** The same for each call that was made and failed, each failure once, unless the call went well another time. */
export function failureLines(
  observations: readonly Observation[],
  maxChars = defaultMaxChars,
): string[] {
  const made = observations.filter(({ attempts }) => attempts > 0);
  const good = new Set(made.filter(({ ok }) => ok).map((observation) => keyOf(observation)));
  const failed = made.filter((observation) => !observation.ok && !good.has(keyOf(observation)));
  return [...new Set(failed.map((seen) => lineOf(seen, callText(seen), maxChars)))];
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
      const call = wordsOf(observation.callId) ?? callText(observation);
      return lineOf(observation, observation.ok ? call : `${call} FAILED`, defaultMaxChars);
    });
}

/** The observations as people read them: without the fences around what came from outside. */
export function withoutFences(observations: readonly Observation[]): Observation[] {
  return observations.map((seen) => ({ ...seen, content: insideFence(seen.content).text }));
}

function lineOf({ content }: Observation, call: string, maxChars: number): string {
  const told = changeInFence(withoutReadOnHint(content), (text) => {
    const line = inOneLine(text);
    return line.length > maxChars ? `${line.slice(0, maxChars)}…` : line;
  });
  return `- ${call}: ${inOneLine(told)}`;
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

function keyOf({ tool, args }: Observation): string {
  return `${tool} ${canonicalJson(args)}`;
}
