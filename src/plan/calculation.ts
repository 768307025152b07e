const id = String.raw`E[1-9]\d{0,3}`;
const reference = String.raw`\{\{\s*${id}\s*\}\}`;
const functionName = String.raw`[a-z]\w{0,15}(?=\s*\()`;
// No two parts begin with the same character: a text has one way to be cut into parts, and is read in linear time.
const part = String.raw`${reference}|${id}(?![\w.])|\d|(?<=\d)\.(?=\d)|${functionName}|[-+*/^%(),\s×÷−]`;
const calculation = new RegExp(`^(?:${part})+$`);
const bareId = new RegExp(String.raw`\{\{[^{}]*\}\}|(?<![\w.])${id}(?![\w.])`, "g");
const sign = new RegExp(String.raw`[-+*/^%×÷−]|${functionName}`);

/**
 * Whether a text calculates and does nothing else: numbers, signs, brackets, functions, results of steps, with
 * or without their braces, and at least one sign or function. "E1 visa" is a text, and so is "E1".
 */
export function isCalculation(text: string): boolean {
  return text.length <= maxChars && calculation.test(text) && sign.test(text);
}

/** What a calculator takes; a longer text is none. */
const maxChars = 500;

/**
 * A calculation with `E1` in place of `{{E1}}` as small models write it, in the canonical form, where the id
 * is one of the `earlier` steps. Every other text stays as it is.
 */
export function withBraces(text: string, earlier: ReadonlySet<string>): string {
  if (!isCalculation(text)) return text;
  return text.replaceAll(bareId, (found) => (earlier.has(found) ? `{{${found}}}` : found));
}
