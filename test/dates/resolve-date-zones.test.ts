import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { instantOf, isoPoint, momentOf } from "../../src/dates/calendar.js";
import { type DateFrame, resolveDate, type ResolvedDate } from "../../src/dates/resolve-date.js";
import { readDate } from "../support/read-dates.js";

const at = (now: string, timeZone: string, locale?: string): DateFrame => ({
  now: Date.parse(now),
  timeZone,
  locale,
});

describe("resolveDate reckons in the calendar of the zone", () => {
  it.each([
    ["today", "2026-11-18T10:00:00Z", "Pacific/Kiritimati", "2026-11-19"],
    ["today", "2026-11-18T10:59:59Z", "Pacific/Pago_Pago", "2026-11-17"],
    ["tomorrow", "2026-12-31T10:00:00Z", "Pacific/Kiritimati", "2027-01-02"],
    ["last year", "2026-12-31T10:00:00Z", "Pacific/Kiritimati", "2026-01-01 to 2026-12-31"],
    ["yesterday", "2027-01-01T10:00:00Z", "Pacific/Pago_Pago", "2026-12-30"],
    ["today", "2026-11-18T23:00:00Z", "Europe/Berlin", "2026-11-19"],
    ["today", "2026-11-18T22:59:59Z", "Europe/Berlin", "2026-11-18"],
    ["上周", "2026-11-22T15:59:59Z", "Asia/Shanghai", "2026-11-09 to 2026-11-15"],
    ["上周", "2026-11-22T16:00:00Z", "Asia/Shanghai", "2026-11-16 to 2026-11-22"],
    ["上周一", "2026-11-22T04:00:00Z", "Asia/Shanghai", "2026-11-09"],
    ["last Sunday", "2026-11-22T12:00:00Z", "UTC", "2026-11-15"],
    ["next Monday", "2026-11-22T12:00:00Z", "UTC", "2026-11-23"],
    ["tomorrow 3pm", "2026-11-18T12:00:00Z", "Asia/Kathmandu", "2026-11-19T15:00:00+05:45"],
    ["2026-11-18T00:30Z", "2026-11-18T12:00:00Z", "America/New_York", "2026-11-17T19:30:00-05:00"],
  ])("%s at %s in %s", (text, now, zone, date) => {
    expect(readDate(text, at(now, zone))).toBe(date);
  });

  it.each([
    ["tomorrow", "2028-02-28T12:00:00Z", "2028-02-29"],
    ["tomorrow", "2027-02-28T12:00:00Z", "2027-03-01"],
    ["a year ago", "2028-02-29T12:00:00Z", "2027-02-28"],
    ["a month ago", "2026-03-31T12:00:00Z", "2026-02-28"],
    ["end of next month", "2028-01-31T12:00:00Z", "2028-02-29"],
    ["next month", "2026-12-31T12:00:00Z", "2027-01-01 to 2027-01-31"],
    ["last quarter", "2026-01-01T12:00:00Z", "2025-10-01 to 2025-12-31"],
    ["上半年", "2026-12-31T12:00:00Z", "2026-01-01 to 2026-06-30"],
    ["last half year", "2026-02-01T12:00:00Z", "2025-07-01 to 2025-12-31"],
    ["this week", "2027-01-01T12:00:00Z", "2026-12-28 to 2027-01-03"],
    ["2026-W53", "2026-06-01T12:00:00Z", "2026-12-28 to 2027-01-03"],
    ["2027-W53", "2026-06-01T12:00:00Z", "There is no such week."],
    ["2026-13", "2026-06-01T12:00:00Z", "There is no such month."],
    ["20261118", "2026-06-01T12:00:00Z", "2026-11-18"],
  ])("%s at %s, where months and years end", (text, now, date) => {
    expect(readDate(text, at(now, "UTC"))).toContain(date);
  });

  // In Berlin clocks go from 2:00 to 3:00 on 2026-03-29, and from 3:00 back to 2:00 on 2026-10-25.
  it.each([
    ["tomorrow 2:30", "2026-03-28T12:00:00Z", "2026-03-29T03:30:00+02:00"],
    ["tomorrow", "2026-03-28T22:30:00Z", "2026-03-29"],
    ["in 2 hours", "2026-03-29T00:30:00Z", "2026-03-29T04:30:00+02:00"],
    ["tomorrow 2:30", "2026-10-24T12:00:00Z", "2026-10-25T02:30:00+02:00"],
    ["in an hour", "2026-10-25T00:30:00Z", "2026-10-25T02:30:00+01:00"],
    ["2026-10-25T02:30:00+01:00", "2026-10-24T12:00:00Z", "2026-10-25T02:30:00+01:00"],
    ["next week", "2026-10-24T12:00:00Z", "2026-10-26 to 2026-11-01"],
    ["yesterday noon", "2026-10-25T12:00:00Z", "2026-10-24T12:00:00+02:00"],
  ])("%s at %s, where the clock is changed", (text, now, date) => {
    expect(readDate(text, at(now, "Europe/Berlin"))).toBe(date);
  });

  it("goes over the day that a zone left out", () => {
    const frame = at("2011-12-29T12:00:00Z", "Pacific/Apia");
    expect(readDate("today", frame)).toBe("2011-12-29");
    expect(readDate("tomorrow 3pm", frame)).toBe("2011-12-31T15:00:00+14:00");
  });

  it.each([
    ["03/04/2026", "en-GB", "2026-04-03"],
    ["03/04/2026", "en-US", "2026-03-04"],
    ["03.04.2026", "de", "2026-04-03"],
    ["31/12/2026", "en-US", "2026-12-31"],
    ["04/04/2026", undefined, "2026-04-04"],
    ["2026/3/4", "en-GB", "2026-03-04"],
    ["32/13/2026", "en-GB", "There is no such day."],
  ])("%s in the order of the locale %s", (text, locale, date) => {
    expect(readDate(text, at("2026-11-18T12:00:00Z", "UTC", locale))).toContain(date);
  });
});

