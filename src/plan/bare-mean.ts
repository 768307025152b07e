import type { Json } from "../json/json.js";
import { figuresIn } from "./figures.js";

const meanWord = /\b(?:average|mean)\b|平均/i;

/** Whether a question asks for a mean. */
export function asksMean(question: string): boolean {
  return meanWord.test(question);
}

const term = /^(?:\{\{[^{}]{1,80}\}\}|\d{1,15}(?:\.\d{1,15})?)$/;

/**
 * A mean whose brackets are missing, with them: of three, "a + b + c / 3" divides only the last. Nothing for any other
 * calculation, and where the question asks for no mean.
 */
export function meanInBrackets(question: string, expression: Json | undefined): string | undefined {
  if (typeof expression !== "string" || !asksMean(question)) return undefined;
  const terms = partsOf(expression, "+");
  const [last = "", divisor = "", ...more] = partsOf(terms.pop() ?? "", "/");
  const all = [...terms, last];
  const isBare = terms.length > 0 && more.length === 0 && Number(divisor) === all.length;
  return isBare && all.every((each) => term.test(each))
    ? `(${all.join(" + ")}) / ${divisor}`
    : undefined;
}

/** Words with which something is divided: a mean, a ratio, a share. */
const divisionWord =
  /\b(?:average|mean|each|per|every|an? hour|shares?|half|split|divided?)\b|平均|每|各|分/i;

/** A sum in brackets that is divided by a number, and nothing else. */
const divided = /^\s*\(([^()]{1,300})\)\s*[/÷]\s*(\d{1,3})\s*$/;

/** By what a calculation divides a sum of as many figures: a mean, where the question asks for none. */
export function unaskedMean(question: string, expression: string): number | undefined {
  const [, sum = "", divisor = ""] = divided.exec(expression) ?? [];
  const terms = partsOf(sum, "+");
  const count = Number(divisor);
  const isMean =
    terms.length > 1 && terms.length === count && terms.every((each) => term.test(each));
  return isMean && !divisionWord.test(question) && !figuresIn(question).includes(count)
    ? count
    : undefined;
}

function partsOf(text: string, sign: string): string[] {
  return text.split(sign).map((part) => part.trim());
}
