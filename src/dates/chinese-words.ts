import type { Unit } from "./date-expression.js";

/** Forms of words that rules are made of, each without a name. */
export const chinese = {
  // 九百九十九 is the longest that is read.
  number: "(?:\\d{1,4}|[一二两三四五六七八九十百]{1,5})",
  year: "(?:\\d{4}|[零〇一二三四五六七八九]{4})",
  unit: "(?:天|日|周|星期|礼拜|月|季度|季|半年|年)",
  week: "(?:周|星期|礼拜)",
  turn: "(?:上上|上|这|本|当|下下|下)一?个?",
  nearYear: "(?:今|去|明|前|后)年",
} as const;

/** Signs of the traditional script, and others, that the rules know by one. */
const signs = new Map(
  ["後后週周禮礼個个號号點点兩两這这過过內内時时", "鐘钟鍾钟來来間间當当從从現现〇零"]
    .flatMap((pairs) => pairs.match(/../gu) ?? [])
    .map((pair): [string, string] => [pair.slice(0, 1), pair.slice(1)]),
);

/** A Chinese text without blanks, in the script that the rules are written in. */
export function simplified(text: string): string {
  return text.replaceAll(/\s/g, "").replaceAll(/./gu, (sign) => signs.get(sign) ?? sign);
}

const figures = "零一二三四五六七八九";

/** A number in figures or in signs, up to 999; NaN for what is none. */
export function chineseNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const found = /^(?:(.)百零?)?(?:(.)?(十))?(.)?$/.exec(text.replaceAll("两", "二"));
  if (found === null) return NaN;
  const [, hundreds, tens, ten, ones] = found;
  const figure = (sign: string | undefined, absent: number) =>
    sign === undefined ? absent : figures.includes(sign) ? figures.indexOf(sign) : NaN;
  return (
    figure(hundreds, 0) * 100 + (ten === undefined ? 0 : figure(tens, 1) * 10) + figure(ones, 0)
  );
}

/** A year, figure by figure. */
export function chineseYear(text: string): number {
  return Number(
    text.replaceAll(/\D/g, (sign) => String(figures.includes(sign) ? figures.indexOf(sign) : sign)),
  );
}

/** 1 for Monday to 7 for Sunday. */
export function chineseWeekday(sign: string): number {
  return /[日天]/.test(sign) ? 7 : chineseNumber(sign);
}

/** The unit that a word names. */
export function chineseUnit(word: string): Unit {
  if (/^[天日]$/.test(word)) return "day";
  if (/^(?:周|星期|礼拜)$/.test(word)) return "week";
  if (word === "月") return "month";
  if (word.startsWith("季")) return "quarter";
  return word === "半年" ? "half" : "year";
}

/** -1 for the last one, 0 for this one, 1 for the next. */
export function chineseTurn(word: string): number {
  const size = /^(?:上上|下下)/.test(word) ? 2 : 1;
  if (word.startsWith("上")) return -size;
  return word.startsWith("下") ? size : 0;
}

/** The year that a word counts from this one. */
export function chineseNearYear(word: string): number {
  return ["前年", "去年", "今年", "明年", "后年"].indexOf(word) - 2;
}
