import { figuresIn } from "./figures.js";

/** Words for what is said in hundredths. */
const hundredths = /%|\bper ?cent|\bshare\b|\bproportion\b|\brate\b|\bcents?\b|百分|占|比例|率/i;

/** Words of scales and of units that others are converted to. */
const scales =
  /\b(?:thousand|million|billion|trillion|(?:kilo|centi|milli|mega|giga)?(?:metre|meter|gram|litre|liter|watt|byte)|(?:kilo|mega|giga)?hertz|ton(?:ne)?|hectare|acre|[kcm]?m[²³]?|[kmg]b|k?g|m?l|square|cubic|cent|percentage)s?\b|[千万亿百米克升吨分]/gi;

/** The words without which nothing is converted by a number. */
const timeWords: ReadonlyMap<number, RegExp> = new Map([
  [12, /\b(?:month|dozen)|[月打]/i],
  [24, /\b(?:hour|day|daily)|[时天日]/i],
  [52, /\bweek|周|星期/i],
  ...[60, 3600].map((each): [number, RegExp] => [each, /\b(?:hour|minute|second)|[时分秒]/i]),
  ...[360, 365, 366].map((each): [number, RegExp] => [each, /\b(?:day|daily)|[天日]/i]),
]);

const factors = ["10{2,9}", ...timeWords.keys()].join("|");

/** What a calculation multiplies or divides by: a power of ten from 100 on, or a number that converts units of time. */
const factor = new RegExp(
  String.raw`[*×/÷]\s*(${factors})(?![\d.,]\d|\d)|(?<![\d.,])(${factors})\s*[*×]`,
  "g",
);

/** What a calculation takes: figures and results of steps. */
const operand = /\{\{[^{}]*\}\}|\d[\d.,]*/g;

/**
 * The power of ten, or the number that converts units of time, that a calculation multiplies or divides by, where nothing asks
 * for it: neither question nor results say it or name what it converts, and the question asks for no percentage. Without
 * results, which may be in any unit, a question that names a unit may want any power of ten, and time may be converted. A
 * calculation of one figure alone does nothing else: without the number it would be none.
 *
 * `units` are texts that may say in which unit the results are, such as the descriptions of their tools.
 */
export function unaskedScale(
  calculation: string,
  question: string,
  results: readonly string[] = [],
  units: readonly string[] = [],
): number | undefined {
  const found = [...calculation.matchAll(factor)].map(([, after, before]) =>
    Number(after ?? before),
  );
  const operands = calculation.match(operand)?.length ?? 0;
  if (found.length === 0 || operands < 3) return undefined;
  const said = new Set([question, ...results].flatMap(figuresIn));
  return found.find((figure) => {
    const words = timeWords.get(figure);
    const isAsked =
      words === undefined
        ? mayScale(question, results, units)
        : mayConvert(words, question, results);
    return !isAsked && !said.has(figure);
  });
}

/** Whether a question wants a figure in hundredths, or in a unit that the results have not. */
function mayScale(question: string, results: readonly string[], units: readonly string[]): boolean {
  const found = new Set([...results, ...units].flatMap(scalesIn));
  return (
    hundredths.test(question) ||
    scalesIn(question).some((word) => !found.has(word)) ||
    units.some((text) => hasLargerUnit(text, question))
  );
}

/** A unit in thousands or more: "thousand crowns". */
const largeUnit = /\b(?<scale>thousand|million|billion|trillion)s?(?: of)? (?<unit>\p{L}{3,40})/giu;

/** Whether a text says "thousand crowns", and the question asks for crowns. */
function hasLargerUnit(text: string, question: string): boolean {
  const asked = question.toLowerCase();
  return [...text.toLowerCase().matchAll(largeUnit)].some(
    ({ groups: { scale = "", unit = "" } = {} }) => asked.includes(unit) && !asked.includes(scale),
  );
}

/** Whether something of what these words name may be converted. */
function mayConvert(words: RegExp, question: string, results: readonly string[]): boolean {
  return results.length === 0 || [question, ...results].some((text) => words.test(text));
}

function scalesIn(text: string): string[] {
  return [...text.matchAll(scales)].map(([word]) => word.toLowerCase().replace(/s$/, ""));
}
