import {
  type Day,
  digits,
  instantOf,
  isDay,
  isoOffset,
  type Moment,
  momentAt,
  momentOf,
  type Point,
  type Time,
} from "./calendar.js";

/** The formats that a parameter may use for dates, as text for error messages and schemas. */
export const dateFormats =
  '"date", "date-time" or "time" as in JSON Schema, "epoch-ms", "epoch-s", or a pattern with each at most once of YYYY, MM, DD, HH, mm, ss and Z, such as "YYYY/MM/DD HH:mm:ss"';

/** A side of a span; the day of a point has both as well. */
export type Edge = "start" | "end";

/** Patterns of the named formats; the first that a parameter accepts is used. */
const named: ReadonlyMap<string, readonly string[]> = new Map([
  ["date", ["YYYY-MM-DD"]],
  ["date-time", ["YYYY-MM-DDTHH:mm:ssZ", "YYYY-MM-DDTHH:mm:ss", "YYYY-MM-DDTHH:mm"]],
  ["time", ["HH:mm:ssZ", "HH:mm:ss", "HH:mm"]],
]);
const epochs: ReadonlyMap<string, number> = new Map([
  ["epoch-ms", 1],
  ["epoch-s", 1_000],
]);
const token = /YYYY|MM|DD|HH|mm|ss|Z/g;

/** Whether the format exists: a named one, or a pattern. */
export function isDateFormat(format: string): boolean {
  if (named.has(format) || epochs.has(format)) return true;
  const tokens = format.match(token) ?? [];
  const isOnce = new Set(tokens).size === tokens.length;
  return tokens.length > 0 && isOnce && !/[A-SU-Za-z]/.test(format.replaceAll(token, ""));
}

/** Whether a format counts seconds or milliseconds. */
export function isEpoch(format: string): boolean {
  return epochs.has(format);
}

/** Whether a text is a date in this format, of a day that exists. */
export function fitsDateFormat(text: string, format: string): boolean {
  if (isEpoch(format)) return /^-?\d+$/.test(text);
  const [pattern = format] = named.get(format) ?? [];
  const found = formOf(pattern, named.has(format)).exec(text)?.groups;
  if (found === undefined) return false;
  const figure = (name: string, absent: number) => Number(found[name] ?? absent);
  const day = { year: figure("YYYY", 2000), month: figure("MM", 1), day: figure("DD", 1) };
  return isDay(day) && figure("HH", 0) < 24 && figure("mm", 0) < 60 && figure("ss", 0) < 60;
}

/**
 * A point in a format; a day without a time becomes its first or last second. Of several forms the first accepted one
 * is used. Undefined if the format needs a time and there is none.
 */
export function writeDate(
  point: Point,
  edge: Edge,
  format: string,
  { timeZone, accepts = () => true }: WriteOptions = {},
): string | undefined {
  const patterns = named.get(format) ?? [format];
  if (point.time === undefined && patterns.every(isOfDay)) return undefined;
  const moment = timed(point, edge, timeZone);
  const unit = epochs.get(format);
  if (unit !== undefined) return String(Math.floor(instantOf(moment) / unit));
  return [...new Set(patterns.flatMap((pattern) => inZones(moment, pattern)))].find(accepts);
}

/** Whether a pattern has a time of day and no day. */
function isOfDay(pattern: string): boolean {
  return /HH|mm|ss/.test(pattern) && !/YYYY|MM|DD/.test(pattern);
}

/** A moment in a pattern; with an offset, in the zone's time and in UTC. */
function inZones(moment: Moment, pattern: string): string[] {
  const local = written(moment, pattern);
  return pattern.includes("Z")
    ? [local, written(momentOf(instantOf(moment), "UTC"), pattern)]
    : [local];
}

/** The zone of a written date, and a check of its forms. */
export type WriteOptions = {
  readonly timeZone?: string | undefined;
  readonly accepts?: (text: string) => boolean;
};

function timed(point: Point, edge: Edge, timeZone: string | undefined): Moment {
  if (point.time !== undefined) return { ...point, time: point.time };
  const time = edge === "start" ? [0, 0, 0] : [23, 59, 59];
  const [hour = 0, minute = 0, second = 0] = time;
  return momentAt(point, { hour, minute, second }, timeZone);
}

function written({ time, ...day }: Moment, pattern: string): string {
  const figures = figuresOf(day, time);
  const offset = time.offset === 0 ? "Z" : isoOffset(time.offset);
  return pattern.replaceAll(token, (name) => figures.get(name) ?? offset);
}

function figuresOf({ year, month, day }: Day, { hour, minute, second }: Time) {
  return new Map([
    ["YYYY", digits(year, 4)],
    ["MM", digits(month, 2)],
    ["DD", digits(day, 2)],
    ["HH", digits(hour, 2)],
    ["mm", digits(minute, 2)],
    ["ss", digits(second, 2)],
  ]);
}

/** The expression for texts in a pattern; the standard's own formats may have fractions of a second. */
function formOf(pattern: string, isStandard: boolean): RegExp {
  const literal = pattern.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`);
  const form = literal.replaceAll(token, (name) => {
    if (name === "Z") return String.raw`(?:[zZ]|[+-]\d{2}:\d{2})`;
    const fraction = isStandard && name === "ss" ? String.raw`(?:\.\d+)?` : "";
    return String.raw`(?<${name}>\d{${name.length}})${fraction}`;
  });
  return new RegExp(`^${form}$`);
}
