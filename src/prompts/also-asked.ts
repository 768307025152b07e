import { isJsonObject } from "../json/json.js";
import type { Observation } from "../state/observation.js";

/** What is asked beside which one it is. */
const byHowMuch =
  /\b(?:by how (?:much|many(?: \p{L}+)?)|(?<=\band )how (?:much|many) (?:more|less|fewer))\b/iu;

/** Says once more that a question also asks by how much; small models leave it out. */
export function alsoAsked(objective: string, observations: readonly Observation[]): string {
  const [difference] = byHowMuch.exec(objective) ?? [];
  return difference === undefined
    ? ""
    : ` The question also asks ${difference}${differenceFound(observations)}.`;
}

/** The difference that the last comparison found; a small model that reads it among other figures leaves it out. */
function differenceFound(observations: readonly Observation[]): string {
  const values = observations
    .filter(({ ok, trust }) => ok && trust === undefined)
    .map(({ value }) => (isJsonObject(value) ? value["difference"] : undefined));
  const last = values.findLast((value) => typeof value === "number");
  return last === undefined ? "" : `: ${last}`;
}
