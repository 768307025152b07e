import {
  chinese,
  chineseNearYear,
  chineseNumber,
  chineseTurn,
  chineseUnit,
  chineseWeekday,
  chineseYear,
  simplified,
} from "./chinese-words.js";
import type { DateExpression, Year } from "./date-expression.js";
import { byRules, type Rule } from "./rules.js";

const { number, year, unit, week, turn, nearYear } = chinese;
const ofYear = `(?:(?<year>${year})年|(?<near>${nearYear}))`;
const form = (text: string) => new RegExp(`^${text}$`);

/** The days around this one by their names, from three days ago on. */
const near = ["大前天", "前天", "昨天", "今天", "明天", "后天", "大后天"];

/** The year that stands with a date; this one where none does. */
function yearIn(part: (name: string) => string): Year {
  if (part("year") !== "") return { is: chineseYear(part("year")) };
  return { by: part("near") === "" ? 0 : chineseNearYear(part("near")) };
}

function moved(
  word: string,
  count: string,
  sign: -1 | 1,
  kind: "moved" | "recent",
): DateExpression {
  return { kind, unit: chineseUnit(word), by: sign * chineseNumber(count) };
}

function partOf(
  name: "month" | "quarter" | "half" | "year",
  place: number,
  of: Year,
): DateExpression {
  return { kind: "part", unit: name, number: place, year: of };
}

const relativeRules: readonly Rule<DateExpression>[] = [
  [
    /^(?<day>大?[前后][天日]|[昨今明当][天日])$/,
    (text) => {
      const name = text("day").replace("日", "天").replace("当", "今");
      return { kind: "period", unit: "day", by: near.indexOf(name) - 3 };
    },
  ],
  [
    form(`(?<turn>${turn})(?<unit>周末|${week}末|周|星期|礼拜|月|季度|季|半年)`),
    (text) => {
      const [word, name] = [text("turn"), text("unit")];
      // The first half of the year, not the last half-year: that is 上个半年.
      if (name === "半年" && /^[上下]$/.test(word))
        return partOf("half", word === "上" ? 1 : 2, { by: 0 });
      const ofDays = name.endsWith("末") ? "weekend" : chineseUnit(name);
      return { kind: "period", unit: ofDays, by: chineseTurn(word) };
    },
  ],
  [/^周末$/, () => ({ kind: "period", unit: "weekend", by: 0 })],
  [form("[本当]年度?"), () => partOf("year", 1, { by: 0 })],
  [
    form(`(?<turn>${turn})?${week}(?<weekday>[一二三四五六日天1-7])`),
    (text) => ({
      kind: "weekday",
      weekday: chineseWeekday(text("weekday")),
      by: text("turn") === "" ? "open" : chineseTurn(text("turn")),
    }),
  ],
  [
    form(`(?:最近|过去|近)的?(?<number>${number})个?(?<unit>${unit})(?:以?内|里|以来|间)?`),
    (text) => moved(text("unit"), text("number"), -1, "recent"),
  ],
  [
    form(`(?:未来|今后|接下来)的?(?<number>${number})个?(?<unit>${unit})(?:以?内|里|间)?`),
    (text) => moved(text("unit"), text("number"), 1, "recent"),
  ],
  [
    form(`(?<number>${number})个?(?<unit>${unit})(?:以前|之前|前)`),
    (text) => moved(text("unit"), text("number"), -1, "moved"),
  ],
  [
    form(`(?<number>${number})个?(?<unit>${unit})(?:以后|之后|后)`),
    (text) => moved(text("unit"), text("number"), 1, "moved"),
  ],
  [/^(?:最近|过去|近)的?半年$/, () => ({ kind: "recent", unit: "half", by: -1 })],
  [/^半年(?:以|之)?前$/, () => ({ kind: "moved", unit: "half", by: -1 })],
  [/^半年(?:以|之)?后$/, () => ({ kind: "moved", unit: "half", by: 1 })],
];

const calendarRules: readonly Rule<DateExpression>[] = [
  [form(`${ofYear}度?`), (text) => partOf("year", 1, yearIn(text))],
  [
    form(`${ofYear}?(?:第?(?<number>[一二三四1-4])季度?|[Qq](?<figure>[1-4]))`),
    (text) => partOf("quarter", chineseNumber(text("number") + text("figure")), yearIn(text)),
  ],
  [
    form(`${ofYear}的?(?<side>[上下])半年`),
    (text) => partOf("half", text("side") === "上" ? 1 : 2, yearIn(text)),
  ],
  [
    form(`${ofYear}?(?<month>${number})月份?`),
    (text) => {
      const month = chineseNumber(text("month"));
      return month >= 1 && month <= 12 ? partOf("month", month, yearIn(text)) : undefined;
    },
  ],
  [
    form(`${ofYear}?(?<month>${number})月(?<day>${number})[日号]?`),
    (text) => ({
      kind: "date",
      month: chineseNumber(text("month")),
      day: chineseNumber(text("day")),
      year: yearIn(text),
    }),
  ],
  [
    form(`(?:(?<turn>${turn})月)?(?<day>${number})[日号]`),
    (text) => ({
      kind: "dayOfMonth",
      day: chineseNumber(text("day")),
      by: chineseTurn(text("turn")),
    }),
  ],
];

const edges: Rule<DateExpression> = [
  form("(?<of>.+?)的?(?:(?<start>初|第一天|开始)|(?:底|末|最后一天))"),
  (text) => {
    const name = text("of");
    // 月底 is the end of this month, as 年底 is of this year.
    const of = byRules(/^[月季年]度?$/.test(name) ? `本${name}` : name, [
      ...relativeRules,
      ...calendarRules,
    ]);
    return of && { kind: "edge", edge: text("start") === "" ? "end" : "start", of };
  },
];

const rules = [...relativeRules, ...calendarRules, edges];

/** What a Chinese text says of days; nothing where it says anything else as well. */
export function readChinese(text: string): DateExpression | undefined {
  const plain = simplified(text);
  return byRules(plain, rules) ?? byRules(plain.replace(/^[在于]/, ""), rules);
}
