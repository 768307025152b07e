import {
  chineseNumber,
  digitsOf,
  englishNumber,
  englishOnes,
  englishTeens,
  englishTens,
} from "../dates/number-words.js";
import { takeDates } from "./figure-dates.js";
import type { Figure } from "./figure.js";
import { halfWidth } from "./fold.js";
import { MaskedText } from "./masked.js";
import { measureBefore, measureBehind, measureOfTitle } from "./measures.js";

const address =
  /https?:\/\/[^\s\uE000\p{Script=Han}]{1,500}|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}/gu;
const ordinals: readonly RegExp[] = [
  /^[ \t>]*(?:[-*+•][ \t]+)?(?:#{1,6}[ \t]+)?(?:\*\*)?(?:[(（]?\d{1,2}[.)、）](?!\d)|[(（]?[一二三四五六七八九十]{1,3}[)）、.])/gmu,
  /(?:步骤|steps?)\s?(?:\d{1,2}|[一二三四五六七八九十]{1,3}|one|two|three|four|five|six)(?![\d.%\p{L}])/giu,
  /第\s?(?:\d{1,3}|[一二三四五六七八九十百]{1,4})(?!\s?[天日])/gu,
  /\[\^?\d{1,3}\]|[(（]\d{1,2}[)）]|[①-⑳]/g,
  // A name with figures in it.
  /(?<![\p{Script=Latin}\d])\p{Script=Latin}[\p{Script=Latin}_-]{0,30}\d[\p{Script=Latin}\d_-]{0,60}/gu,
];
const long = /(?<![\d.+-])(?:\+\d{1,3}(?:[- ]\d{2,8}){1,4}|\d{3,5}(?:-\d{2,8}){1,4})(?![\d.%-])/g;

/** The figures of a text with their places, in order. */
export function placedFigures(written: string): readonly Figure[] {
  const text = halfWidth(written);
  const masked = new MaskedText(text);
  const figures: Figure[] = [];
  masked.take(address, () => true);
  for (const pattern of ordinals.slice(0, 2)) masked.take(pattern, () => true);
  takeDates(masked, figures);
  for (const pattern of ordinals.slice(2)) masked.take(pattern, () => true);
  masked.take(long, (found) => takeLong(found, figures));
  for (const [pattern, read] of numbers) {
    masked.take(pattern, (found) => takeNumber(text, found, read, figures));
  }
  return inRanges(
    figures.toSorted((one, other) => one.start - other.start),
    text,
  );
}

/** A telephone number, or another number in groups: its figures count, not how they are grouped. */
function takeLong({ 0: text, index }: RegExpExecArray, figures: Figure[]): boolean {
  const digits = text.replaceAll(/\D/g, "");
  if (digits.length < 7) return false;
  figures.push({ start: index, end: index + text.length, number: digits, unit: undefined });
  return true;
}

type Read = (groups: Readonly<Record<string, string | undefined>>, behind: string) => number;

const chineseFigure = "[零〇一二两三四五六七八九十百千万亿]";
const classifier =
  /^\s?[个件张次条款位名人单笔份箱袋瓶盒台部套家只项种倍成折斤公克元块美欧港天日周星礼月季年小分秒工行词度岁米升毫厘吨点]/u;
const scales: Readonly<Record<string, number>> = {
  十: 10,
  百: 100,
  千: 1e3,
  万: 1e4,
  十万: 1e5,
  百万: 1e6,
  千万: 1e7,
  亿: 1e8,
  万亿: 1e12,
  k: 1e3,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  hundred: 100,
  w: 1e4,
};

const ones = englishOnes.slice(0, 9).join("|");
const words = [...englishOnes, ...englishTeens].join("|");
const tens = englishTens.join("|");

/** Readers of numbers; NaN if what they found is none. */
const numbers: readonly (readonly [RegExp, Read])[] = [
  [
    /百分之(?<number>\d{1,3}(?:\.\d{1,4})?|[零〇一二两三四五六七八九十百点]{1,8})/gu,
    ({ number = "" }) => valueOf(number) / 100,
  ],
  [
    /(?<number>\d{1,2}(?:\.\d{1,2})?|[一二三四五六七八九]点?[一二三四五六七八九]?)\s?折/gu,
    ({ number = "" }) => discount(number),
  ],
  [/对折|一半|半价|half(?= price| of)/gi, () => 0.5],
  [
    /(?<number>[一二三四五六七八九])成(?!功|为|本|交|员|长|立|分|人)/gu,
    ({ number = "" }) => chineseNumber(number) / 10,
  ],
  [
    /(?<![\d.])(?<number>\d{1,4}(?:\.\d{1,4})?)\s?亿\s?(?<rest>\d{1,4}(?:\.\d{1,4})?)\s?万/gu,
    ({ number, rest }) => Number(number) * 1e8 + Number(rest) * 1e4,
  ],
  [
    /(?<![\d.])(?<number>\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,12})?|\d{1,30}(?:\.\d{1,12})?)(?:\s?(?<scale>万亿|十万|百万|千万|[百千万亿]|(?:k|w|thousand|million|billion|hundred)(?![a-z])))?(?<percent>\s?(?:%|percent|per cent))?/giu,
    ({ number = "", scale, percent }) =>
      Number(number.replaceAll(",", "")) * scaleOf(scale) * (percent === undefined ? 1 : 0.01),
  ],
  [
    new RegExp(
      `(?<!${chineseFigure}|[几数好第])(?<number>[一二两三四五六七八九十]${chineseFigure}{0,12}(?:点[零一二三四五六七八九]{1,4})?)(?!${chineseFigure})`,
      "gu",
    ),
    ({ number = "" }, behind) => (isCount(number, behind) ? chineseNumber(number) : NaN),
  ],
  [/半(?=个?(?:小时|月|年|天|钟头))/gu, () => 0.5],
  [
    new RegExp(
      `(?<![\\p{L}-])(?<number>(?:${tens})(?:[ -](?:${ones}))?|${words}|a dozen|dozen|(?:a|one) hundred)(?:\\s(?<scale>hundred|thousand|million))?(?<percent>\\s(?:percent|per cent))?(?![\\p{L}])`,
      "giu",
    ),
    ({ number = "", scale, percent }, behind) => {
      const value = englishNumber(number.toLowerCase().replace(/^(?:a|one) (?=dozen|hundred)/, ""));
      // "One of them" counts nothing.
      if (value === 1 && scale === undefined && measureBehind(behind) === undefined) return NaN;
      return value * scaleOf(scale) * (percent === undefined ? 1 : 0.01);
    },
  ],
  [
    /(?<![a-z])(?<number>once|twice)(?![a-z])/gi,
    ({ number = "" }, behind) =>
      /^[ ,]*(?:an?|per|every|each|more)/i.test(behind) ? (/once/i.test(number) ? 1 : 2) : NaN,
  ],
  [
    /(?<=(?:within|in|after|for|takes?|least|than|or|and|about|last|to) )an?(?= (?:hour|day|week|month|year|minute|working day|business day))/gi,
    () => 1,
  ],
];

