/** A day of the calendar; months count from 1. */
export type Day = { readonly year: number; readonly month: number; readonly day: number };

/** From the first day of a span to its last, both included. */
export type Days = { readonly start: Day; readonly end: Day };

const dayMs = 86_400_000;

/** The day that these figures come to: the 32nd of December is the 1st of January. */
export function dayFrom(year: number, month: number, day: number): Day {
  return dayAt(utcOf({ year, month, day }));
}

/** Whether the calendar has such a day, in the years that four figures can write. */
export function isDay(day: Day): boolean {
  return isWritable(day) && compareDays(dayAt(utcOf(day)), day) === 0;
}

/** Whether four figures can write the year. */
export function isWritable({ year }: Day): boolean {
  return year >= 1 && year <= 9999;
}

/** The day so many days later, or earlier. */
export function addDays(day: Day, count: number): Day {
  return dayAt(utcOf(day) + count * dayMs);
}

/** The same day of another month, or that month's last day where it is shorter. */
export function addMonths({ year, month, day }: Day, count: number): Day {
  const first = dayFrom(year, month + count, 1);
  return { ...first, day: Math.min(day, lastOfMonth(first)) };
}

/** 1 for Monday to 7 for Sunday. */
export function weekdayOf(day: Day): number {
  return new Date(utcOf(day)).getUTCDay() || 7;
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** The English name of the day's place in the week. */
export function weekdayName(day: Day): string {
  return weekdays[weekdayOf(day) % 7] ?? "";
}

/** Below 0 where the first comes earlier, above 0 where it comes later. */
export function compareDays(left: Day, right: Day): number {
  return left.year - right.year || left.month - right.month || left.day - right.day;
}

/** How many days the month of a day has. */
function lastOfMonth({ year, month }: Day): number {
  return dayFrom(year, month + 1, 0).day;
}

/** The day as ISO 8601 writes it. */
export function isoDay({ year, month, day }: Day): string {
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
}

/** A number with leading zeros. */
export function digits(value: number, length: number): string {
  return String(value).padStart(length, "0");
}

// `Date.UTC` takes the years below 100 for those of the last century.
function utcOf({ year, month, day }: Day): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function dayAt(utc: number): Day {
  const date = new Date(utc);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}
