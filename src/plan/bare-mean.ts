import { englishNumber } from "../dates/number-words.js";
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

/** Words with which something is divided, or counted several times: a mean, a ratio, a share. */
const countWord =
  /\b(?:average|mean|each|per|every|an? hour|shares?|half|split|divided?|times|twice|doubled?|tripled?|both)\b|平均|每|各|分|倍|两|俩/i;

/** A sum in brackets that is divided or multiplied by a number, and nothing else. */
const forms = [
  /^\s*\((?<sum>[^()]{1,300})\)\s*(?<sign>[/÷*×])\s*(?<number>\d{1,3})\s*$/,
  /^\s*(?<number>\d{1,3})\s*(?<sign>[*×])\s*\((?<sum>[^()]{1,300})\)\s*$/,
];

/** What a calculation does with a sum, and the number of its figures. */
export type ByCount = { readonly does: "divides" | "multiplies"; readonly count: number };

/**
 * A calculation that divides or multiplies a sum by the number of its figures, and does nothing else: a mean, or several times the
 * sum, where the question asks for neither.
 */
export function unaskedByCount(question: string, expression: string): ByCount | undefined {
  const found = forms.map((form) => byCount(form.exec(expression)?.groups)).find(Boolean);
  if (found === undefined || countWord.test(question)) return undefined;
  const { does, count } = found;
  // "The three of them together" asks for no mean, and "three tickets" may be multiplied.
  const isSaid =
    figuresIn(question).includes(count) || (does === "multiplies" && hasWordFor(count, question));
  return isSaid ? undefined : found;
}

function byCount({ sum = "", sign = "", number = "" }: Partial<Record<string, string>> = {}) {
  const terms = partsOf(sum, "+");
  const count = Number(number);
  const isOfAll =
    terms.length > 1 && terms.length === count && terms.every((each) => term.test(each));
  const does = "/÷".includes(sign) ? "divides" : "multiplies";
  return isOfAll ? ({ does, count } as const) : undefined;
}

const chineseFigures = "零一二三四五六七八九十";

function hasWordFor(number: number, text: string): boolean {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  const figure = chineseFigures[number] ?? "";
  return (
    words.some((word) => englishNumber(word) === number) || (figure !== "" && text.includes(figure))
  );
}

function partsOf(text: string, sign: string): string[] {
  return text.split(sign).map((part) => part.trim());
}
