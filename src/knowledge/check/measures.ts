/** How good the ranks of right answers are, each from 0 to 1. */
export type Measures = {
  readonly hit1: number;
  readonly hit3: number;
  readonly hit5: number;
  readonly hit10: number;
  /** Mean reciprocal rank. */
  readonly mrr: number;
  /** Normalised discounted cumulative gain of the first ten, with one right answer each. */
  readonly ndcg10: number;
};

/** Measures the ranks of right answers, 1 the best; `undefined` where none was found. */
export function measuresOf(ranks: readonly (number | undefined)[]): Measures {
  const mean = (gain: (rank: number) => number) =>
    ranks.reduce<number>((sum, rank) => sum + (rank === undefined ? 0 : gain(rank)), 0) /
    Math.max(1, ranks.length);
  const hit = (within: number) => mean((rank) => (rank <= within ? 1 : 0));
  return {
    hit1: hit(1),
    hit3: hit(3),
    hit5: hit(5),
    hit10: hit(10),
    mrr: mean((rank) => 1 / rank),
    ndcg10: mean((rank) => (rank <= 10 ? 1 / Math.log2(rank + 1) : 0)),
  };
}

/** What a threshold does: shares of questions, from 0 to 1. */
export type Refusal = {
  readonly threshold: number;
  /** Of the questions without an answer, those that get none. */
  readonly refusedRightly: number;
  /** Of the questions with an answer, those that get none. */
  readonly refusedWrongly: number;
};

/**
 * Finds the highest threshold that keeps this share of the questions with an answer, from the best score of each
 * question. Undefined without questions of both kinds.
 */
export function thresholdFor(
  answerable: readonly number[],
  others: readonly number[],
  keep: number,
): Refusal | undefined {
  if (answerable.length === 0 || others.length === 0) return undefined;
  const sorted = answerable.toSorted((left, right) => right - left);
  const kept = Math.min(sorted.length, Math.max(1, Math.ceil(keep * sorted.length)));
  const threshold = sorted[kept - 1] ?? 0;
  const below = (scores: readonly number[]) =>
    scores.filter((score) => score < threshold).length / scores.length;
  return { threshold, refusedRightly: below(others), refusedWrongly: below(answerable) };
}
