import { stemmer } from "stemmer";

/** What stands between words. */
const between = /[^\p{L}\p{N}\p{M}.]/u;

/** A character of a script that is written without spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Where such a script begins or ends. */
const border =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])(?=[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])|(?<=[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u;

/** Whether a text has a character of a script without spaces between words. */
export function isUnspaced(text: string): boolean {
  return unspaced.test(text);
}

/** The runs of a folded text between spaces, marks and changes of script; points stay in them. */
export function runsOf(plain: string): readonly string[] {
  return plain
    .split(between)
    .flatMap((run) => run.split(border))
    .filter((run) => run !== "");
}

/** The pieces of a run: its words, or pairs of neighbouring characters in a script without spaces. */
export function piecesOf(run: string): readonly string[] {
  if (!unspaced.test(run)) return wordsOf(run);
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/** An English word without the commonest endings, so that "refunds", "refunded" and "refund" are one. */
export function stemmed(token: string): string {
  return /^[a-z]{4,}$/.test(token) ? stemmer(token) : token;
}

/** Words, parted at points; a number such as 8.8 stays whole. */
function wordsOf(run: string): readonly string[] {
  const parts = run.split(".").filter((part) => part !== "");
  const isNumber = parts.length > 1 && parts.every((part) => /^\d+$/.test(part));
  return isNumber ? [parts.join(".")] : parts;
}
