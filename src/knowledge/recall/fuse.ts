import { byScore } from "../store/vector-scan.js";
import type { Scored } from "../store/store.js";

/** How much the first ranks count before the later ones. */
const rankOffset = 60;

/**
 * Joins lists by the ranks in them, whatever their scores mean (reciprocal rank fusion, Cormack, Clarke and Büttcher,
 * SIGIR 2009): what stands high in several lists comes first.
 */
export function fuse(lists: readonly (readonly Scored[])[]): readonly Scored[] {
  const scores = new Map<string, number>();
  for (const list of lists) {
    for (const [rank, { id }] of list.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (rankOffset + rank + 1));
    }
  }
  return [...scores].map(([id, score]) => ({ id, score })).toSorted(byScore);
}
