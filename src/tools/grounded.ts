import { isRecord } from "../json/json.js";
import type { Observation } from "../state/observation.js";
import { wholeText } from "./kept-result.js";
import { llmToolName } from "./llm.js";

/**
 * The names among `parameters` whose value in `args` does not occur in `texts` as a word of its own.
 * Numbers are found by their value (12.5 in "12.50"), with and without thousands separators. Absent
 * values are grounded.
 */
export function ungrounded(
  parameters: readonly string[],
  args: unknown,
  texts: readonly string[],
): string[] {
  if (!isRecord(args)) return [];
  const haystack = texts.join("\n").toLowerCase();
  const plain = haystack.replaceAll(/(?<=\d)[,_'’](?=\d{3})/g, "");
  const numbers = new Set((plain.match(/(?<![a-z0-9_.])\d+(?:\.\d+)?(?!\d)/g) ?? []).map(Number));
  const isGrounded = (value: unknown) => {
    if (typeof value === "number") return numbers.has(Math.abs(value));
    const text = String(value).toLowerCase();
    return occurs(text, haystack) || occurs(text, plain);
  };
  return parameters.filter((name) => !scalars(args[name]).every(isGrounded));
}

/**
 * The results that a value may be taken from: of tools that are trusted. What a model wrote is none, so of a run that
 * was a call its own calls count, and not its answer.
 */
export function trustedTexts(observations: readonly Observation[]): string[] {
  return observations.flatMap((observation) => {
    const { ok, tool, trust, run } = observation;
    if (run !== undefined) return trustedTexts(run.observations);
    return ok && trust === undefined && tool !== llmToolName ? [wholeText(observation)] : [];
  });
}

function scalars(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(scalars);
  if (isRecord(value)) return Object.values(value).flatMap(scalars);
  return value === undefined || value === null || value === "" ? [] : [value];
}

/** Whether `value` stands in `text` with no letter or digit directly beside it. */
function occurs(value: string, text: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    if (!continues(text[at - 1], value[0]) && !continues(text[at + value.length], value.at(-1))) {
      return true;
    }
  }
  return false;
}

/** Whether two neighbouring characters belong to one word; scripts without spaces have no such words. */
function continues(outside: string | undefined, inside: string | undefined): boolean {
  const word = /[a-z0-9_]/;
  return word.test(outside ?? "") && word.test(inside ?? "");
}
