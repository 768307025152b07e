import type { Figure } from "../evidence/figure.js";
import { placedFigures } from "../evidence/read-figures.js";
import type { Expectations } from "./case.js";

type Wanted = NonNullable<Expectations["number"]>;

/** Whether a number stands in an answer, however it is written, and in no other unit. */
export function holdsNumber(answer: string, wanted: Wanted): boolean {
  const { value, unit } = wanted;
  const text = readable(answer, unit);
  const inUnit = unit === undefined ? undefined : placedFigures(`${value} ${unit}`)[0];
  return placedFigures(text).some((figure) => {
    const { number, unit: own, asWritten = number } = figure;
    if (!isNumber(figure, text)) return false;
    if (own === "date") return isNear(yearOf(number), wanted);
    if (unit === undefined) {
      const isShare = own === "ratio" && isNear(Number(number), wanted);
      return isShare || isNear(Number(asWritten), wanted);
    }
    if (own === undefined) return isWithoutUnit(Number(number), wanted, inUnit);
    return own === inUnit?.unit && isNear(Number(number), wanted, Number(inUnit.number));
  });
}

/** Whether a number is the one that is wanted; `of` is that one in the unit in which the number is read. */
export function isNear(number: number, { value, tolerance }: Wanted, of = value): boolean {
  // A unit may be read in another one: years in months.
  const scale = value === 0 ? 1 : of / value;
  return Math.abs(number - of) <= (tolerance + Math.abs(value) * rounding) * Math.abs(scale);
}

/** Whether a number without a unit is the wanted one, or that with the scale of its unit: 2.5 thousand crowns are 2,500. */
function isWithoutUnit(number: number, wanted: Wanted, inUnit: Figure | undefined): boolean {
  const isScaled = inUnit?.unit === undefined && Number(inUnit?.number) !== wanted.value;
  return isNear(number, wanted) || (isScaled && isNear(number, wanted, Number(inUnit?.number)));
}

/** What numbers of a computer are off by. */
const rounding = 1e-9;

/** Days of the week have numbers only as dates, and "the next day" is the second one only there. */
function isNumber({ unit, start, end }: Figure, text: string): boolean {
  if (unit === "weekday") return false;
  return unit !== "nth day" || /[\d一二三四五六七八九十]/u.test(text.slice(start, end));
}

/** The year of a date that has one. */
function yearOf(date: string): number {
  return Number(/^\d{4}/.exec(date)?.[0] ?? Number.NaN);
}

/** An answer without what keeps its numbers from being read: it is no document with lists and names of models. */
function readable(answer: string, unit: string | undefined): string {
  const plain = answer
    .replaceAll(signs, "")
    .replaceAll(groupSpace, "")
    .replaceAll(alone, "$<number>")
    .replaceAll(millions, " million")
    .replaceAll(billions, " billion")
    .replaceAll(/(?<![\w-])zero(?![\w-])/gi, "0");
  return unit === undefined ? plain : withSpace(plain, unit);
}

/** A text in which no unit touches its number: letters after a number may be a name, as in 3D. */
function withSpace(text: string, unit: string): string {
  return text.replaceAll(unit, (found, at: number) => {
    const isUnit =
      /\d/.test(text.charAt(at - 1)) && !/[\p{L}\d]/u.test(text.charAt(at + unit.length));
    return isUnit ? ` ${found}` : found;
  });
}

/** Signs of TeX and Markdown around a number. */
const signs = /\\[(),[\]]|\*\*/g;
/** A space between the thousands of a number. */
const groupSpace = /(?<=(?<!\d)\d{1,3})[ '’\u00A0\u202F](?=\d{3}(?!\d))/gu;
/** A number that is a whole line is not the number of an item. */
const alone = /^(?<number>[ \t]*[-−+]?\d{1,2})[.。)][ \t]*$/gmu;
const millions = /(?<=\p{Sc}\s?\d[\d.,]{0,12})\s?M(?![\p{L}\d])/gu;
const billions = /(?<=\p{Sc}\s?\d[\d.,]{0,12})\s?(?:bn|B)(?![\p{L}\d])/gu;
