import { expect, it } from "vitest";

import { dateLine } from "../../src/prompts/date-line.js";

it.each([
  {
    name: "a date",
    at: new Date(Date.UTC(2026, 10, 21, 12)),
    zone: "Europe/Berlin",
    line: "Today is Saturday, 2026-11-21 (Europe/Berlin).",
  },
  {
    name: "milliseconds",
    at: Date.UTC(2026, 10, 21, 12),
    zone: "UTC",
    line: "Today is Saturday, 2026-11-21 (UTC).",
  },
  {
    name: "the day before, further west",
    at: Date.UTC(2027, 0, 1, 2),
    zone: "America/New_York",
    line: "Today is Thursday, 2026-12-31 (America/New_York).",
  },
  {
    name: "the day after, further east",
    at: Date.UTC(2028, 1, 28, 20),
    zone: "Asia/Tokyo",
    line: "Today is Tuesday, 2028-02-29 (Asia/Tokyo).",
  },
])("tells $name with weekday and zone", ({ at, zone, line }) => {
  expect(dateLine(at, zone)).toBe(line);
});

it("takes the system's zone by default", () => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(dateLine(0)).toBe(dateLine(0, zone));
});

it("throws on an unknown zone", () => {
  expect(() => dateLine(0, "Mars/Olympus")).toThrow(RangeError);
});
