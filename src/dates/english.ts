import { englishNumber, englishOnes } from "./number-words.js";
import {
  byRules,
  date,
  dayOfMonth,
  type DayPart,
  fromToday,
  edge,
  type Meaning,
  nearestMonth,
  nearWeekday,
  partOfYear,
  period,
  recent,
  type Rule,
  type TimeRead,
  type Times,
  timesAt,
  timesOfPart,
  type Unit,
  type Year,
} from "./rules.js";

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

/** Parts of the rules' regular expressions, without named groups. */
export const english = {
  number: `(?:\\d{1,4}|an?|${englishOnes.join("|")}|(?:a )?couple of)`,
  place: `(?:${places.flat().join("|")})`,
  unit: "(?:day|week|month|quarter|half[ -]year|half|year)s?",
  month: `(?:${months.map((name) => `${name}|${name.slice(0, 3)}`).join("|")}|sept)\\.?`,
  weekday: "(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\\.?",
  which: "(?:last|previous|this|the current|current|next|coming|following)",
  past: "(?:past|last|previous)",
  future: "(?:next|coming|following)",
} as const;

/** 3 for "third". */
function englishPlace(word: string): number {
  return places.findIndex((words) => words.includes(word)) + 1;
}

/** 1 for January to 12 for December. */
function englishMonth(word: string): number {
  return months.findIndex((name) => name.startsWith(word.slice(0, 3))) + 1;
}

/** 1 for Monday to 7 for Sunday. */
export function englishWeekday(word: string): number {
  return weekdays.findIndex((name) => name.startsWith(word.slice(0, 3))) + 1;
}

/** The unit of a word, in the singular or the plural. */
function englishUnit(word: string): Unit {
  const units = ["day", "weekend", "week", "month", "quarter", "half", "year"] as const;
  return units.find((unit) => word.startsWith(unit)) ?? "day";
}

/** -1 for the last one, 0 for this one, 1 for the next. */
function englishTurn(word: string): -1 | 0 | 1 {
  if (/^(?:last|previous)$/.test(word)) return -1;
  return /^(?:next|coming|following)$/.test(word) ? 1 : 0;
}

const { number, place, unit, month, weekday, which, past, future } = english;
const ofYear = `(?:,? (?:of )?(?:(?<year>\\d{4})|(?<turn>last|this|next) year))?`;
const dayNumber = "(?<day>\\d{1,2})(?:st|nd|rd|th)?";

const form = (text: string) => new RegExp(`^${text}$`);

/** The year in a date; without one, this year. */
function yearIn(part: (name: string) => string): Year {
  return part("year") === "" ? { by: englishTurn(part("turn")) } : { is: Number(part("year")) };
}

function edgeOf(side: "start" | "end"): Rule<Meaning>[1] {
  return (part) => {
    const name = part("of");
    const of = byRules(form(unit).test(name) ? `this ${name}` : name, rules);
    return of && edge(side, of);
  };
}

/** This many units before or after today: `number` and `unit` are parts of the form. */
function counted(meaning: typeof fromToday, sign: -1 | 1): Rule<Meaning>[1] {
  return (part) => {
    const by = sign * englishNumber(part("number") || "1");
    return meaning(englishUnit(part("unit")), by);
  };
}

function weekdayOfWeek(part: (name: string) => string): Meaning {
  return nearWeekday(englishWeekday(part("weekday")), englishTurn(part("which")));
}

/** The quarter or half of a year in a form. */
function numbered(name: "quarter" | "half"): Rule<Meaning>[1] {
  return (part) =>
    partOfYear(name, Number(part("figure")) || englishPlace(part("place")), yearIn(part));
}

