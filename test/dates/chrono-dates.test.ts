import { describe, expect, it } from "vitest";

import { loadChronoDates } from "../../src/dates/chrono-dates.js";
import { readDate, wednesday } from "../support/read-dates.js";

describe("loadChronoDates", async () => {
  const more = await loadChronoDates();

  it.each([
    ["Mon, 5 Oct 2026", "2026-10-05"],
    ["Oct 5 2026 at 15:30", "2026-10-05T15:30:00+02:00"],
    ["3pm EST tomorrow", "2026-11-19T21:00:00+01:00"],
    ["1h30m ago", "2026-11-18T10:35:09+01:00"],
    ["2 days after Oct 5", "2026-10-07"],
    ["3 in the afternoon", "2026-11-18T15:00:00+01:00"],
    ["5-9 October 2026", "2026-10-05 to 2026-10-09"],
    ["Tuesday, 5 Oct 2026", "2026-10-05 is no such day."],
    ["Friday the 13th", "Write a date"],
    ["mid October", "Write a date"],
    ["lunch tomorrow with Ann", "Write a date"],
    ["上周一", "2026-11-09"],
  ])("reads %s, or refuses what is more than a date", (text, date) => {
    expect(readDate(text, wednesday, more)).toContain(date);
  });

  it.each([
    ["de-DE", "gestern", "2026-11-17"],
    ["de-DE", "letzten Montag", "2026-11-16"],
    ["de", "Mittwoch", "2026-11-18"],
    ["de", "Montag", "It may be 2026-11-16 or 2026-11-23"],
    ["de", "vor 3 Tagen", "2026-11-15"],
    ["de", "in zwei Wochen", "2026-12-02"],
    ["de", "letzte Woche", 'write "last week"'],
    ["de", "nächsten Monat", "2026-12-01 to 2026-12-31"],
    ["de", "letztes Jahr", "2025-01-01 to 2025-12-31"],
    ["de", "am 15. März", "2026-03-15"],
    ["de", "morgen um 15 Uhr", "2026-11-19T15:00:00+01:00"],
    ["de", "next Friday", "2026-11-27"],
    ["fr-CA", "demain à 15h", "2026-11-19T15:00:00+01:00"],
    ["fr", "le 5 octobre 2026", "2026-10-05"],
    ["es", "ayer", "2026-11-17"],
    ["ja", "昨日", "2026-11-17"],
    ["xx", "gestern", "Write a date"],
  ])("reads the language of the locale %s: %s", (locale, text, date) => {
    expect(readDate(text, { ...wednesday, locale }, more)).toContain(date);
  });

  it("is not needed for the forms of our own", () => {
    expect(readDate("last week")).toBe("2026-11-09 to 2026-11-15");
    expect(readDate("Mon, 5 Oct 2026")).toContain("Write a date");
  });
});
