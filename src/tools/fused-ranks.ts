/** How much the first ranks count before the later ones. */
const rankOffset = 60;

/**
 * Scores of names by their ranks in lists, the best first in each, whatever they were ranked by: what stands high in
 * several lists has most. Reciprocal rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009.
 */
export function fusedRanks(lists: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const list of lists) {
    for (const [rank, name] of list.entries()) {
      scores.set(name, (scores.get(name) ?? 0) + 1 / (rankOffset + rank + 1));
    }
  }
  return scores;
}
