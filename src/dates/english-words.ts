import type { Unit } from "./date-expression.js";

const numbers = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const places: readonly (readonly string[])[] = [
  ["1st", "first"],
  ["2nd", "second"],
  ["3rd", "third"],
  ["4th", "fourth"],
];
const months =
  "january february march april may june july august september october november december".split(
    " ",
  );
const weekdays = "monday tuesday wednesday thursday friday saturday sunday".split(" ");

/** Forms of words that rules are made of, each without a name. */
export const english = {
  number: `(?:\\d{1,4}|an?|${numbers.join("|")}|(?:a )?couple of)`,
  place: `(?:${places.flat().join("|")})`,
  unit: "(?:day|week|month|quarter|half[ -]year|half|year)s?",
  month: `(?:${months.map((name) => `${name}|${name.slice(0, 3)}`).join("|")}|sept)\\.?`,
  weekday: "(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\\.?",
  which: "(?:last|previous|this|the current|current|next|coming|following)",
  past: "(?:past|last|previous)",
  future: "(?:next|coming|following)",
} as const;

/** A number in figures or in words. */
export function englishNumber(word: string): number {
  if (/^\d+$/.test(word)) return Number(word);
  if (/^an?$/.test(word)) return 1;
  return word.endsWith("couple of") ? 2 : numbers.indexOf(word) + 1;
}

/** 3 for "third". */
export function englishPlace(word: string): number {
  return places.findIndex((words) => words.includes(word)) + 1;
}

/** 1 for January to 12 for December. */
export function englishMonth(word: string): number {
  return months.findIndex((name) => name.startsWith(word.slice(0, 3))) + 1;
}

/** 1 for Monday to 7 for Sunday. */
export function englishWeekday(word: string): number {
  return weekdays.findIndex((name) => name.startsWith(word.slice(0, 3))) + 1;
}

/** The unit that a word names, in the singular or the plural. */
export function englishUnit(word: string): Unit {
  const units = ["day", "weekend", "week", "month", "quarter", "half", "year"] as const;
  return units.find((unit) => word.startsWith(unit)) ?? "day";
}

/** -1 for the last one, 0 for this one, 1 for the next. */
export function englishTurn(word: string): -1 | 0 | 1 {
  if (/^(?:last|previous)$/.test(word)) return -1;
  return /^(?:next|coming|following)$/.test(word) ? 1 : 0;
}
