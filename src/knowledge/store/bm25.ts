import { weightOf } from "../text/analyse.js";

/** In how many chunks tokens are, and how many chunks there are. */
export type Spread = { readonly total: number; readonly by: ReadonlyMap<string, number> };

/** Scores are rounded to so many digits: then no store's way of summing decides the order of equal texts. */
export const scoreDigits = 12;

/** A word in a heading or question counts more than one in the text. */
export const titleWeight = 2;

/** What SQLite's FTS5 computes with: the saturation by occurrences, and how much the length of a text counts. */
export const bm25 = { k1: 1.2, b: 0.75, leastIdf: 1e-6 } as const;

/** Fewer chunks count as so many: among a handful no word would be rare, and no score comparable. */
export const fewestChunks = 100;

/** How much it says that a chunk has a token: the fewer have it, the more. */
export function rarenessOf(token: string, { total, by }: Spread): number {
  return ftsRarenessOf(token, { total: Math.max(total, fewestChunks), by });
}

/** The same as FTS5 computes it. */
export function ftsRarenessOf(token: string, { total, by }: Spread): number {
  const chunks = by.get(token) ?? 0;
  return Math.max(Math.log((total - chunks + 0.5) / (chunks + 0.5)), bm25.leastIdf);
}

/** The tokens of a question, each as often as it counts. */
export function queryTokens(tokens: readonly string[]): readonly string[] {
  return tokens.flatMap((token) => Array<string>(weightOf(token)).fill(token));
}
