import { LunarDay } from "tyme4ts";
import { describe, expect, it } from "vitest";

import { resolveDate } from "../../src/dates/resolve-date.js";
import { readDate } from "../support/read-dates.js";

// It is Wednesday, 2026-11-18, 12:05:09 in Berlin.

const inCountry = (text: string, locale: string) => {
  const now = Date.UTC(2026, 10, 18, 11);
  const found = resolveDate(text, { now, timeZone: "Europe/Berlin", locale });
  return found.ok ? `${found.start.year}-${found.start.month}-${found.start.day}` : found.problem;
};

describe("a holiday with its year", () => {
  it.each([
    ["2025年双11", "2025-11-11"],
    ["去年双十一", "2025-11-11"],
    ["今年雙11", "2026-11-11"],
    ["2026年双十二", "2026-12-12"],
    ["今年618", "2026-06-18"],
    ["二〇二五年618", "2025-06-18"],
    ["去年五一", "2025-05-01"],
    ["明年劳动节", "2027-05-01"],
    ["今年国庆节", "2026-10-01"],
    ["2026年黑五", "2026-11-27"],
    ["black friday 2025", "2025-11-28"],
    ["Black Friday of last year", "2025-11-28"],
    ["last year's Black Friday", "2025-11-28"],
    ["cyber monday 2026", "2026-11-30"],
    ["singles' day 2024", "2024-11-11"],
    ["Christmas 2027", "2027-12-25"],
    ["easter 2026", "2026-04-05"],
    ["easter 2024", "2024-03-31"],
    ["easter 2038", "2038-04-25"],
    ["good friday 2025", "2025-04-18"],
    ["may day 2026", "2026-05-01"],
  ])("%s", (text, date) => {
    expect(readDate(text)).toBe(date);
  });

  // By the Hong Kong Observatory's tables.
  it.each([
    ["2024年春节", "2024-02-10"],
    ["2025年春节", "2025-01-29"],
    ["2026年春節", "2026-02-17"],
    ["2033年春节", "2033-01-31"],
    ["2034年春节", "2034-02-19"],
    ["2026年除夕", "2026-02-16"],
    ["2025年大年三十", "2025-01-28"],
    ["2026年元宵节", "2026-03-03"],
    ["2025年清明节", "2025-04-04"],
    ["2026年清明", "2026-04-05"],
    ["2025年端午节", "2025-05-31"],
    ["2026年端午节", "2026-06-19"],
    ["2025年七夕", "2025-08-29"],
    ["2023年中秋节", "2023-09-29"],
    ["2025年中秋节", "2025-10-06"],
    ["2026年中秋节", "2026-09-25"],
    ["2026年重阳节", "2026-10-18"],
    ["chinese new year 2026", "2026-02-17"],
    ["mid-autumn festival 2026", "2026-09-25"],
  ])("of the Chinese calendar: %s", (text, date) => {
    expect(readDate(text)).toBe(date);
  });
});

it("has the days of the Chinese calendar as a library has them, from 2000 to 2099", () => {
  const days = [
    ["春节", 1, 1],
    ["元宵节", 1, 15],
    ["端午节", 5, 5],
    ["七夕", 7, 7],
    ["中秋节", 8, 15],
    ["重阳节", 9, 9],
  ] as const;
  for (let year = 2000; year < 2100; year += 1) {
    for (const [name, month, day] of days) {
      const solar = LunarDay.fromYmd(year, month, day).getSolarDay();
      const shown = [solar.getMonth(), solar.getDay()].map((part) => String(part).padStart(2, "0"));
      expect(readDate(`${year}年${name}`)).toBe([solar.getYear(), ...shown].join("-"));
    }
  }
});

describe("a holiday without a year", () => {
  it.each([
    ["双12", "2026-12-12"],
    ["圣诞节", "2026-12-25"],
    ["Black Friday", "2026-11-27"],
    ["on Christmas Eve", "2026-12-24"],
    ["last Christmas", "2025-12-25"],
    ["last Black Friday", "2025-11-28"],
    ["next Christmas", "2026-12-25"],
    ["上个双11", "2026-11-11"],
    ["下个双11", "2027-11-11"],
    ["next Chinese New Year", "2027-02-06"],
    ["this year's easter", "2026-04-05"],
  ])("%s", (text, date) => {
    expect(readDate(text)).toBe(date);
  });

  it.each([
    ["双11", "It may be 2026-11-11 or 2027-11-11: write the year."],
    ["618", "It may be 2026-06-18 or 2027-06-18: write the year."],
    ["春节", "It may be 2026-02-17 or 2027-02-06: write the year."],
    ["Easter", "It may be 2026-04-05 or 2027-03-28: write the year."],
  ])("%s has passed, and is asked about", (text, problem) => {
    expect(readDate(text)).toContain(problem);
  });
});

describe("a holiday that is not one day everywhere", () => {
  it.each([
    ["春节期间", "It lasts several days"],
    ["国庆黄金周", "It lasts several days"],
    ["五一假期", "It lasts several days"],
    ["Black Friday week", "It lasts several days"],
    ["labor day 2026", "It differs by country, such as 2026-05-01 or 2026-09-07: write the date."],
    ["thanksgiving 2026", "such as 2026-11-26 or 2026-10-12"],
    ["mother's day 2026", "such as 2026-05-10 or 2026-03-15"],
    ["2120年春节", "It is not known for that year."],
    ["清明节 2026年", "cannot be read as a date"],
  ])("%s is asked about", (text, problem) => {
    expect(readDate(text)).toContain(problem);
  });

  it.each([
    ["labor day 2026", "en-US", "2026-9-7"],
    ["labour day 2026", "en-GB", "2026-5-1"],
    ["thanksgiving 2026", "en-US", "2026-11-26"],
    ["thanksgiving 2026", "en-CA", "2026-10-12"],
    ["mother's day 2026", "en-GB", "2026-3-15"],
    ["mother's day 2026", "de-DE", "2026-5-10"],
    ["father's day 2026", "en-AU", "2026-9-6"],
    ["2026年國慶節", "zh-TW", "2026-10-10"],
    ["2026年国庆节", "zh-CN", "2026-10-1"],
    ["2026年母亲节", "zh-CN", "2026-5-10"],
  ])("%s in %s is %s", (text, locale, date) => {
    expect(inCountry(text, locale)).toBe(date);
  });
});

describe("beside other words", () => {
  it.each([
    ["去年双11到去年双12", "2025-11-11 to 2025-12-12"],
    ["since last black friday", "2025-11-28 to 2026-11-18"],
    ["from christmas eve to boxing day", "2026-12-24 to 2026-12-26"],
  ])("%s is a span", (text, date) => {
    expect(readDate(text)).toBe(date);
  });

  it("may have a time", () => {
    expect(readDate("今年双11晚上8点")).toMatch(/^2026-11-11T20:00:00/);
    expect(readDate("black friday at 9am")).toMatch(/^2026-11-27T09:00:00/);
  });

  it.each(["双11前后的订单", "the black friday sale starts", "双", "十一", "eastern", "prime day"])(
    "%s is no date",
    (text) => {
      expect(readDate(text)).toContain("cannot be read as a date");
    },
  );
});
