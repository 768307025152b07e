import { describe, expect, it } from "vitest";

import { dayIn } from "../../src/knowledge/read/day.js";

describe("a day is read from", () => {
  it.each([
    { text: "2026-12-31", day: "2026-12-31" },
    { text: " 2026-1-2 ", day: "2026-01-02" },
    { text: "2026/12/31", day: "2026-12-31" },
    { text: "2026/12/31 00:00:00", day: "2026-12-31" },
    { text: "2026/12/31 12:00:00 AM", day: "2026-12-31" },
    { text: "2026.1.2", day: "2026-01-02" },
    { text: "31.12.2026", day: "2026-12-31" },
    { text: "3.4.2026 8:00", day: "2026-04-03" },
    { text: "2026年12月31日", day: "2026-12-31" },
    { text: "2026年1月2号 23:59", day: "2026-01-02" },
    { text: "2026-12-31T23:30", day: "2026-12-31" },
    { text: "2026-12-31T23:30:00.000Z", day: "2026-12-31" },
    { text: "2026-12-31T23:30:00+08:00", day: "2026-12-31" },
    { text: "2026-12-31 23:30:00 -0500", day: "2026-12-31" },
    { text: "2024-02-29", day: "2024-02-29" },
  ])("$text", ({ text, day }) => {
    expect(dayIn(text)).toBe(day);
  });
});

describe("no day is read from", () => {
  it.each([
    { what: "nothing", text: "" },
    { what: "a day and a month that may be exchanged", text: "03/04/2026" },
    { what: "another form of slashes, though it has one reading", text: "31/12/2026" },
    { what: "a day that there is not", text: "2026-02-30" },
    { what: "a day that there is not, year last", text: "29.02.2026" },
    { what: "a month that there is not", text: "12.31.2026" },
    { what: "a year of two digits", text: "31.12.26" },
    { what: "a time without a day", text: "09:30" },
    { what: "a date with words behind it", text: "2026-12-31 or later" },
    { what: "two dates", text: "2026-01-01 2026-12-31" },
    { what: "a version", text: "1.2.3" },
    { what: "a number", text: "46387" },
  ])("$what", ({ text }) => {
    expect(dayIn(text)).toBeUndefined();
  });
});
