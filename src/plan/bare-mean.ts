import type { Json } from "../json/json.js";

const meanWord = /\b(?:average|mean)\b|平均/i;

const term = /^(?:\{\{[^{}]{1,80}\}\}|\d{1,15}(?:\.\d{1,15})?)$/;

/**
 * A mean whose brackets are missing, with them: of three, "a + b + c / 3" divides only the last. Nothing for any other
 * calculation, and where the question asks for no mean.
 */
export function meanInBrackets(question: string, expression: Json | undefined): string | undefined {
  if (typeof expression !== "string" || !meanWord.test(question)) return undefined;
  const terms = partsOf(expression, "+");
  const [last = "", divisor = "", ...more] = partsOf(terms.pop() ?? "", "/");
  const all = [...terms, last];
  const isBare = terms.length > 0 && more.length === 0 && Number(divisor) === all.length;
  return isBare && all.every((each) => term.test(each))
    ? `(${all.join(" + ")}) / ${divisor}`
    : undefined;
}

function partsOf(text: string, sign: string): string[] {
  return text.split(sign).map((part) => part.trim());
}
