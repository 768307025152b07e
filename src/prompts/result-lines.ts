import type { Observation } from "../state/observation.js";

/** The longest that one result gets in a list of results, in characters. */
const maxChars = 500;

/** One line for each call that brought a result: `tool(arguments): result`. */
export function resultLines(observations: readonly Observation[]): string[] {
  return observations
    .filter(({ ok, attempts }) => ok && attempts > 0)
    .map(({ tool, args, content }) => {
      const text = content.replaceAll(/\s+/g, " ");
      const short = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
      return `- ${tool}(${JSON.stringify(args)}): ${short}`;
    });
}
