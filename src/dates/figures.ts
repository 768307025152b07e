import {
  addDays,
  type Day,
  dayFrom,
  instantOf,
  isDay,
  isDayFirst,
  type Moment,
  momentAt,
  momentOf,
  weekdayOf,
} from "./calendar.js";
import { chinese } from "./chinese.js";
import { english } from "./english.js";
import { chineseNumber, englishNumber } from "./number-words.js";
import { byRules, type DaysRead, type Rule, timesAt } from "./rules.js";

/** Seconds before (below 0) or after now: the moment itself, or the whole span to it. */
type Elapsed = { readonly seconds: number; readonly isSpan: boolean };

const many = `(?<number>${english.number}|half an)`;
const unit = "(?<unit>hour|minute|second)s?";
const count = `(?<number>${chinese.number}|半)个?(?<unit>小时|钟头|分钟|秒)`;

const englishSeconds = { hour: 3_600, minute: 60, second: 1 } as const;
const chineseSeconds = { 小时: 3_600, 钟头: 3_600, 分钟: 60, 秒: 1 } as const;
const secondsOf = new Map(Object.entries({ ...englishSeconds, ...chineseSeconds }));

function passed(sign: -1 | 1, isSpan: boolean): Rule<Elapsed>[1] {
  return (part) => {
    const number = part("number");
    const half = /^(?:half an|半)$/.test(number) ? 0.5 : 0;
    const units = half || englishNumber(number) || chineseNumber(number);
    const seconds = sign * units * (secondsOf.get(part("unit")) ?? NaN);
    return Number.isNaN(seconds) ? undefined : { seconds, isSpan };
  };
}

const rules: readonly Rule<Elapsed>[] = [
  [/^(?:now|right now|现在|此刻|目前)$/, () => ({ seconds: 0, isSpan: false })],
  [new RegExp(`^${many} ${unit} (?:ago|earlier)$`), passed(-1, false)],
  [new RegExp(`^${count}(?:以前|之前|前)$`), passed(-1, false)],
  [new RegExp(`^in ${many} ${unit}$`), passed(1, false)],
  [new RegExp(`^${many} ${unit} (?:from now|later)$`), passed(1, false)],
  [new RegExp(`^${count}(?:以后|之后|后)$`), passed(1, false)],
  [new RegExp(`^(?:the )?${english.past} ${many} ${unit}$`), passed(-1, true)],
  [new RegExp(`^(?:最近|过去|近)的?${count}(?:以?内|里|以来)?$`), passed(-1, true)],
  [new RegExp(`^(?:the )?${english.future} ${many} ${unit}$`), passed(1, true)],
  [new RegExp(`^(?:未来|今后|接下来)的?${count}(?:以?内|里)?$`), passed(1, true)],
];

/** The hours, minutes and seconds before or after now that a text means; undefined if it contains anything else. */
export function readElapsed(text: string): Elapsed | undefined {
  return byRules(text, rules);
}

/** The meaning of a numeric text: a moment, days, or why it has none. */
export type FiguresRead = Moment | DaysRead;

const iso =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[t ](?<clock>\d{2}:\d{2}(?::\d{2})?)(?:[.,]\d+)? ?(?<zone>z|utc|[+-]\d{2}:?\d{2})?)?$/i;
const yearFirst = /^(?<year>\d{4})(?<sign>[-/.])(?<month>\d{1,2})\k<sign>(?<day>\d{1,2})$/;
const yearLast = /^(?<first>\d{1,2})(?<sign>[-/.])(?<second>\d{1,2})\k<sign>(?<year>\d{4})$/;
const compact = /^(?<year>(?:19|20)\d{2})(?<month>\d{2})(?<day>\d{2})$/;
const monthOnly = /^(?<year>\d{4})[-/](?<month>\d{2})$/;
const weekOnly = /^(?<year>\d{4})-?w(?<week>\d{2})$/i;

/** Reads numeric dates, first as ISO 8601; `locale` gives the order of day and month. Undefined for words. */
export function readFigures(
  text: string,
  timeZone: string | undefined,
  locale: string | undefined,
): FiguresRead | undefined {
  const moment = iso.exec(text);
  if (moment?.groups?.["clock"] !== undefined) return readMoment(moment.groups, timeZone);
  const plain = moment ?? yearFirst.exec(text) ?? compact.exec(text);
  if (plain !== null) return oneDay(figuresOf(plain.groups));
  const last = yearLast.exec(text);
  if (last !== null) return readYearLast(last.groups, locale);
  const part = monthOnly.exec(text);
  if (part !== null) return readMonth(figuresOf(part.groups));
  const weeks = weekOnly.exec(text);
  return weeks === null ? undefined : readWeek(weeks.groups);
}

type Groups = Readonly<Record<string, string>> | undefined;

function figuresOf(groups: Groups): Day {
  const figure = (name: string) => Number(groups?.[name] ?? 1);
  return { year: figure("year"), month: figure("month"), day: figure("day") };
}

function oneDay(day: Day): FiguresRead {
  return isDay(day) ? { start: day, end: day } : { problem: "There is no such day." };
}

function readMoment(groups: Groups, timeZone: string | undefined): FiguresRead {
  const day = figuresOf(groups);
  const [hour = 0, minute = 0, second = 0] = (groups?.["clock"] ?? "").split(":").map(Number);
  const times = timesAt(hour, minute, second);
  if (!isDay(day) || times === undefined) return { problem: "There is no such day or time." };
  const zone = groups?.["zone"];
  if (zone === undefined) return momentAt(day, times.start, timeZone);
  return momentOf(
    instantOf({ ...day, time: { ...times.start, offset: offsetOf(zone) } }),
    timeZone,
  );
}

function readYearLast(groups: Groups, locale: string | undefined): FiguresRead {
  const { first = "", second = "", year = "" } = groups ?? {};
  const dayFirst = { year: Number(year), month: Number(second), day: Number(first) };
  const monthFirst = { year: Number(year), month: Number(first), day: Number(second) };
  const found = [dayFirst, monthFirst].filter(isDay);
  const [only] = found;
  if (only === undefined) return { problem: "There is no such day." };
  const isFirst = isDayFirst(locale);
  if (found.length === 1 || first === second) return oneDay(only);
  if (isFirst === undefined) {
    return {
      problem: "It may be either the day or the month that stands first: write YYYY-MM-DD.",
    };
  }
  return oneDay(isFirst ? dayFirst : monthFirst);
}

function readMonth({ year, month }: Day): FiguresRead {
  if (month < 1 || month > 12 || year === 0) return { problem: "There is no such month." };
  return { start: dayFrom(year, month, 1), end: dayFrom(year, month + 1, 0) };
}

/** The first week of a year is the one with most of its days in that year. */
function readWeek(groups: Groups): FiguresRead {
  const year = Number(groups?.["year"]);
  const fourth = dayFrom(year, 1, 4);
  const start = addDays(fourth, 1 - weekdayOf(fourth) + 7 * (Number(groups?.["week"]) - 1));
  const isOfYear = addDays(start, 3).year === year;
  return isOfYear ? { start, end: addDays(start, 6) } : { problem: "There is no such week." };
}

/** The minutes that a zone is ahead of UTC. */
function offsetOf(zone: string): number {
  const found = /^(?<sign>[+-])(?<hours>\d{2}):?(?<minutes>\d{2})$/.exec(zone)?.groups;
  if (found === undefined) return 0;
  const size = Number(found["hours"]) * 60 + Number(found["minutes"]);
  return found["sign"] === "-" ? -size : size;
}
