import { weightOf } from "../text/analyse.js";

/** A word in a heading or question counts more than one in the text. */
export const titleWeight = 2;

/** What SQLite's FTS5 computes with: the saturation by occurrences, and how much the length of a text counts. */
export const bm25 = { k1: 1.2, b: 0.75, leastIdf: 1e-6 } as const;

/** The tokens of a question, each as often as it counts. */
export function queryTokens(tokens: readonly string[]): readonly string[] {
  return tokens.flatMap((token) => Array<string>(weightOf(token)).fill(token));
}
