import { stemmer } from "stemmer";

import { folded } from "./fold.js";
import { isStop } from "./stop-words.js";
import type { Terms } from "./terms.js";

/** The part of `Terms` that finds names in a text. */
export type NameFinder = Pick<Terms, "namesIn" | "stop">;

/** What stands between words. */
const between = /[^\p{L}\p{N}\p{M}.]/u;

/** A character of a script that is written without spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Where such a script begins or ends. */
const border =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])(?=[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])|(?<=[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u;

/**
 * The tokens by which a text is found: its words without their endings, pairs of neighbouring characters in scripts
 * without spaces, and a token of its own for each name of the terms, under all its spellings. Stop words are left out,
 * unless nothing else is there. A token occurs as often as it is in the text.
 */
export function analyse(text: string, terms: NameFinder): readonly string[] {
  const plain = folded(text);
  const names = terms.namesIn(plain).map(nameToken);
  const runs = plain.split(between).flatMap((run) => run.split(border));
  const pieces = runs.flatMap((run) => piecesOf(run));
  const told = pieces.filter((piece) => !isStop(piece) && !terms.stop.has(piece));
  return [...names, ...(told.length === 0 && names.length === 0 ? pieces : told).map(stemmed)];
}

/** How much a token counts in a question: a name counts more than its pieces. */
export function weightOf(token: string): number {
  return token.startsWith("=") ? 2 : 1;
}

function nameToken(name: string): string {
  return `=${name.replaceAll(/[^\p{L}\p{N}]+/gu, "")}`;
}

function piecesOf(run: string): readonly string[] {
  if (!unspaced.test(run)) return wordsOf(run);
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/** English words without the commonest endings, so that "refunds", "refunded" and "refund" are one token. */
function stemmed(token: string): string {
  return /^[a-z]{4,}$/.test(token) ? stemmer(token) : token;
}

/** Words, parted at points; a number such as 8.8 stays whole. */
function wordsOf(run: string): readonly string[] {
  const parts = run.split(".").filter((part) => part !== "");
  const isNumber = parts.length > 1 && parts.every((part) => /^\d+$/.test(part));
  return isNumber ? [parts.join(".")] : parts;
}
