import { addDays, type Day } from "./calendar.js";

/** The first year of the table, and the day on which it begins. */
const first = { year: 2000, day: { year: 2000, month: 2, day: 5 } };

/**
 * The years of the Chinese calendar from 2000 to 2099 as hexadecimal numbers of five digits: whether a leap month has 30
 * days, not 29; the same for the twelve months, one bit each; and the number of the month that a leap month follows, 0
 * for none. A table, because the calendar of `Intl` is a day off where a new moon is near midnight, as in 2027 and 2030.
 */
const years = `
0c960 0d954 0d4a0 0da50 07552 056a0 0abb7 025d0 092d0 0cab5 0a950 0b4a0 0baa4 0ad50 055d9 04ba0 0a5b0 15176 052b0 0a930
07954 06aa0 0ad50 05b52 04b60 0a6e6 0a4e0 0d260 0ea65 0d530 05aa0 076a3 096d0 04afb 04ad0 0a4d0 1d0b6 0d250 0d520 0dd45
0b5a0 056d0 055b2 049b0 0a577 0a4b0 0aa50 1b255 06d20 0ada0 14b63 09370 049f8 04970 064b0 168a6 0ea50 06b20 1a6c4 0aae0
092e0 0d2e3 0c960 0d557 0d4a0 0da50 05d55 056a0 0a6d0 055d4 052d0 0a9b8 0a950 0b4a0 0b6a6 0ad50 055a0 0aba4 0a5b0 052b0
0b273 06930 07337 06aa0 0ad50 14b55 04b60 0a570 054e4 0d160 0e968 0d520 0daa0 16aa6 056d0 04ae0 0a9d4 0a2d0 0d150 0f252`
  .trim()
  .split(/\s/)
  .map((year) => Number.parseInt(year, 16));

/** The days of the months of a year in order, a leap month after the month that it follows. */
function monthsIn(
  year: number,
): { readonly month: number; readonly isLeap: boolean; readonly days: number }[] {
  const leap = year % 16;
  return Array.from({ length: 12 }, (_, at) => at + 1).flatMap((month) => {
    const own = { month, isLeap: false, days: 29 + (Math.floor(year / 2 ** (16 - month)) % 2) };
    const second = { month, isLeap: true, days: 29 + Math.floor(year / 2 ** 16) };
    return month === leap ? [own, second] : [own];
  });
}

/** The day of a date of the Chinese calendar, not in a leap month; `undefined` outside the years 2000 to 2099. */
export function lunarDay(year: number, month: number, day: number): Day | undefined {
  const given = years[year - first.year];
  if (given === undefined) return undefined;
  const before = years.slice(0, year - first.year).flatMap(monthsIn);
  const own = monthsIn(given);
  const until = own.findIndex((each) => each.month === month && !each.isLeap);
  const days = [...before, ...own.slice(0, until)].reduce((sum, each) => sum + each.days, 0);
  return addDays(first.day, days + day - 1);
}
