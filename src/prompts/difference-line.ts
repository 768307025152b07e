import type { JsonObject } from "../json/json.js";
import type { ToolStep } from "../plan/step.js";
import type { Observation } from "../state/observation.js";

const difference = /^\s*\{\{\s*(\w+)\s*\}\}\s*[-−]\s*\{\{\s*(\w+)\s*\}\}\s*$/;

/**
 * What the difference of two earlier results says, both ways round, in the words of the steps that found them:
 * "The height of A is 5 more than the height of B. …". Nothing for any other step.
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

/** The ids of the two steps whose difference is all that the arguments ask for. */
function subtracted(args: JsonObject): string[] {
  const [only, ...others] = Object.values(args);
  const found = typeof only === "string" && others.length === 0 ? difference.exec(only) : null;
  return found === null ? [] : found.slice(1);
}
