import { chineseNumber } from "./number-words.js";
import {
  byRules,
  date,
  dayOfMonth,
  type DayPart,
  fromToday,
  edge,
  type Meaning,
  nearWeekday,
  partOfYear,
  period,
  recent,
  type Rule,
  type TimeRead,
  timesAt,
  timesOfPart,
  type Unit,
  type Year,
} from "./rules.js";

/** Parts of the rules' regular expressions, without named groups. */
export const chinese = {
  // 九百九十九 is the longest number that is read.
  number: "(?:\\d{1,4}|[一二两三四五六七八九十百]{1,5})",
  year: "(?:\\d{4}|[零〇一二三四五六七八九]{4})",
  unit: "(?:天|日|周|星期|礼拜|月|季度|季|半年|年)",
  week: "(?:周|星期|礼拜)",
  turn: "(?:上上|上|这|本|当|下下|下)一?个?",
  nearYear: "(?:今|去|明|前|后)年",
} as const;

/** Characters of the traditional script, and variants, with the one that the rules use. */
const signs = new Map(
  ["後后週周禮礼個个號号點点兩两這这過过內内時时", "鐘钟鍾钟來来間间當当從从現现〇零"]
    .flatMap((pairs) => pairs.match(/../gu) ?? [])
    .map((pair): [string, string] => [pair.slice(0, 1), pair.slice(1)]),
);

/** A Chinese text without spaces, in the script of the rules. */
export function simplified(text: string): string {
  return text.replaceAll(/\s/g, "").replaceAll(/./gu, (sign) => signs.get(sign) ?? sign);
}

const figures = "零一二三四五六七八九";

/** A year, digit by digit. */
export function chineseYear(text: string): number {
  return Number(
    text.replaceAll(/\D/g, (sign) => String(figures.includes(sign) ? figures.indexOf(sign) : sign)),
  );
}

/** 1 for Monday to 7 for Sunday. */
function chineseWeekday(sign: string): number {
  return /[日天]/.test(sign) ? 7 : chineseNumber(sign);
}

/** The unit of a word. */
function chineseUnit(word: string): Unit {
  if (/^[天日]$/.test(word)) return "day";
  if (/^(?:周|星期|礼拜)$/.test(word)) return "week";
  if (word === "月") return "month";
  if (word.startsWith("季")) return "quarter";
  return word === "半年" ? "half" : "year";
}

/** -1 for the last one, 0 for this one, 1 for the next. */
function chineseTurn(word: string): number {
  const size = /^(?:上上|下下)/.test(word) ? 2 : 1;
  if (word.startsWith("上")) return -size;
  return word.startsWith("下") ? size : 0;
}

/** The distance of a word's year from this one. */
export function chineseNearYear(word: string): number {
  return ["前年", "去年", "今年", "明年", "后年"].indexOf(word) - 2;
}

const { number, year, unit, week, turn, nearYear } = chinese;
const ofYear = `(?:(?<year>${year})年|(?<near>${nearYear}))`;
const form = (text: string) => new RegExp(`^${text}$`);

/** The names of the days around today, from three days ago on. */
const near = ["大前天", "前天", "昨天", "今天", "明天", "后天", "大后天"];

/** The year in a date; without one, this year. */
function yearIn(part: (name: string) => string): Year {
  if (part("year") !== "") return { is: chineseYear(part("year")) };
  return { by: part("near") === "" ? 0 : chineseNearYear(part("near")) };
}

/** This many units before or after today; `number` and `unit` are parts of the form. */
function counted(meaning: typeof fromToday, sign: -1 | 1): Rule<Meaning>[1] {
  return (text) => meaning(chineseUnit(text("unit")), sign * chineseNumber(text("number")));
}

const dayRules: readonly Rule<Meaning>[] = [
  [
    /^(?<day>大?[前后][天日]|[昨今明当][天日])$/,
    (text) => {
      const name = text("day").replace("日", "天").replace("当", "今");
      return period("day", near.indexOf(name) - 3);
    },
  ],
  [
    form(`(?<turn>${turn})(?<unit>周末|${week}末|周|星期|礼拜|月|季度|季|半年)`),
    (text) => {
      const [word, name] = [text("turn"), text("unit")];
      // The first half of the year, not the previous half-year: that is 上个半年.
      if (name === "半年" && /^[上下]$/.test(word))
        return partOfYear("half", word === "上" ? 1 : 2, { by: 0 });
      return period(name.endsWith("末") ? "weekend" : chineseUnit(name), chineseTurn(word));
    },
  ],
  [/^周末$/, () => period("weekend", 0)],
  [form("[本当]年度?"), () => partOfYear("year", 1, { by: 0 })],
  [
    form(`(?<turn>${turn})?${week}(?<weekday>[一二三四五六日天1-7])`),
    (text) => {
      const turned = text("turn") === "" ? "open" : chineseTurn(text("turn"));
      return nearWeekday(chineseWeekday(text("weekday")), turned);
    },
  ],
  [
    form(`(?:最近|过去|近)的?(?<number>${number})个?(?<unit>${unit})(?:以?内|里|以来|间)?`),
    counted(recent, -1),
  ],
  [
    form(`(?:未来|今后|接下来)的?(?<number>${number})个?(?<unit>${unit})(?:以?内|里|间)?`),
    counted(recent, 1),
  ],
  [form(`(?<number>${number})个?(?<unit>${unit})(?:以前|之前|前)`), counted(fromToday, -1)],
  [form(`(?<number>${number})个?(?<unit>${unit})(?:以后|之后|后)`), counted(fromToday, 1)],
  [/^(?:最近|过去|近)的?半年$/, () => recent("half", -1)],
  [/^半年(?:以|之)?前$/, () => fromToday("half", -1)],
  [/^半年(?:以|之)?后$/, () => fromToday("half", 1)],
  [form(`${ofYear}度?`), (text) => partOfYear("year", 1, yearIn(text))],
  [
    form(`${ofYear}?(?:第?(?<number>[一二三四1-4])季度?|[Qq](?<figure>[1-4]))`),
    (text) => partOfYear("quarter", chineseNumber(text("number") + text("figure")), yearIn(text)),
  ],
  [
    form(`${ofYear}的?(?<side>[上下])半年`),
    (text) => partOfYear("half", text("side") === "上" ? 1 : 2, yearIn(text)),
  ],
  [
    form(`${ofYear}?(?<month>${number})月份?`),
    (text) => {
      const month = chineseNumber(text("month"));
      return month >= 1 && month <= 12 ? partOfYear("month", month, yearIn(text)) : undefined;
    },
  ],
  [
    form(`${ofYear}?(?<month>${number})月(?<day>${number})[日号]?`),
    (text) => date(chineseNumber(text("month")), chineseNumber(text("day")), yearIn(text)),
  ],
  [
    form(`(?:(?<turn>${turn})月)?(?<day>${number})[日号]`),
    (text) => dayOfMonth(chineseNumber(text("day")), chineseTurn(text("turn"))),
  ],
];

