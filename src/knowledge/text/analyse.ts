import { folded } from "../../evidence/fold.js";
import { isStop } from "../../evidence/stop-words.js";
import { piecesOf, runsOf, stemmed } from "../../evidence/words.js";
import type { Terms } from "./terms.js";

/** The part of `Terms` that finds names in a text. */
export type NameFinder = Pick<Terms, "namesIn" | "stop">;

/**
 * The tokens by which a text is found: its words without their endings, pairs of neighbouring characters in scripts
 * without spaces, and a token of its own for each name of the terms, under all its spellings. Stop words are left out,
 * unless nothing else is there. A token occurs as often as it is in the text.
 */
export function analyse(text: string, terms: NameFinder): readonly string[] {
  const plain = folded(text);
  const names = terms.namesIn(plain).map(nameToken);
  const pieces = runsOf(plain).flatMap((run) => piecesOf(run));
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
