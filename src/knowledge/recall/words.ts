import { bm25 } from "../store/bm25.js";
import { weightOf } from "../text/analyse.js";

/** In how many chunks tokens are. */
export type Spread = { readonly total: number; readonly by: ReadonlyMap<string, number> };

/** How often a token is in a text counts up to this many times its rareness. */
const saturation = bm25.k1 + 1;

/**
 * The BM25 score that a text could reach at most, as if it had every token of the question very often. A token that the
 * base does not know counts as the rarest: nothing can answer it. A score divided by this is comparable between questions.
 */
export function bestScore(question: readonly string[], { total, by }: Spread): number {
  const scores = question.map((token) => {
    const chunks = by.get(token) ?? 0;
    return (
      weightOf(token) * Math.max(Math.log((total - chunks + 0.5) / (chunks + 0.5)), bm25.leastIdf)
    );
  });
  return saturation * scores.reduce((sum, score) => sum + score, 0);
}
