import type { Observation } from "../state/observation.js";
import { changeInFence } from "./fence.js";

/** What all results of a report may have together, and what each may have however many there are, in characters. */
const maxReportChars = 32_000;
const minChars = 4_000;

/** A result as a report of so many tells it: cut where it is long, and named as such where it is a failure. */
export function resultText({ ok, content }: Observation, results = 1): string {
  const maxChars = Math.max(minChars, Math.floor(maxReportChars / results));
  const text = changeInFence(content, (whole) =>
    whole.length > maxChars
      ? `${whole.slice(0, maxChars)}… [${whole.length - maxChars} more characters cut]`
      : whole,
  );
  return ok ? text : `FAILED. ${text}`;
}