const rules: readonly Rule<Meaning>[] = [
  [/^(?:today|the current date)$/, () => period("day", 0)],
  [/^yesterday$/, () => period("day", -1)],
  [/^tomorrow$/, () => period("day", 1)],
  [/^(?:the )?day before yesterday$/, () => period("day", -2)],
  [/^(?:the )?day after tomorrow$/, () => period("day", 2)],
  [
    form(`(?<which>${which}) (?<unit>${unit}|weekend)`),
    (part) => period(englishUnit(part("unit")), englishTurn(part("which"))),
  ],
  [
    form(`(?:the )?(?<unit>${unit}|weekend) (?<side>before last|after next)`),
    (part) => period(englishUnit(part("unit")), part("side") === "before last" ? -2 : 2),
  ],
  [form(`the (?<unit>weekend)`), () => period("weekend", 0)],
  [form(`(?:the )?${past} (?<number>${number}) (?<unit>${unit})`), counted(recent, -1)],
  [form(`(?:the )?past (?<unit>${unit})`), counted(recent, -1)],
  [form(`(?:the )?${future} (?<number>${number}) (?<unit>${unit})`), counted(recent, 1)],
  [
    form(`(?<number>${number}) (?<unit>${unit}) (?:ago|before today|earlier)`),
    counted(fromToday, -1),
  ],
  [form(`in (?<number>${number}) (?<unit>${unit})`), counted(fromToday, 1)],
  [
    form(`(?<number>${number}) (?<unit>${unit}) (?:from (?:now|today)|after today|later|hence)`),
    counted(fromToday, 1),
  ],
  [form("(?:the )?(?:start|beginning|first day) of (?:the )?(?<of>.+)"), edgeOf("start")],
  [form("(?:the )?(?:end|last day) of (?:the )?(?<of>.+)"), edgeOf("end")],
  [
    form(`(?:(?<which>last|previous|past|this|next) )?(?<weekday>${weekday})`),
    (part) => {
      const word = part("which");
      const turn = word === "this" || word === "next" ? englishTurn(word) : "latest";
      return nearWeekday(englishWeekday(part("weekday")), word === "" ? "open" : turn);
    },
  ],
  [form(`(?<weekday>${weekday})(?: of)? (?<which>${which}) week`), weekdayOfWeek],
  [form(`(?<which>${which}) weeks? (?<weekday>${weekday})`), weekdayOfWeek],
  [form(`(?:the )?(?:q(?<figure>[1-4])|(?<place>${place}) quarter)${ofYear}`), numbered("quarter")],
  [form("(?<year>\\d{4})[ -]?q(?<figure>[1-4])"), numbered("quarter")],
  [
    form(`(?:the )?(?:h(?<figure>[12])|(?<place>first|1st|second|2nd) half)${ofYear}`),
    numbered("half"),
  ],
  [form("(?<year>\\d{4})[ -]?h(?<figure>[12])"), numbered("half")],
  [form("(?:the )?year (?<year>\\d{4})"), (part) => partOfYear("year", 1, yearIn(part))],
  [form("(?:the )?(?<year>(?:19|20)\\d{2})"), (part) => partOfYear("year", 1, yearIn(part))],
  [
    form(`(?<month>${month})${ofYear}`),
    (part) => partOfYear("month", englishMonth(part("month")), yearIn(part)),
  ],
  [
    form(`(?<which>last|next) (?<month>${month})`),
    (part) => nearestMonth(englishMonth(part("month")), part("which") === "last" ? -1 : 1),
  ],
  [form(`(?:(?<month>${month}) (?:the )?${dayNumber})${ofYear}`), dateIn],
  [form(`(?:the )?${dayNumber} (?:of )?(?<month>${month})${ofYear}`), dateIn],
  [
    form(`(?:the )?${dayNumber} of (?:(?<which>${which})|the) month`),
    (part) => dayOfMonth(Number(part("day")), englishTurn(part("which"))),
  ],
];

function dateIn(part: (name: string) => string): Meaning {
  return date(englishMonth(part("month")), Number(part("day")), yearIn(part));
}

/** The days that a lower-case English text means; undefined if it contains anything else. */
export function readEnglish(text: string): Meaning | undefined {
  return byRules(text, rules) ?? byRules(text.replace(/^(?:on|in|during|for|the) /, ""), rules);
}

const clockRules: readonly Rule<Times>[] = [
  [
    new RegExp(`^(?<hour>\\d{1,2})(?::(?<minute>\\d{2}))? ?(?<half>[ap])\\.?m\\.?$`),
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

/** Parts of a day with a phrase of their own. */
const whole: ReadonlyMap<string, readonly [rest: string, part: DayPart]> = new Map([
  ["tonight", ["today", "evening"]],
  ["last night", ["yesterday", "evening"]],
  ["this morning", ["today", "morning"]],
  ["this afternoon", ["today", "afternoon"]],
  ["this evening", ["today", "evening"]],
]);

/** Separates the time of day from a lower-case English text, before or after the day. Undefined if there is none. */
export function readEnglishClock(text: string): TimeRead | undefined {
  const named = whole.get(text);
  if (named !== undefined) return { rest: named[0], times: timesOfPart(named[1]) };
  if (/^(?:at )?midnight$/.test(text)) return timeRead("today", timesAt(24));
  const words = text.split(" ");
  for (const at of words.keys()) {
    const behind = byRules(words.slice(at).join(" "), clockRules);
    if (behind !== undefined) return timeRead(withoutJoint(words.slice(0, at)), behind);
  }
  for (const at of [...words.keys()].toReversed()) {
    const before = byRules(words.slice(0, at).join(" ").replace(/^at /, ""), clockRules);
    if (before !== undefined) return timeRead(words.slice(at).join(" "), before);
  }
  return openHour(text);
}

function timeRead(rest: string, times: Times | undefined): TimeRead | undefined {
  return times && { rest, times };
}

/** The day without the words that join it to its time. */
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