describe("resolveDate for any text, clock and zone", () => {
  const zone = fc.constantFrom("UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin");
  const now = fc.integer({ min: Date.UTC(1950, 0), max: Date.UTC(2100, 0) });
  const locale = fc.constantFrom(undefined, "en-GB", "de", "ja");
  const frames = fc.record({ now, timeZone: zone, locale });
  const pieces =
    "last next past 3 12 week days monday may ago of to end q3 2026 at 3pm 上 下 周 月 五 三 前 点 半 年";
  const words = fc
    .array(fc.constantFrom(...pieces.split(" ")), { maxLength: 6 })
    .chain((parts) => fc.constantFrom(parts.join(" "), parts.join("")));

  const today: ResolvedDate = { start: { year: 2026, month: 11, day: 18 } };

  it("never throws, and no span ends before it begins", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), words), frames, (text, frame) => {
        const found = resolveDate(text, frame);
        const { start, end = start } = found.ok ? found : today;
        const isTimed = start.time !== undefined && end.time !== undefined;
        const [from, to] = [start, end].map(isoPoint).map((point) => {
          return Date.parse(isTimed ? point : point.slice(0, 10));
        });
        expect(from).toBeLessThanOrEqual(to ?? NaN);
      }),
      { numRuns: 500 },
    );
  });

  it("leaves a day in ISO 8601 as it is", () => {
    const day = fc.date({
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9999-12-31T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(day, frames, (date, frame) => {
        const text = date.toISOString().slice(0, 10);
        expect(readDate(text, frame)).toBe(text);
      }),
    );
  });

  it("reads a moment in ISO 8601 as the moment that it is", () => {
    fc.assert(
      fc.property(now, frames, (instant, frame) => {
        const second = Math.floor(instant / 1_000) * 1_000;
        const found = resolveDate(new Date(second).toISOString(), frame);
        expect(found).toEqual({ ok: true, start: momentOf(second, frame.timeZone) });
        expect(instantOf(momentOf(second, frame.timeZone))).toBe(second);
      }),
    );
  });
});
