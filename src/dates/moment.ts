import { type Day, digits, isoDay } from "./day.js";

/** A time of day. */
export type Time = { readonly hour: number; readonly minute: number; readonly second: number };

/** A moment in a zone: its local day and time, and how many minutes the zone is ahead of UTC then. */
export type Moment = Day & { readonly time: Time & { readonly offset: number } };

/** What a date can be: a day, or a moment of it. */
export type Point = Day & { readonly time?: Moment["time"] };

/** Formats by zone: making one costs more than using it a thousand times. */
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const figures = { year: "numeric", month: "numeric", day: "numeric" } as const;
  const clock = {
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    hourCycle: "h23",
  } as const;
  const format = new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", {
    ...figures,
    ...clock,
    timeZone,
  });
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
  // Zones were once ahead by odd seconds, which no offset can write.
  const offset = Math.round((wallOf(day, time) - instant) / 60_000);
  return { ...day, time: { ...time, offset } };
}

/**
 * The moment of a local time. One that a clock skips when it is put forward becomes the time that the
 * clock shows instead; of one that comes twice, the first is meant.
 */
export function momentAt(day: Day, time: Time, timeZone?: string): Moment {
  const wall = wallOf(day, time);
  const offsets = [wall - 86_400_000, wall + 86_400_000].map(
    (instant) => momentOf(instant, timeZone).time.offset,
  );
  const found = offsets
    .map((offset) => wall - offset * 60_000)
    .filter((instant) => isWallOf(momentOf(instant, timeZone), wall));
  const before = wall - (offsets[0] ?? 0) * 60_000;
  return momentOf(found.length === 0 ? before : Math.min(...found), timeZone);
}

/** Milliseconds since the epoch. */
export function instantOf(moment: Moment): number {
  return wallOf(moment, moment.time) - moment.time.offset * 60_000;
}

/** The point as ISO 8601 writes it: a moment with the zone's offset. */
export function isoPoint(point: Point): string {
  if (point.time === undefined) return isoDay(point);
  return `${isoDay(point)}T${isoTime(point.time)}${isoOffset(point.time.offset)}`;
}

/** A time of day as ISO 8601 writes it. */
function isoTime({ hour, minute, second }: Time): string {
  return [hour, minute, second].map((figure) => digits(figure, 2)).join(":");
}

/** An offset as ISO 8601 writes it. */
export function isoOffset(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${digits(Math.floor(size / 60), 2)}:${digits(size % 60, 2)}`;
}

/** The local time as if the zone were UTC. */
function wallOf({ year, month, day }: Day, { hour, minute, second }: Time): number {
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day);
  return midnight + ((hour * 60 + minute) * 60 + second) * 1_000;
}

function isWallOf(moment: Moment, wall: number): boolean {
  return wallOf(moment, moment.time) === wall;
}

/** The day of a point. */
export function dayOf({ year, month, day }: Point): Day {
  return { year, month, day };
}
