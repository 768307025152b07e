import type { Observation } from "../state/observation.js";

/** The most tools that are named. */
const maxNamed = 4;

/**
 * That no tool has done anything, where some could have: a small model takes what the user asked for as done. Empty where a call
 * of one of these tools succeeded, or may have taken effect all the same.
 */
export function undoneLine(
  changing: ReadonlySet<string>,
  observations: readonly Observation[],
): string {
  const isDone = observations.some(
    ({ tool, ok, maybeDuplicate = false }) => changing.has(tool) && (ok || maybeDuplicate),
  );
  if (changing.size === 0 || isDone) return "";
  const names = [...changing];
  const tools = names.length > maxNamed ? "a tool that changes something" : names.join(" or ");
  return `No call of ${tools} succeeded: do not say that this was done. `;
}