function takeNumber(text: string, found: RegExpExecArray, read: Read, figures: Figure[]): boolean {
  const { 0: written, index, groups = {} } = found;
  const end = index + written.length;
  const [before, behind] = [text.slice(Math.max(0, index - 24), index), text.slice(end, end + 24)];
  const value = read(groups, behind);
  if (Number.isNaN(value) || isPartOfName(text, end)) return false;
  const isShare = groups["percent"] !== undefined || share.test(written);
  const measure = isShare ? { unit: "ratio" } : measured(written, before, behind);
  const [scale, unit] = isShare ? [1, measure.unit] : scaleOfUnit(measure.unit);
  const size = value * scale;
  const sign = minus.test(before) ? "-" : "";
  figures.push({
    start: index - (measure.before ?? 0),
    end: end + (measure.behind ?? 0),
    number: `${sign}${plain(size, written)}`,
    unit,
    also: alsoAs(unit, size, before, behind),
    ...asWritten(value, { size, sign, isShare }),
  });
  return true;
}

/** How a number is read: in which size, with which sign, as a share of one. */
type Reading = { readonly size: number; readonly sign: string; readonly isShare: boolean };

/** The number as it is written, where it is read in another unit. */
function asWritten(value: number, { size, sign, isShare }: Reading): Pick<Figure, "asWritten"> {
  const own = isShare ? value * 100 : value;
  return own === size ? {} : { asWritten: `${sign}${plain(own)}` };
}

/** A week is seven days. The title of a column may say that its numbers are percentages. */
function scaleOfUnit(unit: string | undefined): readonly [number, string | undefined] {
  if (unit === "ratio") return [1 / 100, unit];
  if (unit === "week") return [7, "day"];
  if (unit === "year") return [12, "month"];
  return unit === "minute" ? [1 / 60, "hour"] : [1, unit];
}