const edgeRule: Rule<Meaning> = [
  form("(?<of>.+?)的?(?:(?<start>初|第一天|开始)|(?:底|末|最后一天))"),
  (text) => {
    const name = text("of");
    // 月底 is the end of this month, as 年底 is of this year.
    const of = byRules(/^[月季年]度?$/.test(name) ? `本${name}` : name, dayRules);
    return of && edge(text("start") === "" ? "end" : "start", of);
  },
];

const rules = [...dayRules, edgeRule];

/** The days that a Chinese text means; undefined if it contains anything else. */
export function readChinese(text: string): Meaning | undefined {
  const plain = simplified(text);
  return byRules(plain, rules) ?? byRules(plain.replace(/^[在于]/, ""), rules);
}

/** A part of the day: its names, and the hour of twenty-four for an hour of twelve; undefined if it is ambiguous. */
type NamedPart = {
  readonly names: string;
  readonly part: DayPart | "noon";
  readonly hour: (hour: number) => number | undefined;
};

const parts: readonly NamedPart[] = [
  { names: "凌晨", part: "dawn", hour: (hour) => hour % 12 },
  { names: "早上|早晨|清晨|上午|早", part: "morning", hour: (hour) => hour },
  { names: "正午|中午", part: "noon", hour: (hour) => (hour > 10 ? hour : hour + 12) },
  { names: "下午|午后", part: "afternoon", hour: (hour) => (hour % 12) + 12 },
  {
    names: "傍晚|晚上|晚间|夜里|晚",
    part: "evening",
    // 晚上两点 may be the night after or the night before.
    hour: (hour) => (hour < 5 ? undefined : hour + 12),
  },
];
const names = parts.map((each) => each.names).join("|");

const minutes = `(?<half>半)|(?<quarters>[一三])刻|零?(?<minute>${chinese.number})分?`;
const time = new RegExp(
  `(?<part>${names})?(?:(?<hour>${chinese.number}|零)[点时](?:钟|整|${minutes})?|(?<clock>\\d{1,2}:\\d{2}))$`,
);
const alone = new RegExp(`(?<part>${names})$`);

/** Separates the time of day from the end of a simplified Chinese text. Undefined if there is none. */
export function readChineseClock(text: string): TimeRead | undefined {
  const found = time.exec(text) ?? alone.exec(text);
  if (found === null) return undefined;
  const before = text.slice(0, found.index).replace(/的$/, "");
  // 今 and similar characters are days before a part of the day: 今晚, 明早.
  const rest = /^[今明昨]$/.test(before) ? `${before}天` : before;
  return { rest, times: timesOf(found.groups ?? {}) };
}

type Found = Partial<Record<string, string>>;

function timesOf(found: Found): TimeRead["times"] {
  const named = parts.find(({ names: each }) => each.split("|").includes(found["part"] ?? ""));
  if (found["clock"] === undefined && found["hour"] === undefined) return timesOfName(named);
  const [written, minute] = figuresOf(found);
  const is24Hours = written > 12 || written === 0 || (named === undefined && standsAlone(found));
  const hour = is24Hours ? written : named?.hour(written);
  return hour === undefined ? openHour : (timesAt(hour, minute) ?? noTime);
}

const openHour = { problem: "Say which half of the day, such as 凌晨两点, 上午三点 or 下午三点." };
const noTime = { problem: "There is no such time of day." };

function timesOfName(named: NamedPart | undefined): TimeRead["times"] {
  const part = named?.part ?? "noon";
  return part === "noon" ? (timesAt(12) ?? noTime) : timesOfPart(part);
}

/** Whether an hour is clear without a part of the day: 12, and digits with a colon. */
function standsAlone(found: Found): boolean {
  return found["clock"] !== undefined || figuresOf(found)[0] === 12;
}

function figuresOf(found: Found): readonly [hour: number, minute: number] {
  const { clock, hour = "" } = found;
  if (clock === undefined) return [hour === "零" ? 0 : chineseNumber(hour), minuteOf(found)];
  const [written = NaN, minute = NaN] = clock.split(":").map(Number);
  return [written, minute];
}

function minuteOf({ half, quarters, minute }: Found): number {
  if (half !== undefined) return 30;
  if (quarters !== undefined) return chineseNumber(quarters) * 15;
  return minute === undefined ? 0 : chineseNumber(minute);
}
