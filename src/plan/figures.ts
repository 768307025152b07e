// A figure is not part of a word (E1, 3D), a date or a time (2026-11-21, 12:30), and not an ordinal (2nd).
const figure = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.,:/'’-]|[\p{N}\p{L}]\s?[-−–])([-−]?)` +
    String.raw`(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[\u00A0\u202F '’]\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3}){2,}|\d+(?:\.\d+)?)` +
    String.raw`(?![\p{N}_]|[eE]\d|[.,:/'’-]\p{N}|(?:st|nd|rd|th|D)(?!\p{L}))` +
    String.raw`\s?(%|(?:thousand|million|billion|trillion)(?!\p{L}))?`,
  "gu",
);

const scales: { readonly [word: string]: number } = {
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
};

/** A figure in a text: its values (a percentage is 30 and 0.3), and where it stands. */
export type PlacedFigure = {
  readonly values: readonly number[];
  readonly start: number;
  readonly end: number;
};

/** The figures in a text with their places, in order. */
export function figurePlaces(text: string): PlacedFigure[] {
  return [...text.matchAll(figure)].map(({ index, 0: all, 1: sign, 2: digits = "", 3: scale }) => ({
    values: valuesOf(digits, sign === "" ? 1 : -1, scale ?? ""),
    start: index,
    end: index + all.length,
  }));
}

function valuesOf(digits: string, sign: number, scale: string): number[] {
  const dots = digits.split(".").length - 1;
  const plain = digits.replaceAll(dots > 1 ? /\./g : /[^\d.]/g, "");
  const value = Number(plain) * sign;
  if (scale === "%") return [value, Number((value / 100).toPrecision(12))];
  return [Number((value * (scales[scale] ?? 1)).toPrecision(15))];
}

/** The figures in a text, each once, in order; a percentage appears as 30 and as 0.3. */
export function figuresIn(text: string): number[] {
  return [...new Set(figurePlaces(text).flatMap(({ values }) => values))];
}

const id = String.raw`E[1-9]\d{0,3}`;
const reference = String.raw`\{\{\s*${id}(?!\w)[^{}]{0,80}\}\}`;
const functionName = String.raw`[a-z]\w{0,15}(?=\s*\()`;
// No two alternatives start with the same character: there is only one way to match, in linear time.
const part = String.raw`${reference}|${id}(?![\w.])|\d|(?<=\d)\.(?=\d)|${functionName}|[-+*/^%(),\s×÷−]`;
const calculation = new RegExp(`^(?:${part})+$`);
const bareId = new RegExp(String.raw`\{\{[^{}]*\}\}|(?<![\w.])${id}(?![\w.])`, "g");
const sign = new RegExp(String.raw`[-+*/^%×÷−]|${functionName}`);

/**
 * Whether a text is only a calculation: numbers, signs, brackets, functions and results of steps, with at least one
 * sign or function. "E1 visa" and "E1" are texts.
 */
export function isCalculation(text: string): boolean {
  return text.length <= maxChars && calculation.test(text) && sign.test(text);
}

/** The longest expression that the calculator accepts. */
const maxChars = 500;

/** A calculation with `{{E1}}` for each `E1` in `earlier` (small models write it so). Other texts stay. */
export function withBraces(text: string, earlier: ReadonlySet<string>): string {
  if (!isCalculation(text)) return text;
  return text.replaceAll(bareId, (found) => (earlier.has(found) ? `{{${found}}}` : found));
}
