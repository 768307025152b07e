import type { Json } from "../json/json.js";
import { figuresIn, isCalculation, type PlacedFigure } from "./figures.js";

/** More figures than this are not those of a question: it holds a text or a list. */
export const maxAskedFigures = 6;

/** A longer question, in characters, holds a text: its names are not all asked about, and it is not said again. */
export const maxAskedChars = 500;

/** The figures of a question that no call has, in its words. */
export function figuresLeft(
  question: string,
  asked: readonly PlacedFigure[],
  calls: readonly { readonly args: Json }[],
): string[] {
  const taken = new Set(calls.flatMap(({ args }) => numbersIn(args)));
  return asked
    .filter(({ values }) => !values.some((value) => formsOf(value).some((form) => taken.has(form))))
    .map(({ start, end }) => question.slice(start, end).trim());
}

/** Whether a figure may be a year: what a question says of one is looked up, not calculated with. */
export function isYear(figure: number): boolean {
  return Number.isInteger(figure) && figure >= 1000 && figure <= 2100;
}

/** Words for a sum, a mean, a share, a ratio or the time between two dates: what no look-up tells. */
const calculated =
  /\b(?:calculate|(?:for|on|in) each|per|an hour|average|percent(?:age)?|share of|times as|twice|together|altogether|in (?:all|total)|(?:years|months|weeks|days|hours|minutes) (?:\p{L}+ ){0,3}between)\b|每|平均|百分|占|几倍|多少倍|一共|总共|合计|总计|相隔/iu;

/** The word of a question that asks for a figure which is mostly calculated from others. */
export function calculationWord(question: string): string | undefined {
  return calculated.exec(question)?.[0];
}

/** Figures that calculations have of themselves: units of time, percent, thousands. */
export const ownFigures: ReadonlySet<number> = new Set([
  0, 12, 24, 30, 52, 60, 100, 360, 365, 366, 1000, 3600,
]);

/** How a figure stands in a calculation: 15 % as 0.15, 1.15, 0.85, 115 and 85. */
export function formsOf(value: number): number[] {
  const share = value / 100;
  return [
    value,
    -value,
    share,
    1 + share,
    1 - share,
    100 + value,
    100 - value,
    1 + value,
    1 - value,
  ].map((form) => Number(form.toPrecision(12)));
}

/** The figures in the arguments of a call. */
export function numbersIn(value: Json): number[] {
  if (typeof value === "number") return [value];
  if (typeof value === "string") return figuresIn(isCalculation(value) ? spaced(value) : value);
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(numbersIn);
}

/**
 * A calculation without its references, and with a line for each of its figures: "{{E1}}*1.15" has the figure 1.15. With
 * blanks between them, "188/104" would be the figure 188 104. Commas before thousands are read as the calculator does.
 */
function spaced(calculation: string): string {
  return calculation
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, "")
    .replaceAll(/\{\{[^{}]*\}\}|[-+*/^%(),×÷−]/g, "\n");
}
