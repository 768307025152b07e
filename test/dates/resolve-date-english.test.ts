import { describe, expect, it } from "vitest";

import { readDate } from "../support/read-dates.js";

// It is Wednesday, 2026-11-18, 12:05:09 in Berlin.

describe("resolveDate reads English", () => {
  it.each([
    ["today", "2026-11-18"],
    ["Yesterday.", "2026-11-17"],
    ["tomorrow", "2026-11-19"],
    ["the day before yesterday", "2026-11-16"],
    ["day after  tomorrow", "2026-11-20"],
    ["3 days ago", "2026-11-15"],
    ["two weeks ago", "2026-11-04"],
    ["a month ago", "2026-10-18"],
    ["2 quarters ago", "2026-05-18"],
    ["in 3 days", "2026-11-21"],
    ["a week from now", "2026-11-25"],
    ["a couple of years ago", "2024-11-18"],
    ["12 days later", "2026-11-30"],
  ])("%s as a day counted from today", (text, date) => {
    expect(readDate(text)).toBe(date);
  });

  it.each([
    ["Friday", "2026-11-20"],
    ["on Wed", "2026-11-18"],
    ["last Monday", "2026-11-16"],
    ["last Wednesday", "2026-11-11"],
    ["last Friday", "2026-11-13"],
    ["this Monday", "2026-11-16"],
    ["this sat", "2026-11-21"],
    ["next Monday", "2026-11-23"],
    ["next Friday", "2026-11-27"],
    ["Monday last week", "2026-11-09"],
    ["Sunday of next week", "2026-11-29"],
    ["last week's Thursday", "2026-11-12"],
    ["Mon, 5 Oct 2026", "2026-10-05"],
    ["Monday 5th October", "2026-10-05"],
    ["Wed 2026-11-18", "2026-11-18"],
  ])("%s as a day of the week", (text, date) => {
    expect(readDate(text)).toBe(date);
  });

  it.each([
    ["this week", "2026-11-16 to 2026-11-22"],
    ["last week", "2026-11-09 to 2026-11-15"],
    ["next week", "2026-11-23 to 2026-11-29"],
    ["the week before last", "2026-11-02 to 2026-11-08"],
    ["this weekend", "2026-11-21 to 2026-11-22"],
    ["last weekend", "2026-11-14 to 2026-11-15"],
    ["this month", "2026-11-01 to 2026-11-30"],
    ["next month", "2026-12-01 to 2026-12-31"],
    ["last month", "2026-10-01 to 2026-10-31"],
    ["the month after next", "2027-01-01 to 2027-01-31"],
    ["last quarter", "2026-07-01 to 2026-09-30"],
    ["this quarter", "2026-10-01 to 2026-12-31"],
    ["next quarter", "2027-01-01 to 2027-03-31"],
    ["last year", "2025-01-01 to 2025-12-31"],
    ["the current year", "2026-01-01 to 2026-12-31"],
    ["past 7 days", "2026-11-12 to 2026-11-18"],
    ["the last 3 months", "2026-08-19 to 2026-11-18"],
    ["past week", "2026-11-12 to 2026-11-18"],
    ["next 2 weeks", "2026-11-18 to 2026-12-01"],
  ])("%s as a span around today", (text, span) => {
    expect(readDate(text)).toBe(span);
  });

  it.each([
    ["Q3 2026", "2026-07-01 to 2026-09-30"],
    ["2025-Q4", "2025-10-01 to 2025-12-31"],
    ["second quarter of last year", "2025-04-01 to 2025-06-30"],
    ["first half of 2026", "2026-01-01 to 2026-06-30"],
    ["H2", "2026-07-01 to 2026-12-31"],
    ["2025", "2025-01-01 to 2025-12-31"],
    ["October", "2026-10-01 to 2026-10-31"],
    ["in Feb 2028", "2028-02-01 to 2028-02-29"],
    ["last May", "2026-05-01 to 2026-05-31"],
    ["last December", "2025-12-01 to 2025-12-31"],
    ["next May", "2027-05-01 to 2027-05-31"],
    ["Oct 5", "2026-10-05"],
    ["October 5th, 2025", "2025-10-05"],
    ["5 sept. 2026", "2026-09-05"],
    ["the 5th of next month", "2026-12-05"],
    ["March 1 next year", "2027-03-01"],
    ["end of the month", "2026-11-30"],
    ["the beginning of next year", "2027-01-01"],
    ["last day of Q3 2026", "2026-09-30"],
    ["end of last week", "2026-11-15"],
  ])("%s as a part of the calendar", (text, date) => {
    expect(readDate(text)).toBe(date);
  });

  it.each([
    ["tomorrow 3pm", "2026-11-19T15:00:00+01:00"],
    ["3:30 p.m. on Friday", "2026-11-20T15:30:00+01:00"],
    ["tomorrow at noon", "2026-11-19T12:00:00+01:00"],
    ["15:30", "2026-11-18T15:30:00+01:00"],
    ["Oct 5 at 12am", "2026-10-05T00:00:00+02:00"],
    ["midnight", "2026-11-19T00:00:00+01:00"],
    ["now", "2026-11-18T12:05:09+01:00"],
    ["2 hours ago", "2026-11-18T10:05:09+01:00"],
    ["half an hour ago", "2026-11-18T11:35:09+01:00"],
    ["in 90 minutes", "2026-11-18T13:35:09+01:00"],
    ["past 24 hours", "2026-11-17T12:05:09+01:00 to 2026-11-18T12:05:09+01:00"],
    ["next 2 hours", "2026-11-18T12:05:09+01:00 to 2026-11-18T14:05:09+01:00"],
    ["tonight", "2026-11-18T18:00:00+01:00 to 2026-11-18T23:59:59+01:00"],
    ["tomorrow morning", "2026-11-19T06:00:00+01:00 to 2026-11-19T11:59:59+01:00"],
    ["last night", "2026-11-17T18:00:00+01:00 to 2026-11-17T23:59:59+01:00"],
  ])("%s as a time", (text, time) => {
    expect(readDate(text)).toBe(time);
  });

  it.each([
    ["Oct 5 - Oct 9", "2026-10-05 to 2026-10-09"],
    ["from last Monday to today", "2026-11-16 to 2026-11-18"],
    ["between 2026-10-05 and 2026-10-09", "2026-10-05 to 2026-10-09"],
    ["last month until yesterday", "2026-10-01 to 2026-11-17"],
    ["since last week", "2026-11-09 to 2026-11-18"],
    ["year to date", "2026-01-01 to 2026-11-18"],
    ["YTD", "2026-01-01 to 2026-11-18"],
    ["this month so far", "2026-11-01 to 2026-11-18"],
    ["the past couple of weeks", "2026-11-05 to 2026-11-18"],
    ["10:00 to 11:30", "2026-11-18T10:00:00+01:00 to 2026-11-18T11:30:00+01:00"],
  ])("%s as a span between two dates", (text, span) => {
    expect(readDate(text)).toBe(span);
  });

  it.each([
    ["Monday", 'It may be 2026-11-16 or 2026-11-23: write "this Monday" for the first'],
    ["tomorrow at 3", "such as 3pm or 15:00"],
    ["03/04/2026", "write YYYY-MM-DD"],
    ["next week 3pm", "2026-11-23 to 2026-11-29 has no time of day"],
    ["2026-02-30", "There is no such day."],
    ["Tuesday, 5 Oct 2026", "2026-10-05 is a Monday."],
    ["Monday 5-9 October 2026", "Write a date"],
    ["Feb 29 2027", "There is no day 2027-02-29."],
    ["tomorrow to yesterday", "It would end before it begins: 2026-11-19 to 2026-11-17."],
    ["9999 years ago", "outside the years 1 to 9999"],
    ["the report from last Monday", 'Write a date such as 2026-11-21, "last Monday"'],
    ["I may go on", "Write a date"],
    ["Prime Day", "Write a date"],
    ["13pm", "Write a date"],
    ["1/2", "Write a date"],
    ["3.5", "Write a date"],
    ["0", "Write a date"],
    ["", "Write a date"],
    [`last ${"x".repeat(500)}`, "…"],
  ])("refuses %j and says what can be written", (text, problem) => {
    expect(readDate(text)).toContain("cannot be read as a date. ");
    expect(readDate(text)).toContain(problem);
  });
});
