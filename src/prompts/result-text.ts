import type { Observation } from "../state/observation.js";

/** The longest that one result gets in a report, in characters. */
const maxChars = 4_000;

/** A result as reports of a plan tell it: cut where it is long, and named as such where it is a failure. */
export function resultText({ ok, content }: Observation): string {
  const text = content.length > maxChars ? `${content.slice(0, maxChars)}…` : content;
  return ok ? text : `FAILED. ${text}`;
}
