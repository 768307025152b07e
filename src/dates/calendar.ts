/** A time of day. */
export type Time = { readonly hour: number; readonly minute: number; readonly second: number };

/** A moment in a zone: its local day and time, and the zone's offset from UTC in minutes at that time. */
export type Moment = Day & { readonly time: Time & { readonly offset: number } };

/** A date: a day, or a moment of it. */
export type Point = Day & { readonly time?: Moment["time"] };

const dayMs = 86_400_000;

/** Formatters by zone: creating one costs more than using it a thousand times. */
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

const figures = { year: "numeric", month: "numeric", day: "numeric" } as const;

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const clock = {
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    hourCycle: "h23",
  } as const;
  const options = { ...figures, ...clock, timeZone };
  const format = new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", options);
  formats.set(timeZone, format);
  return format;
}

/** The moment of an instant in a zone; the zone defaults to the system's. */
export function momentOf(instant: number, timeZone?: string): Moment {
  const parts = formatOf(timeZone).formatToParts(instant);
  const figure = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value);
  const day = { year: figure("year"), month: figure("month"), day: figure("day") };
  const time = { hour: figure("hour"), minute: figure("minute"), second: figure("second") };
  // Offsets once had odd seconds, which ISO 8601 cannot express.
  const offset = Math.round((wallOf(day, time) - instant) / 60_000);
  return { ...day, time: { ...time, offset } };
}

/** The moment of a local time. A time that a clock change skips moves with the clock; of a repeated time, the first. */
export function momentAt(day: Day, time: Time, timeZone?: string): Moment {
  const wall = wallOf(day, time);
  const offsets = [wall - dayMs, wall + dayMs].map(
    (instant) => momentOf(instant, timeZone).time.offset,
  );
  const found = offsets
    .map((offset) => wall - offset * 60_000)
    .filter((instant) => {
      const moment = momentOf(instant, timeZone);
      return wallOf(moment, moment.time) === wall;
    });
  const before = wall - (offsets[0] ?? 0) * 60_000;
  return momentOf(found.length === 0 ? before : Math.min(...found), timeZone);
}

/** Milliseconds since the epoch. */
export function instantOf(moment: Moment): number {
  return wallOf(moment, moment.time) - moment.time.offset * 60_000;
}

/** The point in ISO 8601: a moment with the zone's offset. */
export function isoPoint(point: Point): string {
  if (point.time === undefined) return isoDay(point);
  return `${isoDay(point)}T${isoTime(point.time)}${isoOffset(point.time.offset)}`;
}

/** A time of day in ISO 8601. */
function isoTime({ hour, minute, second }: Time): string {
  return [hour, minute, second].map((figure) => digits(figure, 2)).join(":");
}

/** An offset in ISO 8601. */
export function isoOffset(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${digits(Math.floor(size / 60), 2)}:${digits(size % 60, 2)}`;
}

/** The local time as if the zone were UTC. */
function wallOf(day: Day, { hour, minute, second }: Time): number {
  return utcOf(day) + ((hour * 60 + minute) * 60 + second) * 1_000;
}

/** The day of a point. */
export function dayOf({ year, month, day }: Point): Day {
  return { year, month, day };
}

/** A calendar day; months count from 1. */
export type Day = { readonly year: number; readonly month: number; readonly day: number };

/** From the first day of a span to its last, both included. */
export type Days = { readonly start: Day; readonly end: Day };

/** The day of these numbers, normalized: the 32nd of December is the 1st of January. */
export function dayFrom(year: number, month: number, day: number): Day {
  return dayAt(utcOf({ year, month, day }));
}

/** Whether the day exists, in a year of four digits. */
export function isDay(day: Day): boolean {
  return isWritable(day) && compareDays(dayAt(utcOf(day)), day) === 0;
}

/** Whether four digits can express the year. */
export function isWritable({ year }: Day): boolean {
  return year >= 1 && year <= 9999;
}

/** The day this many days later, or earlier. */
export function addDays(day: Day, count: number): Day {
  return dayAt(utcOf(day) + count * dayMs);
}

/** The same day of another month, or the last day of a shorter month. */
export function addMonths({ year, month, day }: Day, count: number): Day {
  const first = dayFrom(year, month + count, 1);
  const last = dayFrom(year, month + count + 1, 0);
  return { ...first, day: Math.min(day, last.day) };
}

/** 1 for Monday to 7 for Sunday. */
export function weekdayOf(day: Day): number {
  return new Date(utcOf(day)).getUTCDay() || 7;
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** The English name of the weekday. */
export function weekdayName(day: Day): string {
  return weekdays[weekdayOf(day) % 7] ?? "";
}

/** Below 0 if the first is earlier, above 0 if it is later. */
export function compareDays(left: Day, right: Day): number {
  return left.year - right.year || left.month - right.month || left.day - right.day;
}

/** The day in ISO 8601. */
export function isoDay({ year, month, day }: Day): string {
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
}

/** A number with leading zeros. */
export function digits(value: number, length: number): string {
  return String(value).padStart(length, "0");
}

// `Date.UTC` reads years below 100 as years of the last century.
function utcOf({ year, month, day }: Day): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function dayAt(utc: number): Day {
  const date = new Date(utc);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Whether a text is a BCP 47 tag of a language that is known, such as "en-GB". */
export function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length === 1;
  } catch {
    return false;
  }
}

/** Whether numeric dates put the day before the month; undefined without a locale. */
export function isDayFirst(locale: string | undefined): boolean | undefined {
  if (locale === undefined) return undefined;
  const types = new Intl.DateTimeFormat(locale, { ...figures, calendar: "gregory" })
    .formatToParts(0)
    .map(({ type }) => type);
  return types.indexOf("day") < types.indexOf("month");
}
