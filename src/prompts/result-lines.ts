import type { Observation } from "../state/observation.js";

/** One line for each call that brought a result: `tool(arguments): result`, which is cut at `maxChars`. */
export function resultLines(observations: readonly Observation[], maxChars = 500): string[] {
  return observations
    .filter(({ ok, attempts }) => ok && attempts > 0)
    .map(({ tool, args, content }) => {
      const text = content.replaceAll(/\s+/g, " ");
      const short = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
      return `- ${tool}(${JSON.stringify(args)}): ${short}`;
    });
}
