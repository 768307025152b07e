import type * as ChronoNode from "chrono-node";
import type { Chrono, ParsedComponents, ParsedResult } from "chrono-node";

import {
  addDays,
  compareDays,
  type Day,
  dayOf,
  instantOf,
  isDay,
  isDayFirst,
  isoDay,
  languageOf,
  momentAt,
  momentOf,
  type Point,
  weekdayOf,
} from "./calendar.js";
import { type Evaluated, evaluateDate } from "./evaluate-date.js";
import {
  type DateFrame,
  type DateResolution,
  type MoreDates,
  resolveDate,
} from "./resolve-date.js";

/** The readers of dates in words, loaded on use; nothing where `chrono-node` is not installed. */
export async function loadChronoDates(): Promise<MoreDates | undefined> {
  try {
    return chronoDates(await import("chrono-node"));
  } catch {
    return undefined;
  }
}

/** As `resolveDate` reads a text, and with `chrono-node` for the forms it does not know; tells where that is lacking. */
export async function resolveAnyDate(
  text: string,
  frame: DateFrame,
): Promise<DateResolution & { readonly lacks?: "chrono-node" }> {
  const own = resolveDate(text, frame);
  if (own.ok || !own.isUnknown) return own;
  const more = await loadChronoDates();
  return more === undefined ? { ...own, lacks: "chrono-node" } : resolveDate(text, frame, more);
}

/** Its Chinese is left out: our own rules know more, and a week that begins on Monday. */
const languages = [
  ...(["ar", "de", "es", "fi", "fr", "id", "it"] as const),
  ...(["ja", "nl", "pt", "ru", "sv", "uk", "vi"] as const),
];

function chronoDates(chrono: typeof ChronoNode): MoreDates {
  return (text, frame) => {
    for (const parser of parsersFor(chrono, frame.locale)) {
      const found = parser.parse(text, noonOf(frame));
      const [result] = found;
      // A text that says something else as well is no date.
      if (result !== undefined && found.length === 1 && isWhole(result, text)) {
        return dateOf(result, text, frame);
      }
    }
    return undefined;
  };
}

/** The locale's language first, then English. */
function parsersFor(chrono: typeof ChronoNode, locale: string | undefined): Chrono[] {
  const english = isDayFirst(locale) === true ? chrono.en.GB : chrono.en.casual;
  const language = languages.find((each) => locale !== undefined && each === languageOf(locale));
  return language === undefined ? [english] : [chrono[language].casual, english];
}

function isWhole({ text, index }: ParsedResult, whole: string): boolean {
  const before = whole.slice(0, index);
  const isArticle = /^(?:on|the|am|der|den|die|das|le|la|el|il|il giorno)? ?$/.test(before);
  return isArticle && index + text.length === whole.length;
}

function today({ now, timeZone }: DateFrame): Day {
  return dayOf(momentOf(now, timeZone));
}

/**
 * Today's noon, as the machine's zone has it: chrono reckons there whatever zone it is told, and only the
 * figures are read of what it finds. At noon no clock is put forward.
 */
function noonOf(frame: DateFrame): Date {
  const { year, month, day } = today(frame);
  return new Date(year, month - 1, day, 12);
}

function dateOf(result: ParsedResult, text: string, frame: DateFrame): ReturnType<MoreDates> {
  const start = pointsOf(result.start, text, frame);
  if (start === undefined || "problem" in start || !result.end) return start;
  const end = pointsOf(result.end, text, frame);
  if (end === undefined || "problem" in end) return end;
  return { start: start.start, end: end.end };
}

type Points = { readonly start: Point; readonly end: Point } | { readonly problem: string };

function pointsOf(parts: ParsedComponents, text: string, frame: DateFrame): Points | undefined {
  const tags = parts.tags();
  if (tags.has("result/relativeDateAndTime")) {
    const then = momentOf(
      frame.now + parts.date().getTime() - noonOf(frame).getTime(),
      frame.timeZone,
    );
    return { start: then, end: then };
  }
  const days = daysOf(parts, text, frame);
  if (days === undefined || "problem" in days || !parts.isCertain("hour")) return days;
  const then = timeOf(parts, days.start, frame);
  return { start: then, end: then };
}

function timeOf(parts: ParsedComponents, day: Day, { timeZone }: DateFrame): Point {
  const figure = (name: "hour" | "minute" | "second") => parts.get(name) ?? 0;
  const time = { hour: figure("hour"), minute: figure("minute"), second: figure("second") };
  const offset = parts.isCertain("timezoneOffset") ? parts.get("timezoneOffset") : null;
  if (offset === null) return momentAt(day, time, timeZone);
  return momentOf(instantOf({ ...day, time: { ...time, offset } }), timeZone);
}

/** The days that are certain: what chrono only supposes is not what the text says. */
function daysOf(parts: ParsedComponents, text: string, frame: DateFrame): Evaluated | undefined {
  const now = today(frame);
  const figure = (name: "year" | "month" | "day") => parts.get(name) ?? 0;
  const supposed = { year: figure("year"), month: figure("month"), day: figure("day") };
  const isCertain = parts.isCertain.bind(parts);
  const year = isCertain("year") ? supposed.year : now.year;
  if (isCertain("day") && isCertain("month")) return certainDay({ ...supposed, year }, parts, now);
  if (isCertain("weekday")) return certainWeekday(supposed, parts, text, now);
  const part = { kind: "part", year: { is: year } } as const;
  if (isCertain("month")) {
    return evaluateDate({ ...part, unit: "month", number: supposed.month }, now);
  }
  if (isCertain("year")) return evaluateDate({ ...part, unit: "year", number: 1 }, now);
  return isCertain("hour") ? { start: supposed, end: supposed } : undefined;
}

/** A weekday that has a word with it is the one that chrono supposes; alone it may be either of two. */
function certainWeekday(supposed: Day, parts: ParsedComponents, text: string, now: Day): Evaluated {
  const weekday = parts.get("weekday") || 7;
  if (!text.includes(" ")) return evaluateDate({ kind: "weekday", weekday, by: "open" }, now);
  return { start: supposed, end: supposed };
}

function certainDay(day: Day, parts: ParsedComponents, now: Day): Evaluated {
  const isKnown = parts.isCertain("weekday");
  if (!isDay(day) || (isKnown && parts.get("weekday") !== weekdayOf(day) % 7)) {
    return { problem: `${isoDay(day)} is no such day.` };
  }
  const isWeekAway = [-7, 7].some((count) => compareDays(addDays(now, count), day) === 0);
  if (isWeekAway && !isKnown && parts.tags().has("result/relativeDate")) {
    return {
      problem: `It may be ${isoDay(day)} or the week around it: write "last week", or the day.`,
    };
  }
  return { start: day, end: day };
}
