import { describe, expect, it } from "vitest";

import { momentAt, type Point } from "../../src/dates/calendar.js";
import { fitsDateFormat, isDateFormat, writeDate } from "../../src/dates/date-format.js";

const timeZone = "Europe/Berlin";
const day: Point = { year: 2026, month: 11, day: 9 };
const moment = momentAt(day, { hour: 15, minute: 4, second: 5 }, timeZone);

describe("writeDate", () => {
  it.each([
    ["date", day, "start", "2026-11-09"],
    ["date", moment, "start", "2026-11-09"],
    ["date-time", day, "start", "2026-11-09T00:00:00+01:00"],
    ["date-time", day, "end", "2026-11-09T23:59:59+01:00"],
    ["date-time", moment, "end", "2026-11-09T15:04:05+01:00"],
    ["time", moment, "start", "15:04:05+01:00"],
    ["time", day, "start", undefined],
    ["HH:mm", day, "start", undefined],
    ["YYYY/MM/DD HH:mm:ss", day, "end", "2026/11/09 23:59:59"],
    ["YYYYMMDD", moment, "start", "20261109"],
    ["YYYY年MM月DD日", day, "start", "2026年11月09日"],
    ["DD.MM.YYYY", day, "start", "09.11.2026"],
    ["epoch-s", moment, "start", String(Date.UTC(2026, 10, 9, 14, 4, 5) / 1_000)],
    ["epoch-ms", day, "start", String(Date.UTC(2026, 10, 8, 23))],
  ] as const)("writes %s of %j by its %s", (format, point, edge, text) => {
    expect(writeDate(point, edge, format, { timeZone })).toBe(text);
  });

  it.each([
    ["UTC alone", /Z$/, "2026-11-09T14:04:05Z"],
    ["local time alone", /^[^Z+]*$/, "2026-11-09T15:04:05"],
    ["nothing", /^$/, undefined],
  ])("writes the form that is accepted, where %s is", (_, pattern, text) => {
    const accepts = (each: string) => pattern.test(each);
    expect(writeDate(moment, "start", "date-time", { timeZone, accepts })).toBe(text);
  });
});

it.each([
  ["date", "2028-02-29", true],
  ["date", "2027-02-29", false],
  ["date", "last Monday", false],
  ["date-time", "2026-11-09T15:04:05.123Z", true],
  ["date-time", "2026-11-09T15:04:05", false],
  ["date-time", "2026-11-09T25:04:05Z", false],
  ["time", "15:04:05+01:00", true],
  ["time", "15:04:05", false],
  ["YYYY/MM/DD", "2026/11/09", true],
  ["YYYY/MM/DD", "2026-11-09", false],
  ["YYYY.MM", "2026x11", false],
  ["epoch-s", "1700000000", true],
  ["epoch-s", "today", false],
])("knows whether the format %s fits %s: %s", (format, text, fits) => {
  expect(fitsDateFormat(text, format)).toBe(fits);
});

it.each([
  ["date-time", true],
  ["YYYY-MM-DDTHH:mm:ssZ", true],
  ["epoch-ms", true],
  ["uuid", false],
  ["DD MMM YYYY", false],
  ["YYYY YYYY", false],
  ["", false],
])("knows whether %s is a format: %s", (format, isFormat) => {
  expect(isDateFormat(format)).toBe(isFormat);
});
