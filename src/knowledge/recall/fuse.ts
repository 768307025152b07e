import { fusedRanks } from "../../tools/fused-ranks.js";
import { byScore } from "../store/vector-scan.js";
import type { Scored } from "../store/store.js";

/** Joins lists by the ranks in them, whatever their scores mean: what stands high in several lists comes first. */
export function fuse(lists: readonly (readonly Scored[])[]): readonly Scored[] {
  const scores = fusedRanks(lists.map((list) => list.map(({ id }) => id)));
  return [...scores].map(([id, score]) => ({ id, score })).toSorted(byScore);
}
