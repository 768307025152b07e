import { chineseNumber, digitsOf } from "../dates/number-words.js";
import type { Figure } from "./figure.js";
import type { MaskedText } from "./masked.js";

const digit = "[零〇一二三四五六七八九]";
const small = String.raw`(?:\d{1,2}|[一二三四五六七八九十]{1,3})`;
const months = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
const monthName = `(?<name>${months})(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\\.?`;
const weekdays = "mon|tue|wed|thu|fri|sat|sun";

type Groups = Readonly<Record<string, string | undefined>>;
type Read = (groups: Groups) => string | undefined;

/** Readers of dates and times; the first that matches takes a text. */
const readers: readonly (readonly [pattern: RegExp, unit: Figure["unit"], read: Read])[] = [
  [
    new RegExp(
      `(?<![\\d.])(?:(?<year>\\d{4}|${digit}{4})年)?\\s?(?<month>${small})\\s?月\\s?(?<day>${small})\\s?[日号]?\\s?[-~～—–至到]\\s?(?<last>${small})\\s?[日号]`,
      "gu",
    ),
    "date",
    ({ year, month, day, last }) => `${dateOf(year, month, day)} ${dateOf(year, month, last)}`,
  ],
  [
    /(?<![\d.-])(?<year>\d{4})\s?(?<sign>[-/.年])\s?(?<month>\d{1,2})\s?[-/.月]\s?(?<day>\d{1,2})(?![\d-])(?:\s?[日号])?/g,
    "date",
    ({ year, month, day }) => dateOf(year, month, day),
  ],
  [
    new RegExp(
      `(?<![\\d.])(?:(?<year>\\d{4}|${digit}{4})\\s?年\\s?)?(?<month>${small})\\s?月\\s?(?<day>${small})\\s?[日号]`,
      "gu",
    ),
    "date",
    ({ year, month, day }) => dateOf(year, month, day),
  ],
  [
    new RegExp(`(?<!\\d)(?<year>\\d{4}|${digit}{4})\\s?年\\s?(?<month>${small})\\s?月`, "gu"),
    "date",
    ({ year, month }) => dateOf(year, month, undefined),
  ],
  [
    /(?<!\d)(?<year>(?:19|20)\d{2}|[一二][零〇九][零〇一二三四五六七八九]{2})\s?年(?!内|以|期|后|前|中)/gu,
    "date",
    ({ year }) => numberIn(year),
  ],
  [
    new RegExp(
      `(?<!\\d)(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${monthName}(?![a-z])(?:,? (?<year>\\d{4})(?!\\d))?`,
      "gi",
    ),
    "date",
    ({ day, name, year }) => dateOf(year, monthOf(name), day),
  ],
  [
    new RegExp(
      `(?<![a-z])${monthName} (?:the )?(?<day>\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:,? (?<year>\\d{4})(?!\\d))?`,
      "gi",
    ),
    "date",
    ({ day, name, year }) => dateOf(year, monthOf(name), day),
  ],
  [
    new RegExp(`(?<![a-z])${monthName},? (?<year>\\d{4})(?!\\d)`, "gi"),
    "date",
    ({ name, year }) => dateOf(year, monthOf(name), undefined),
  ],
  [
    new RegExp(`[每本上下当]个?月的?\\s?(?<day>${small})\\s?[日号]`, "gu"),
    "day of the month",
    ({ day }) => numberIn(day),
  ],
  [
    /(?<![\d:])(?<hour>\d{1,2}):(?<minute>\d{2})(?::\d{2})?(?![\d:])(?:\s?(?<half>[ap])\.?m\.?(?![a-z]))?/gi,
    "time",
    ({ hour, minute, half }) => timeOf(hour, minute, half),
  ],
  [
    new RegExp(
      `(?<half>凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|晚间|夜里)\\s?(?<hour>${small})\\s?(?:[点时]|:)\\s?(?:(?<minute>半)|(?<exact>\\d{1,2})分)?`,
      "gu",
    ),
    "time",
    ({ half, hour, minute, exact }) => timeOf(hour, minute ?? exact, half),
  ],
  [
    new RegExp(`(?<hour>${small})\\s?点(?:(?<minute>半)|整|钟|(?<exact>\\d{1,2})分)`, "gu"),
    "time",
    ({ hour, minute, exact }) => timeOf(hour, minute ?? exact, undefined),
  ],
  [
    /(?<![\d.])(?<hour>\d{1,2})\s?点(?!\d)/g,
    "time",
    ({ hour }) => timeOf(hour, undefined, undefined),
  ],
  [
    /(?<![\d.:])(?<hour>\d{1,2})\s?(?<half>[ap])\.?m\.?(?![a-z])/gi,
    "time",
    ({ hour, half }) => timeOf(hour, undefined, half),
  ],
  [
    /(?:周|星期|礼拜)(?<day>[一二三四五六日天])(?!周|个|次)/gu,
    "weekday",
    ({ day = "" }) => String(/[日天]/.test(day) ? 7 : chineseNumber(day)),
  ],
  [
    new RegExp(`(?<![a-z])(?<day>${weekdays})(?:day|sday|nesday|rsday|urday)s?(?![a-z])`, "gi"),
    "weekday",
    ({ day = "" }) => String(weekdays.split("|").indexOf(day.toLowerCase()) + 1),
  ],
  [/当[天日]|(?<![a-z])same day(?![a-z])/gi, "nth day", () => "1"],
  [/次日|(?<![a-z])next day(?![a-z])/gi, "nth day", () => "2"],
  [new RegExp(`第\\s?(?<day>${small})\\s?[天日]`, "gu"), "nth day", ({ day }) => numberIn(day)],
];

