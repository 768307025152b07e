import { chineseNumber, englishNumber, englishOnes } from "../dates/number-words.js";
import { maxAskedChars } from "./asked-figures.js";

/** A number of things that a question asks a total for: "4 Corvo lamps", "3 of them", "a family of 4". */
export type AskedCount = {
  readonly count: number;
  /** The words of the question. */
  readonly phrase: string;
};

/** "two" to "ten". */
const words = englishOnes.slice(1, 10).join("|");

const number = String.raw`(?<![\p{L}\p{N}.,:/'’-])(?<count>\d{1,4}|${words})`;
const word = String.raw`\p{L}[\p{L}’'-]{1,30}`;

type Counted = {
  readonly pattern: RegExp;
  /** Whether results tell it for one and not for as many; `what` is what the pattern says of that. */
  readonly isOfOne: (results: string, what: string) => boolean;
};

const counted: readonly Counted[] = [
  // "3 of them"
  {
    pattern: new RegExp(String.raw`${number} of (?:them|these|those)\b`, "giu"),
    isOfOne: () => true,
  },
  // "4 Corvo lamps"
  {
    pattern: new RegExp(
      String.raw`${number} (?<what>(?=\p{Lu})(?:${word} ){0,2}?${word}s)\b`,
      "gu",
    ),
    isOfOne: (results, what) => !new RegExp(String.raw`\d ${what.toLowerCase()}`).test(results),
  },
  // "5 tickets", where a result tells what "a ticket" costs; "the 2 museums" are those that are named.
  {
    pattern: new RegExp(
      String.raw`(?<!\b(?:the|these|those|all|both|of) )${number} (?<what>\p{Ll}{2,30})s\b`,
      "gu",
    ),
    isOfOne: (results, what) =>
      new RegExp(
        String.raw`\b(?:an?|each|one|every) ${what} (?:costs?|weighs?|pays?)\b|\d \p{L}{1,20} (?:an?|per|each|every) ${what}\b`,
        "u",
      ).test(results),
  },
  // "a family of 4"
  {
    pattern:
      /\b(?<what>family|class|group|party|team|crew) of (?<count>\d{1,4}|\p{Ll}{3,5})\b(?![.,]\d)/giu,
    isOfOne: (results, what) => !results.includes(what.toLowerCase()),
  },
  // "4盏Corvo灯"
  {
    pattern:
      /(?<![\d.])(?<count>\d{1,4}|[两三四五六七八九十])\s?[个张盏本人名位台件份杯只把辆间支瓶块](?![月年]|小时|星期|钱)/gu,
    isOfOne: () => true,
  },
];

/** Questions for what several things make together. */
const forTotal =
  /\b(?:costs?|weighs?|pays?|prices?|charges?)\b|多少钱|花费|费用|价格|总价|要付|多重|共重/i;

/** What is divided among several, or told for one of them. */
const forOne =
  /\b(?:each|per|every|apiece|shared?|shares|split|divided?|among|average|mean|(?:does|for|of) one)\b|每|平均|分摊|平分/i;

/**
 * The numbers of things that a question asks for what they cost or weigh together: what results tell of one is to be
 * multiplied by them. Not where the question asks for one of them, or what is divided among several, not where the
 * results tell it for as many, and not in a text, which is longer than a question.
 */
export function askedCounts(question: string, results: readonly string[]): AskedCount[] {
  if (question.length > maxAskedChars || !forTotal.test(question) || forOne.test(question))
    return [];
  const told = results.join("\n").toLowerCase();
  const found = counted.flatMap(({ pattern, isOfOne }) =>
    [...question.matchAll(pattern)].filter(({ groups }) => isOfOne(told, groups?.["what"] ?? "")),
  );
  return found
    .toSorted((one, other) => one.index - other.index)
    .map(({ 0: phrase, groups }) => ({ count: valueOf(groups?.["count"] ?? ""), phrase }))
    .filter(({ count }) => count > 1);
}

/** 0 for a word that is no number. */
function valueOf(count: string): number {
  return englishNumber(count.toLowerCase()) || chineseNumber(count) || 0;
}

/** Whether a calculation multiplies something by this number, and divides nothing by it. */
export function isMultipliedBy(expression: string, count: number): boolean {
  const product = String.raw`(?<![\d.,])${count}\s*[*×]|[*×]\s*\(?\s*${count}(?![\d.,]*\d)`;
  return new RegExp(product).test(expression) && !isDividedBy(expression, count);
}

/** Whether a calculation divides something by this number. */
export function isDividedBy(expression: string, count: number): boolean {
  return new RegExp(String.raw`[/÷]\s*\(?\s*${count}(?![\d.,]*\d)`).test(expression);
}
