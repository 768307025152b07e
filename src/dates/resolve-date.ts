import {
  compareDays,
  dayOf,
  instantOf,
  isoDay,
  isoPoint,
  isWritable,
  momentAt,
  momentOf,
  type Point,
  weekdayName,
  weekdayOf,
} from "./calendar.js";
import { readChinese, readChineseClock, simplified } from "./chinese.js";
import { english, englishWeekday, readEnglish, readEnglishClock } from "./english.js";
import { type FiguresRead, readElapsed, readFigures } from "./figures.js";
import { readHoliday } from "./holidays.js";
import type { DaysRead, TimeRead } from "./rules.js";

/** The time and place for which a text is read. */
export type DateFrame = {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA zone of "today"; default: the machine's. */
  readonly timeZone?: string | undefined;
  /** BCP 47 tag: the order of day and month in numeric dates, and the language of a text that does not show its own. */
  readonly locale?: string | undefined;
};

/** A point, or a span from its first point to its last, both included. */
export type ResolvedDate = { readonly start: Point; readonly end?: Point };

/** The meaning of a text, or why it is not a date. */
export type DateResolution =
  ({ readonly ok: true } & ResolvedDate) | { readonly ok: false; readonly problem: string };

/** The supported forms of a text, for the message of a problem. */
export const dateForms =
  'Write a date such as 2026-11-21, "last Monday", "3 days ago", "past 7 days", "next quarter", "Q3 2026", "tomorrow 3pm", 上周一, 本月底 or 明天下午三点, and nothing else with it.';

/**
 * The point or span that a text means in the zone's calendar; "last week" is Monday to Sunday. The whole text must be a
 * date, in English or Chinese. An ambiguous text is a problem, whose message says what to write. Never throws for a
 * text.
 */
export function resolveDate(text: string, frame: DateFrame): DateResolution {
  const plain = cleaned(text);
  const read = plain.length > maxChars ? undefined : readText(plain, frame);
  const problem = problemOf(read);
  if (read !== undefined && "start" in read && problem === undefined) return { ok: true, ...read };
  const shown = JSON.stringify(text.length > maxChars ? `${text.slice(0, maxChars)}…` : text);
  const message = `${shown} cannot be read as a date. ${problem ?? dateForms}`;
  return { ok: false, problem: message };
}

/** No date in words is longer. */
const maxChars = 100;

type Read = ResolvedDate | { readonly problem: string };

