import { isCommonSign, isCommonWord, withoutCommonWords } from "./common-words.js";
import { isStop } from "./stop-words.js";
import { isUnspaced, runsOf, stemmed } from "./words.js";

/** What a text is about: pairs and single signs of scripts without spaces, and stems of words. */
export type Content = {
  readonly tokens: ReadonlySet<string>;
  /** Runs of signs in scripts without spaces, without common words. */
  readonly runs: readonly string[];
  /** Words with spaces between them, folded. */
  readonly words: readonly string[];
};

/** Signs that are in no name of a thing. */
const particle = /[的了是您由]/g;

/** The content of a folded text without figures, in one word for all that say the same. */
export function contentOf(plain: string): Content {
  const all = runsOf(withoutCommonWords(plain).replaceAll(particle, " "));
  const runs = all.filter(isUnspaced);
  const words = all.filter((run) => !isUnspaced(run)).flatMap(wordsIn);
  return { runs, words, tokens: new Set([...runs.flatMap(signsOf), ...words.map(stemmed)]) };
}

/** The tokens of a ground, in which common words may be parts of others. */
export function lentTokens(plain: string): ReadonlySet<string> {
  const runs = runsOf(plain);
  const words = runs.filter((run) => !isUnspaced(run)).flatMap((run) => run.split("."));
  return new Set([...runs.filter(isUnspaced).flatMap(signsOf), ...words.map(stemmed)]);
}

function wordsIn(run: string): readonly string[] {
  return run.split(".").filter((word) => word.length > 1 && !isStop(word) && !isCommonWord(word));
}

/** The pairs of neighbouring signs, and the signs. */
function signsOf(run: string): readonly string[] {
  const signs = Array.from(run);
  const pairs = signs.slice(1).map((sign, at) => `${signs[at]}${sign}`);
  return [...pairs.filter((pair) => !isStop(pair)), ...signs.filter((sign) => !isEmpty(sign))];
}

function isEmpty(sign: string): boolean {
  return isStop(sign) || isCommonSign(sign);
}

/** A pair or a word counts more than a single sign. */
export function weightOfToken(token: string): number {
  if (!isUnspaced(token)) return 2;
  return Array.from(token).length > 1 ? 1 : 0.5;
}

/** The weight of the tokens that both have. */
export function shared(tokens: Iterable<string>, lent: ReadonlySet<string>): number {
  let weight = 0;
  for (const token of tokens) if (lent.has(token)) weight += weightOfToken(token);
  return weight;
}

/** The part of the content that is in other tokens, from 0 to 1; 1 without content. */
export function coverage(tokens: ReadonlySet<string>, lent: ReadonlySet<string>): number {
  const all = shared(tokens, tokens);
  return all === 0 ? 1 : shared(tokens, lent) / all;
}

/** Words of a content that are nowhere in the lent tokens; in scripts without spaces, so many signs in a row. */
export function strangeWords(
  { runs, words }: Content,
  lent: ReadonlySet<string>,
  leastSigns = 2,
): readonly string[] {
  const strange = words.filter((word) => !lent.has(stemmed(word)));
  return [...strange, ...runs.flatMap((run) => strangeIn(run, lent, leastSigns))];
}

/** Signs in a row that are in no pair of the lent ones, one of them nowhere. */
function strangeIn(run: string, lent: ReadonlySet<string>, least: number): readonly string[] {
  const signs = Array.from(run);
  const isPaired = (at: number) =>
    lent.has(`${signs[at - 1]}${signs[at]}`) || lent.has(`${signs[at]}${signs[at + 1]}`);
  const strange = signs.map((sign, at) => !isPaired(at) && !isEmpty(sign));
  // In the middle of a name, such as 阿里云, a stop word is a part of it.
  const isInName = (at: number) => strange[at - 1] === true && strange[at + 1] === true;
  const marked = signs.map((sign, at) => (strange[at] === true || isInName(at) ? sign : " "));
  return marked
    .join("")
    .split(" ")
    .map((part) => Array.from(part))
    .filter((part) => part.length >= least && part.some((sign) => !lent.has(sign)))
    .map((part) => part.join(""));
}