/** What is left of a price if this share is taken off. */
function alsoAs(
  unit: string | undefined,
  size: number,
  before: string,
  behind: string,
): string | undefined {
  return unit === "ratio" && isReduction(before, behind) ? plain(1 - size) : undefined;
}

const share = /折|成|百分之|一半|半价|half/i;
/** A hyphen is a minus where it touches the number, or its currency, and nothing is before it that it could join. */
const minus =
  /(?:(?:零下|minus\s|(?<![\p{L}\d%\uE000]\s?)−)\s?\p{Sc}?|(?<![\p{L}\d%\uE000]|[\d%\uE000]\s)-\p{Sc}?|[是为到达约有]-)$/iu;

/** Whether a percentage is what is taken off a price. */
function isReduction(before: string, behind: string): boolean {
  return (
    /^\s?(?:off|discount|reduction|less|cheaper|的?折扣|的?优惠)/i.test(behind) ||
    /(?:立减|减免?|优惠|便宜|折扣为?|discount of|save)\s?$/i.test(before)
  );
}

type Measured = {
  readonly unit: string | undefined;
  readonly before?: number;
  readonly behind?: number;
};

function measured(number: string, before: string, behind: string): Measured {
  if (/once|twice/i.test(number)) return { unit: "times" };
  const unitBehind = measureBehind(behind);
  if (unitBehind !== undefined) return { unit: unitBehind.unit, behind: unitBehind.length };
  const unitBefore = measureBefore(before);
  if (unitBefore !== undefined) return { unit: unitBefore.unit, before: unitBefore.length };
  return { unit: measureOfTitle(before) };
}

/** Whether Latin letters that are no unit touch a number, as in 3D. */
function isPartOfName(text: string, end: number): boolean {
  if (!/\d/.test(text.charAt(end - 1))) return false;
  const behind = text.slice(end, end + 16);
  if (!/^[\p{Script=Latin}_]/u.test(behind) || /^(?:st|nd|rd|th)(?![a-z])/i.test(behind))
    return false;
  return measureBehind(behind) === undefined;
}

function plain(value: number, written = ""): string {
  // A number of an order has more digits than a number can hold.
  return /^\d{16,}$/.test(written) ? written : String(Number(value.toPrecision(12)));
}

function scaleOf(word: string | undefined): number {
  return word === undefined ? 1 : (scales[word.toLowerCase()] ?? 1);
}

/** A number in digits or Chinese characters. */
function valueOf(text: string): number {
  return /^\d/.test(text) ? Number(text) : chineseNumber(text);
}

/** 0.88 for 8.8折, 88折 and 八八折. */
function discount(written: string): number {
  const value = /^\d/.test(written)
    ? Number(written)
    : Number(digitsOf(written.replace("点", "")) ?? NaN);
  return value < 10 ? value / 10 : value / 100;
}

/** Whether a Chinese number counts something: 三个, 二十; not 一些, 一下, 三方. */
function isCount(number: string, behind: string): boolean {
  const isUnit = measureBehind(behind) !== undefined;
  if (number === "一")
    return (
      isUnit &&
      !/^\s?(?:个(?!月)|[^天年月周次元块小分秒公斤克米升]|次性|天天|月[^\p{L}]?份)/u.test(behind)
    );
  if (number === "十") return isUnit && !/^(?:分(?!钟)|足)/u.test(behind);
  if (number.length === 1) return isUnit || classifier.test(behind);
  return true;
}

/** Gives the first figure of a range the unit of the last: 3 to 5 days, 5 - 30 %. */
function inRanges(figures: readonly Figure[], text: string): readonly Figure[] {
  return figures.map((figure, at) => {
    const next = figures[at + 1];
    if (figure.unit !== undefined || next?.unit === undefined) return figure;
    const isRange = /^\s?(?:-|–|—|~|至|到|to|or|或|and|和)\s?$/i.test(
      text.slice(figure.end, next.start),
    );
    if (!isRange || /date|time|weekday/.test(next.unit)) return figure;
    const isShare = next.unit === "ratio" && Number(figure.number) >= 1;
    const number = isShare ? plain(Number(figure.number) / 100) : figure.number;
    return { ...figure, unit: next.unit, number };
  });
}