/** Lower case, plain characters and single spaces. */
function cleaned(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/["'“”‘’`「」]/g, "")
    .replaceAll(/\s+/g, " ")
    .replace(/(?<![.。!,])[.。!,]+$/, "")
    .trim()
    .toLowerCase();
}

const outside = "It lies outside the years 1 to 9999.";

function problemOf(read: Read | undefined): string | undefined {
  if (read === undefined) return undefined;
  if ("problem" in read) return read.problem;
  const { start, end = start } = read;
  if (!isWritable(start) || !isWritable(end)) return outside;
  if (comparePoints(start, end) <= 0) return undefined;
  return `It would end before it begins: ${isoPoint(start)} to ${isoPoint(end)}.`;
}

function comparePoints(left: Point, right: Point): number {
  const days = compareDays(left, right);
  if (days !== 0 || left.time === undefined || right.time === undefined) return days;
  return instantOf({ ...left, time: left.time }) - instantOf({ ...right, time: right.time });
}

function readText(text: string, frame: DateFrame): Read | undefined {
  return readOne(text, frame) ?? readWithWeekday(text, frame) ?? readRange(text, frame);
}

const withWeekday = new RegExp(`^(?<weekday>${english.weekday}),? (?<day>.+)$`);

/** A day after its weekday, which must be correct. */
function readWithWeekday(text: string, frame: DateFrame): Read | undefined {
  const { weekday = "", day = "" } = withWeekday.exec(text)?.groups ?? {};
  const read = /\d/.test(day) ? readOne(day, frame) : undefined;
  if (read === undefined || "problem" in read || read.end !== undefined) return undefined;
  const isRight = weekdayOf(read.start) === englishWeekday(weekday);
  return isRight ? read : { problem: `${isoDay(read.start)} is a ${weekdayName(read.start)}.` };
}

/** Spans that end today without saying so, and a form that says it. */
const upToToday: readonly (readonly [RegExp, string])[] = [
  [/^since (.+)$/, "$1 to today"],
  [/^(?:this )?(year|quarter|month|week) (?:to date|so far)$/, "start of this $1 to today"],
  [/^ytd$/, "start of this year to today"],
  [/^mtd$/, "start of this month to today"],
  [/^(本周|这周|本月|这个月|本季度?|今年|本年)(?:至今|到现在|以来)$/, "$1初到今天"],
  [/^(.+)(?:至今|到现在|以来)$/, "$1到今天"],
];

function withToday(text: string): string {
  const [form = /$^/, named = ""] = upToToday.find(([each]) => each.test(text)) ?? [];
  return text.replace(form, named);
}

/** The words between two dates. */
const joint = / (?:to|until|till|through|and|-|–|—) | ?[~～至到] ?/;

/** Two dates with words between them. */
function readRange(text: string, frame: DateFrame): Read | undefined {
  const whole = withToday(text).replace(/^(?:from|between|从) ?/, "");
  const found = joint.exec(whole);
  if (found === null) return undefined;
  const first = readOne(whole.slice(0, found.index), frame);
  const last = readOne(whole.slice(found.index + found[0].length), frame);
  if (first === undefined || last === undefined) return undefined;
  if ("problem" in first) return first;
  return "problem" in last ? last : { start: first.start, end: last.end ?? last.start };
}

function readOne(text: string, frame: DateFrame): Read | undefined {
  const figures = readFigures(text, frame.timeZone, frame.locale);
  return figures === undefined ? readOwn(text, frame) : resolved(figures);
}

function readOwn(text: string, frame: DateFrame): Read | undefined {
  const isChinese = /\p{Script=Han}/u.test(text);
  const plain = isChinese ? simplified(text) : text;
  const elapsed = readElapsed(plain);
  if (elapsed !== undefined) return afterElapsed(elapsed, frame);
  const days = readDays(plain, frame);
  if (days !== undefined) return resolved(days);
  const clock = isChinese ? readChineseClock(plain) : readEnglishClock(plain);
  return clock === undefined ? undefined : timed(clock, frame);
}

function readDays(text: string, { now, timeZone, locale }: DateFrame): DaysRead | undefined {
  const own = /\p{Script=Han}/u.test(text) ? readChinese : readEnglish;
  const meaning = readHoliday(text, locale) ?? own(text);
  const found = meaning?.(dayOf(momentOf(now, timeZone)));
  if (found === undefined || "problem" in found) return found;
  return isWritable(found.start) && isWritable(found.end) ? found : { problem: outside };
}

function afterElapsed(
  { seconds, isSpan }: { readonly seconds: number; readonly isSpan: boolean },
  { now, timeZone }: DateFrame,
): Read {
  const then = now + seconds * 1_000;
  if (!isSpan) return { start: momentOf(then, timeZone) };
  const [start, end] = [Math.min(now, then), Math.max(now, then)];
  return { start: momentOf(start, timeZone), end: momentOf(end, timeZone) };
}

/** The times of the one day that the rest of the text means; today if there is no rest. */
function timed({ rest, times }: TimeRead, frame: DateFrame): Read | undefined {
  const text = rest.trim();
  const figures = readFigures(text, frame.timeZone, frame.locale);
  const days = figures ?? readDays(text === "" ? "today" : text, frame);
  if (days === undefined || "problem" in days) return days;
  if ("time" in days) return undefined;
  if (compareDays(days.start, days.end) !== 0) {
    return {
      problem: `${isoDay(days.start)} to ${isoDay(days.end)} has no time of day: name one day.`,
    };
  }
  if ("problem" in times) return times;
  const start = momentAt(days.start, times.start, frame.timeZone);
  if (times.start === times.end) return { start };
  return { start, end: momentAt(days.start, times.end, frame.timeZone) };
}

/** One day as a point; several days as a span. */
function resolved(found: FiguresRead | ResolvedDate): Read {
  if ("problem" in found || "year" in found) return "problem" in found ? found : { start: found };
  const { start, end = start } = found;
  const isPoint = comparePoints(start, end) === 0;
  return isPoint ? { start } : { start, end };
}
