/** The figure that an answer must hold. */
export type Wanted = {
  readonly figure: number;
  /** The unit it may have; another one makes the answer wrong. Without it a bare figure is wanted. */
  readonly unit?: keyof typeof units;
  /** What a comparison must come to: which of two it is. */
  readonly which?: Comparison;
};

/** A comparison of two names: `right` is more of `words[0]`, `wrong` is more of `words[1]`. */
type Comparison = {
  readonly right: string;
  readonly wrong: string;
  readonly words: readonly [more: string, less: string];
};

const units = {
  metres: /^(?:m|met(?:re|er)s?)\b/i,
  kilometres: /^(?:km|kilomet(?:re|er)s?)\b/i,
  percent: /^(?:%|per ?cent\b)/i,
  times: /^(?:times|fold|x|×)/i,
  years: /^(?:-? ?years?)\b/i,
  crowns: /^crowns?\b/i,
  people: /^(?:people|inhabitants|residents|persons)\b/i,
  tonnes: /^(?:t|tonn?es?|tons?)\b/i,
  hours: /^(?:h|hours?)\b/i,
  hectares: /^(?:ha|hectares?)\b/i,
} as const;

/** Takes a figure that was rounded, and none that was miscalculated. */
const tolerance = 0.0015;

/** Whether an answer holds the right figure, in any usual spelling, with no foreign unit and, in a comparison, the right name. */
export function isRight(answer: string, { figure, unit, which }: Wanted): boolean {
  const isThere = figuresIn(answer).some(
    ({ value, after }) =>
      Math.abs(value - figure) <= Math.abs(figure) * tolerance && fits(after, unit),
  );
  return isThere && (which === undefined || chosen(answer, which));
}

const spelled =
  /(?<![\w.,])([-−–]?)\$?(\d{1,3}(?:[ ,.'’\u00A0\u202F]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?)( ?(?:million|thousand|k)\b)?/gi;

const scales: { readonly [word: string]: number } = { million: 1e6, thousand: 1e3, k: 1e3 };

/** The figures of a text, in every way that they may be read: 1.234 is one and a bit, or a thousand. */
function figuresIn(text: string): { value: number; after: string }[] {
  const plain = text.replaceAll(/\\[(),[\]]|\*\*|\\text|[{}]/g, "");
  return [...plain.matchAll(spelled)].flatMap(({ index, 0: all, 1: sign, 2: digits, 3: scale }) => {
    const after = plain.slice(index + all.length).replace(/^[\s~-]+/, "");
    const factor = (sign === "" ? 1 : -1) * (scales[(scale ?? "").trim().toLowerCase()] ?? 1);
    return readings(digits ?? "").map((value) => ({ value: value * factor, after }));
  });
}

function readings(digits: string): number[] {
  const bare = digits.replaceAll(/[ '’\u00A0\u202F]/g, "");
  const isGrouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^[^,]*$/.test(bare);
  const isGroupedByPoints = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$|^\d+,\d+$/.test(bare);
  return [
    ...(isGrouped ? [Number(bare.replaceAll(",", ""))] : []),
    ...(isGroupedByPoints ? [Number(bare.replaceAll(".", "").replace(",", "."))] : []),
  ].filter((value) => Number.isFinite(value));
}

function fits(after: string, unit: Wanted["unit"]): boolean {
  const named = Object.entries(units).find(([, pattern]) => pattern.test(after));
  return named === undefined || named[0] === unit;
}

/** Whether an answer says that `right` has more. */
function chosen(answer: string, { right, wrong, words: [more, less] }: Comparison): boolean {
  if (!answer.includes(wrong)) return answer.includes(right);
  const word = new RegExp(String.raw`\b(?:(${more})|(${less}))\b`, "i").exec(answer);
  const either = `${right}|${wrong}`;
  if (word === null) return answer.search(either) === answer.indexOf(right);
  const named = subjectOf(answer.slice(0, word.index), answer.slice(word.index), either);
  return named === (word[1] === undefined ? wrong : right);
}

/** Of whom a word of comparison is said: of who stands before it, or in "the longer one is …" of who follows. */
function subjectOf(before: string, from: string, either: string): string | undefined {
  const named = new RegExp(String.raw`\bis (?:the )?(?:\w+ )?(${either})`).exec(from)?.[1];
  const next = named ?? new RegExp(either).exec(from)?.[0];
  const isAhead = /(?<!\b(?:is|as|be) )\bthe $/i.test(before);
  return isAhead ? next : (before.match(new RegExp(either, "g"))?.at(-1) ?? next);
}
