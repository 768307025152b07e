import type { Observation } from "../state/observation.js";
import { insideFence } from "./fence.js";

/** One line for each call that brought a result, as a model reads it: `tool(arguments): result`, which is cut at `maxChars`. */
export function resultLines(observations: readonly Observation[], maxChars = 500): string[] {
  return linesOf(observations, ({ content }) => {
    const { before, text, after } = insideFence(content);
    return inOneLine(`${before}${cutAt(inOneLine(text), maxChars)}${after}`);
  });
}

/** The same as a person reads it: without the fence around what came from outside. */
export function foundLines(observations: readonly Observation[], maxChars = 500): string[] {
  return linesOf(observations, ({ content }) =>
    cutAt(inOneLine(insideFence(content).text), maxChars),
  );
}

function linesOf(
  observations: readonly Observation[],
  told: (observation: Observation) => string,
): string[] {
  return observations
    .filter(({ ok, attempts }) => ok && attempts > 0)
    .map((seen) => `- ${seen.tool}(${JSON.stringify(seen.args)}): ${told(seen)}`);
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

function cutAt(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}
