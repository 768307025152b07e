import {
  byRules,
  type DayPart,
  type Rule,
  type TimeRead,
  type Times,
  timesAt,
  timesOfPart,
  type Unit,
} from "./rules.js";

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

const half = "(?<half>[ap])\\.?m\\.?";

const rules: readonly Rule<Times>[] = [
  [
    new RegExp(`^(?<hour>\\d{1,2})(?::(?<minute>\\d{2}))? ?${half}$`),
    (part) => {
      const hour = Number(part("hour"));
      const after = part("half") === "p" ? 12 : 0;
      const isShown = hour >= 1 && hour <= 12;
      return isShown ? timesAt((hour % 12) + after, Number(part("minute"))) : undefined;
    },
  ],
  [
    /^(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?$/,
    (part) => timesAt(Number(part("hour")), Number(part("minute")), Number(part("second"))),
  ],
  [/^(?:12 )?noon$|^midday$/, () => timesAt(12)],
  [/^(?:(?:in )?the )?(?:morning)$/, () => timesOfPart("morning")],
  [/^(?:(?:in )?the )?(?:afternoon)$/, () => timesOfPart("afternoon")],
  [/^(?:(?:in )?the )?(?:evening)$|^(?:at )?night$/, () => timesOfPart("evening")],
];

/** Days and their parts that have one word, or none of their own. */
const whole: ReadonlyMap<string, readonly [rest: string, part: DayPart]> = new Map([
  ["tonight", ["today", "evening"]],
  ["last night", ["yesterday", "evening"]],
  ["this morning", ["today", "morning"]],
  ["this afternoon", ["today", "afternoon"]],
  ["this evening", ["today", "evening"]],
]);

/** Takes the time of day off an English text in small letters, before or behind the day. Nothing where there is none. */
export function readEnglishClock(text: string): TimeRead | undefined {
  const named = whole.get(text);
  if (named !== undefined) return { rest: named[0], times: timesOfPart(named[1]) };
  if (/^(?:at )?midnight$/.test(text)) return timeRead("today", timesAt(24));
  const words = text.split(" ");
  for (const at of words.keys()) {
    const behind = byRules(words.slice(at).join(" "), rules);
    if (behind !== undefined) return timeRead(withoutJoint(words.slice(0, at)), behind);
  }
  for (const at of [...words.keys()].toReversed()) {
    const before = byRules(words.slice(0, at).join(" ").replace(/^at /, ""), rules);
    if (before !== undefined) return timeRead(words.slice(at).join(" "), before);
  }
  return openHour(text);
}

function timeRead(rest: string, times: Times | undefined): TimeRead | undefined {
  return times && { rest, times };
}

/** The day without what joins it to its time. */
function withoutJoint(words: readonly string[]): string {
  return words.join(" ").replace(/(?:^| |,)(?:at|@)$|,$/, "");
}

/** "Tomorrow at 3" does not say which half of the day. */
function openHour(text: string): TimeRead | undefined {
  const found = /^(?<rest>.*?) ?\bat \d{1,2}(?: o'clock)?$/.exec(text);
  if (found === null) return undefined;
  const problem = "Say whether the hour is before or after noon, such as 3pm or 15:00.";
  return { rest: found[1] ?? "", times: { problem } };
}
