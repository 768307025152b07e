import type { KnowledgeStore, Scope, Scored, VectorKind } from "../store/store.js";
import { isFilled, type VectorIndex } from "../store/vector-index.js";

/** How many texts an index is asked for, for each chunk that is wanted: some belong to chunks out of scope. */
const overfetch = 8;

/**
 * The nearest chunks of a scope. An index only proposes texts: the base itself decides what they belong to, who may find
 * it, and how near it is. Where too little of it may be found, or the index has not been filled, the base looks itself.
 */
export async function nearestChunks(
  vector: readonly number[],
  kind: VectorKind,
  scope: Scope,
  limit: number,
  { store, index }: { readonly store: KnowledgeStore; readonly index: VectorIndex | undefined },
): Promise<readonly Scored[]> {
  if (index !== undefined && (await isFilled(index, store))) {
    const hashes = await index.nearest(vector, limit * overfetch);
    const found = await store.byVector(vector, kind, scope, limit, hashes);
    if (found.length === limit) return found;
  }
  return store.byVector(vector, kind, scope, limit);
}
