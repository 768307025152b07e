import type { Time } from "./calendar.js";

/** A form, and the meaning of a text in that form; undefined if it turns out to have none. */
export type Rule<Meaning> = readonly [
  form: RegExp,
  meaning: (part: (name: string) => string) => Meaning | undefined,
];

/** The meaning by the first rule that matches the text; parts of the form that the text lacks are empty. */
export function byRules<Meaning>(
  text: string,
  rules: readonly Rule<Meaning>[],
): Meaning | undefined {
  for (const [form, meaning] of rules) {
    const found = form.exec(text);
    const meant = found === null ? undefined : meaning((name) => found.groups?.[name] ?? "");
    if (meant !== undefined) return meant;
  }
  return undefined;
}

/** Calendar units. A week is Monday to Sunday, a weekend its Saturday and Sunday. */
export type Unit = "day" | "week" | "weekend" | "month" | "quarter" | "half" | "year";

/** A year by its number, or relative to this one. */
export type Year = { readonly is: number } | { readonly by: number };

/** The days that a text means, independent of today's date. */
export type DateExpression =
  /** 0 for this unit, -1 for the last one, 1 for the next. */
  | { readonly kind: "period"; readonly unit: Unit; readonly by: number }
  /** The third quarter of a year, for example; the year itself is part 1. */
  | {
      readonly kind: "part";
      readonly unit: "month" | "quarter" | "half" | "year";
      readonly number: number;
      readonly year: Year;
    }
  /** The nearest month of this name before or after now: "last October". */
  | { readonly kind: "nearest"; readonly month: number; readonly by: -1 | 1 }
  | { readonly kind: "date"; readonly month: number; readonly day: number; readonly year: Year }
  | { readonly kind: "dayOfMonth"; readonly day: number; readonly by: number }
  /** 1 for Monday to 7 for Sunday; `by` counts weeks, "latest" is the last one that is over, "open" has no such word. */
  | { readonly kind: "weekday"; readonly weekday: number; readonly by: number | "latest" | "open" }
  /** The first or last day of another expression. */
  | { readonly kind: "edge"; readonly edge: "start" | "end"; readonly of: DateExpression }
  /** This many units before (below 0) or after today. */
  | { readonly kind: "moved"; readonly unit: Unit; readonly by: number }
  /** This many units up to today (below 0), or from today on. */
  | { readonly kind: "recent"; readonly unit: Unit; readonly by: number };

/** A month, quarter or half of a year, or the whole year. */
export function partOfYear(
  unit: "month" | "quarter" | "half" | "year",
  number: number,
  year: Year,
): DateExpression {
  return { kind: "part", unit, number, year };
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
