import {
  addDays,
  addMonths,
  compareDays,
  type Day,
  dayFrom,
  type Days,
  isDay,
  isoDay,
  type Time,
  weekdayName,
  weekdayOf,
} from "./calendar.js";

/** A form, and the meaning of a text in that form; undefined if it turns out to have none. */
export type Rule<Found> = readonly [
  form: RegExp,
  meaning: (part: (name: string) => string) => Found | undefined,
];

/** The meaning by the first rule that matches the text; parts of the form that the text lacks are empty. */
export function byRules<Found>(text: string, rules: readonly Rule<Found>[]): Found | undefined {
  for (const [form, meaning] of rules) {
    const found = form.exec(text);
    const meant = found === null ? undefined : meaning((name) => found.groups?.[name] ?? "");
    if (meant !== undefined) return meant;
  }
  return undefined;
}

/** The days that are meant, or a sentence that says why there are none. */
export type DaysRead = Days | { readonly problem: string };

/** The days that a text means, seen from today. */
export type Meaning = (today: Day) => DaysRead;

/** Calendar units. A week is Monday to Sunday, a weekend its Saturday and Sunday. */
export type Unit = "day" | "week" | "weekend" | "month" | "quarter" | "half" | "year";

const monthsIn = { month: 1, quarter: 3, half: 6, year: 12 } as const;

/** A year by its number, or relative to this one. */
export type Year = { readonly is: number } | { readonly by: number };

/** A day at this distance in units. */
function moved(day: Day, unit: Unit, by: number): Day {
  if (unit === "day") return addDays(day, by);
  if (unit === "week" || unit === "weekend") return addDays(day, 7 * by);
  return addMonths(day, monthsIn[unit] * by);
}

function oneDay(day: Day): Days {
  return { start: day, end: day };
}

function partOf(unit: keyof typeof monthsIn, number: number, year: number): Days {
  const months = monthsIn[unit];
  const first = (number - 1) * months + 1;
  return { start: dayFrom(year, first, 1), end: dayFrom(year, first + months, 0) };
}

function yearOf(year: Year, today: Day): number {
  return "is" in year ? year.is : today.year + year.by;
}

function dayIfAny(day: Day): DaysRead {
  return isDay(day) ? oneDay(day) : { problem: `There is no day ${isoDay(day)}.` };
}

/** The unit around today: 0 for this unit, -1 for the last one, 1 for the next. */
export function period(unit: Unit, by: number): Meaning {
  return (today) => {
    const day = moved(today, unit, by);
    if (unit === "day") return oneDay(day);
    if (unit === "week" || unit === "weekend") {
      const monday = addDays(day, 1 - weekdayOf(day));
      return { start: addDays(monday, unit === "week" ? 0 : 5), end: addDays(monday, 6) };
    }
    return partOf(unit, Math.ceil(day.month / monthsIn[unit]), day.year);
  };
}

/** A month, quarter or half of a year, or the whole year, which is its part 1. */
export function partOfYear(unit: keyof typeof monthsIn, number: number, year: Year): Meaning {
  return (today) => partOf(unit, number, yearOf(year, today));
}

/** The latest such month that is over, or the next to begin: "last October". */
export function nearestMonth(month: number, by: -1 | 1): Meaning {
  return ({ year, month: now }) => {
    const isInYear = by < 0 ? month < now : month > now;
    return partOf("month", month, isInYear ? year : year + by);
  };
}

/** A day by month and number. */
export function date(month: number, day: number, year: Year): Meaning {
  return (today) => dayIfAny({ year: yearOf(year, today), month, day });
}

/** A day of the month that is this many months away. */
export function dayOfMonth(day: number, by: number): Meaning {
  return (today) => dayIfAny({ ...addMonths({ ...today, day: 1 }, by), day });
}

/** A weekday; `by` counts weeks, "latest" is the last one that is over, "open" has no such word. */
export function nearWeekday(weekday: number, by: number | "latest" | "open"): Meaning {
  return (today) => {
    const ahead = weekday - weekdayOf(today);
    if (by === "latest") return oneDay(addDays(today, ahead < 0 ? ahead : ahead - 7));
    if (by !== "open") return oneDay(addDays(today, ahead + 7 * by));
    const day = addDays(today, ahead);
    if (ahead >= 0) return oneDay(day);
    const [passed, coming] = [isoDay(day), isoDay(addDays(day, 7))];
    const name = weekdayName(day);
    return {
      problem: `It may be ${passed} or ${coming}: write "this ${name}" for the first, "next ${name}" for the other.`,
    };
  };
}

/** The first or last day of other days. */
export function edge(side: "start" | "end", meaning: Meaning): Meaning {
  return (today) => {
    const found = meaning(today);
    return "problem" in found ? found : oneDay(found[side]);
  };
}

/** This many units before (below 0) or after today. */
export function fromToday(unit: Unit, by: number): Meaning {
  return (today) => oneDay(moved(today, unit, by));
}

/** This many units up to today (below 0), or from today on. */
export function recent(unit: Unit, by: number): Meaning {
  return (today) => {
    const days =
      by < 0
        ? { start: addDays(moved(today, unit, by), 1), end: today }
        : { start: today, end: addDays(moved(today, unit, by), -1) };
    return compareDays(days.start, days.end) > 0 ? { problem: "It lasts no day." } : days;
  };
}

/** From one time of a day to another; both are equal for a moment. */
export type Times = { readonly start: Time; readonly end: Time };

/** A text with its time of day read; the rest, which may be empty, says which day. */
export type TimeRead = {
  readonly rest: string;
  readonly times: Times | { readonly problem: string };
};

/** A named part of the day. */
export type DayPart = "dawn" | "morning" | "afternoon" | "evening";

const quarters = { dawn: 0, morning: 6, afternoon: 12, evening: 18 } as const;

/** The six hours of a part of the day. */
export function timesOfPart(part: DayPart): Times {
  const hour = quarters[part];
  return { start: { hour, minute: 0, second: 0 }, end: { hour: hour + 5, minute: 59, second: 59 } };
}

/** One time of the day, up to 24:00, its end; undefined if no clock shows it. */
export function timesAt(hour: number, minute = 0, second = 0): Times | undefined {
  const isShown = hour <= 24 && minute < 60 && second < 60 && (hour < 24 || minute + second === 0);
  const time = { hour, minute, second };
  return isShown ? { start: time, end: time } : undefined;
}