/** Adds the dates and times of a text to its figures, and hides them from later readers. */
export function takeDates(masked: MaskedText, figures: Figure[]): void {
  for (const [pattern, unit, read] of readers) {
    masked.take(pattern, (found) => {
      const value = read(found.groups ?? {});
      if (value === undefined || value.includes("NaN")) return false;
      const [start, end] = [found.index, found.index + found[0].length];
      for (const number of value.split(" ")) figures.push({ start, end, number, unit });
      return true;
    });
  }
}

function numberIn(text: string | undefined): string {
  const written = text ?? "";
  const isYear = /^[零〇一二三四五六七八九]{4}$/u.test(written);
  return isYear ? (digitsOf(written) ?? "NaN") : String(chineseNumber(written));
}

function monthOf(name: string | undefined): string {
  return String(months.split("|").indexOf((name ?? "").slice(0, 3).toLowerCase()) + 1);
}

function dateOf(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): string | undefined {
  const parts = [year, month, day].filter((part) => part !== undefined).map(numberIn);
  const [monthNumber, dayNumber] = [Number(numberIn(month)), Number(numberIn(day ?? "1"))];
  if (monthNumber < 1 || monthNumber > 12 || dayNumber < 1 || dayNumber > 31) return undefined;
  return parts.map((part) => part.padStart(2, "0")).join("-");
}

function timeOf(
  hour: string | undefined,
  minute: string | undefined,
  half = "",
): string | undefined {
  const hours = hourOf(Number(numberIn(hour)), half);
  const minutes = minute === "半" ? 30 : Number(minute ?? 0);
  if (Number.isNaN(hours) || hours > 24 || minutes > 59) return undefined;
  return `${hours}:${String(minutes).padStart(2, "0")}`;
}

/** The hour of the day of an hour in a half or part of the day. */
function hourOf(hour: number, half: string): number {
  if (/^(?:p|下午|傍晚|晚上|晚间|夜里)$/i.test(half)) return hour < 12 ? hour + 12 : hour;
  return /^(?:a|凌晨|早上|早晨|上午)$/i.test(half) && hour === 12 ? 0 : hour;
}
