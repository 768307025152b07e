import {
  english,
  englishMonth,
  englishNumber,
  englishPlace,
  englishTurn,
  englishUnit,
  englishWeekday,
} from "./english-words.js";
import { byRules, type DateExpression, type Rule, type Year } from "./rules.js";

const { number, place, unit, month, weekday, which, past, future } = english;
const ofYear = `(?:,? (?:of )?(?:(?<year>\\d{4})|(?<turn>last|this|next) year))?`;
const dayOfMonth = "(?<day>\\d{1,2})(?:st|nd|rd|th)?";

const form = (text: string) => new RegExp(`^${text}$`);
const days = (by: number): DateExpression => ({ kind: "period", unit: "day", by });

/** The year that stands with a date; this one where none does. */
function yearIn(part: (name: string) => string): Year {
  return part("year") === "" ? { by: englishTurn(part("turn")) } : { is: Number(part("year")) };
}

function edge(
  side: "start" | "end",
): (part: (name: string) => string) => DateExpression | undefined {
  return (part) => {
    const name = part("of");
    const of = byRules(form(unit).test(name) ? `this ${name}` : name, rules);
    return of === undefined ? undefined : { kind: "edge", edge: side, of };
  };
}

function half(of: number, year: Year): DateExpression {
  return { kind: "part", unit: "half", number: of, year };
}

function quarter(of: number, year: Year): DateExpression {
  return { kind: "part", unit: "quarter", number: of, year };
}

const relativeRules: readonly Rule<DateExpression>[] = [
  [/^(?:today|the current date)$/, () => days(0)],
  [/^yesterday$/, () => days(-1)],
  [/^tomorrow$/, () => days(1)],
  [/^(?:the )?day before yesterday$/, () => days(-2)],
  [/^(?:the )?day after tomorrow$/, () => days(2)],
  [
    form(`(?<which>${which}) (?<unit>${unit}|weekend)`),
    (part) => ({
      kind: "period",
      unit: englishUnit(part("unit")),
      by: englishTurn(part("which")),
    }),
  ],
  [
    form(`(?:the )?(?<unit>${unit}|weekend) (?<side>before last|after next)`),
    (part) => ({
      kind: "period",
      unit: englishUnit(part("unit")),
      by: part("side") === "before last" ? -2 : 2,
    }),
  ],
  [form(`the (?<unit>weekend)`), () => ({ kind: "period", unit: "weekend", by: 0 })],
  [
    form(`(?:the )?(?:${past} (?<number>${number}) (?<unit>${unit})|past (?<one>${unit}))`),
    (part) => ({
      kind: "recent",
      unit: englishUnit(part("unit") + part("one")),
      by: -englishNumber(part("number") || "1"),
    }),
  ],
  [
    form(`(?:the )?${future} (?<number>${number}) (?<unit>${unit})`),
    (part) => ({
      kind: "recent",
      unit: englishUnit(part("unit")),
      by: englishNumber(part("number")),
    }),
  ],
  [
    form(`(?<number>${number}) (?<unit>${unit}) (?:ago|before today|earlier)`),
    (part) => ({
      kind: "moved",
      unit: englishUnit(part("unit")),
      by: -englishNumber(part("number")),
    }),
  ],
  [
    form(
      `(?:in (?<number>${number}) (?<unit>${unit})|(?<many>${number}) (?<units>${unit}) (?:from (?:now|today)|after today|later|hence))`,
    ),
    (part) => ({
      kind: "moved",
      unit: englishUnit(part("unit") + part("units")),
      by: englishNumber(part("number") + part("many")),
    }),
  ],
  [form("(?:the )?(?:start|beginning|first day) of (?:the )?(?<of>.+)"), edge("start")],
  [form("(?:the )?(?:end|last day) of (?:the )?(?<of>.+)"), edge("end")],
];

const weekdayRules: readonly Rule<DateExpression>[] = [
  [
    form(`(?:(?<which>last|previous|past|this|next) )?(?<weekday>${weekday})`),
    (part) => {
      const word = part("which");
      const turn = word === "this" || word === "next" ? englishTurn(word) : "latest";
      const by = word === "" ? "open" : turn;
      return { kind: "weekday", weekday: englishWeekday(part("weekday")), by };
    },
  ],
  [
    form(
      `(?:(?<weekday>${weekday})(?: of)? (?<which>${which}) week|(?<turn>${which}) weeks? (?<day>${weekday}))`,
    ),
    (part) => ({
      kind: "weekday",
      weekday: englishWeekday(part("weekday") + part("day")),
      by: englishTurn(part("which") + part("turn")),
    }),
  ],
];

const calendarRules: readonly Rule<DateExpression>[] = [
  [
    form(`(?:the )?(?:q(?<figure>[1-4])|(?<place>${place}) quarter)${ofYear}`),
    (part) => quarter(Number(part("figure")) || englishPlace(part("place")), yearIn(part)),
  ],
  [
    form("(?<year>\\d{4})[ -]?q(?<figure>[1-4])"),
    (part) => quarter(Number(part("figure")), yearIn(part)),
  ],
  [
    form(`(?:the )?(?:h(?<figure>[12])|(?<place>first|1st|second|2nd) half)${ofYear}`),
    (part) => half(Number(part("figure")) || englishPlace(part("place")), yearIn(part)),
  ],
  [
    form("(?<year>\\d{4})[ -]?h(?<figure>[12])"),
    (part) => half(Number(part("figure")), yearIn(part)),
  ],
  [
    /^(?:the )?(?:year (?<year>\d{4})|(?<alone>(?:19|20)\d{2}))$/,
    (part) => ({
      kind: "part",
      unit: "year",
      number: 1,
      year: { is: Number(part("year") + part("alone")) },
    }),
  ],
  [
    form(`(?<month>${month})${ofYear}`),
    (part) => ({
      kind: "part",
      unit: "month",
      number: englishMonth(part("month")),
      year: yearIn(part),
    }),
  ],
  [
    form(`(?<which>last|next) (?<month>${month})`),
    (part) => ({
      kind: "nearest",
      month: englishMonth(part("month")),
      by: part("which") === "last" ? -1 : 1,
    }),
  ],
  [
    form(`(?:(?<month>${month}) (?:the )?${dayOfMonth})${ofYear}`),
    (part) => dateOf(part("month"), part("day"), yearIn(part)),
  ],
  [
    form(`(?:the )?${dayOfMonth} (?:of )?(?<month>${month})${ofYear}`),
    (part) => dateOf(part("month"), part("day"), yearIn(part)),
  ],
  [
    form(`(?:the )?${dayOfMonth} of (?:(?<which>${which})|the) month`),
    (part) => ({
      kind: "dayOfMonth",
      day: Number(part("day")),
      by: englishTurn(part("which")),
    }),
  ],
];

function dateOf(name: string, day: string, year: Year): DateExpression {
  return { kind: "date", month: englishMonth(name), day: Number(day), year };
}

const rules = [...relativeRules, ...weekdayRules, ...calendarRules];

/** What an English text in small letters says of days; nothing where it says anything else as well. */
export function readEnglish(text: string): DateExpression | undefined {
  return byRules(text, rules) ?? byRules(text.replace(/^(?:on|in|during|for|the) /, ""), rules);
}
