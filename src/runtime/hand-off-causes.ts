import { PlangraphError } from "../errors.js";
import { type HandOffCause, handOffCauses } from "../state/outcome.js";

/**
 * For what a graph's runs are handed off by themselves: what its options say, else everything where there is a person
 * to hand to. Throws `invalid_option` for what is no list of causes.
 */
export function handOffCausesFor(given: unknown, hasPerson: boolean): readonly HandOffCause[] {
  if (given === undefined) return hasPerson ? handOffCauses : [];
  if (isCauses(given)) return given;
  const known = handOffCauses.map((cause) => `"${cause}"`).join(", ");
  const message = `handOffOn: expected a list of ${known}, got ${JSON.stringify(given)}.`;
  throw new PlangraphError("invalid_option", message);
}

function isCauses(given: unknown): given is readonly HandOffCause[] {
  const known: readonly unknown[] = handOffCauses;
  return Array.isArray(given) && given.every((cause) => known.includes(cause));
}
