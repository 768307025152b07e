import type { Observation } from "../state/observation.js";
import { changeInFence } from "./fence.js";

/** The longest that one result gets in a report, in characters. */
const maxChars = 4_000;

/** A result as reports of a plan tell it: cut where it is long, and named as such where it is a failure. */
export function resultText({ ok, content }: Observation): string {
  const text = changeInFence(content, (whole) =>
    whole.length > maxChars ? `${whole.slice(0, maxChars)}…` : whole,
  );
  return ok ? text : `FAILED. ${text}`;
}
