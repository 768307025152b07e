import { bm25, rarenessOf, type Spread } from "../store/bm25.js";
import { weightOf } from "../text/analyse.js";

/** How often a token is in a text counts up to this many times its rareness. */
const saturation = bm25.k1 + 1;

/**
 * The BM25 score that a text could reach at most, as if it had every token of the question very often. A token that no
 * text has counts as the rarest: nothing can answer it. A score divided by this is comparable between questions.
 */
export function bestScore(question: readonly string[], spread: Spread): number {
  const scores = question.map((token) => weightOf(token) * rarenessOf(token, spread));
  return saturation * scores.reduce((sum, score) => sum + score, 0);
}
