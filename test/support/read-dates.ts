import { isoPoint } from "../../src/dates/calendar.js";
import { type DateFrame, resolveDate } from "../../src/dates/resolve-date.js";

/** A Wednesday noon in Berlin. */
const wednesday: DateFrame = {
  now: Date.UTC(2026, 10, 18, 11, 5, 9),
  timeZone: "Europe/Berlin",
};

/** A resolved text in one line: a point, or a span as "from to". A problem as it is. */
export function readDate(text: string, frame: DateFrame = wednesday): string {
  const found = resolveDate(text, frame);
  if (!found.ok) return found.problem;
  const { start, end } = found;
  return end === undefined ? isoPoint(start) : `${isoPoint(start)} to ${isoPoint(end)}`;
}
