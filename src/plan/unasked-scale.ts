import { figuresIn } from "./figures.js";

/** A power of ten, from 100 on, that a calculation multiplies or divides by. */
const factor = /[*×/÷]\s*(10{2,9})(?![\d.,]\d|\d)|(?<![\d.,])(10{2,9})\s*[*×]/g;

/** Words for what is said in hundredths. */
const hundredths = /%|\bper ?cent|\bshare\b|\bproportion\b|\brate\b|\bcents?\b|百分|占|比例|率/i;

/** Words of scales and of units that others are converted to. */
const scales =
  /\b(?:thousand|million|billion|trillion|(?:kilo|centi|milli|mega|giga)?(?:metre|meter|gram|litre|liter|watt|byte)|(?:kilo|mega|giga)?hertz|ton(?:ne)?|hectare|acre|[kcm]?m[²³]?|[kmg]b|k?g|m?l|square|cubic|cent|percentage)s?\b|[千万亿百米克升吨分]/gi;

/** What a calculation takes: figures and results of steps. */
const operand = /\{\{[^{}]*\}\}|\d[\d.,]*/g;

/**
 * The power of ten that a calculation multiplies or divides by, where nothing asks for it: neither question nor results say
 * it, the question asks for no percentage, and all units and scales that it names stand in the results, too, so that none
 * has to be converted. Without results, which may be in any unit, it names none. A calculation of one figure alone does nothing
 * else: without the power of ten it would be none.
 */
export function unaskedScale(
  calculation: string,
  question: string,
  results: readonly string[] = [],
): number | undefined {
  const factors = [...calculation.matchAll(factor)].map(([, after, before]) =>
    Number(after ?? before),
  );
  const operands = calculation.match(operand)?.length ?? 0;
  if (factors.length === 0 || operands < 3 || hundredths.test(question)) return undefined;
  const found = new Set(results.flatMap(scalesIn));
  if (scalesIn(question).some((word) => !found.has(word))) return undefined;
  const said = new Set([question, ...results].flatMap(figuresIn));
  return factors.find((figure) => !said.has(figure));
}

function scalesIn(text: string): string[] {
  return [...text.matchAll(scales)].map(([word]) => word.toLowerCase().replace(/s$/, ""));
}
