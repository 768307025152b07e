import type { IndexedChunk } from "./store.js";

/** What differs between the stored chunks of a source, hashes by ids, and those that it has now. */
export function changesOf(
  stored: ReadonlyMap<string, string>,
  chunks: readonly IndexedChunk[],
): { readonly put: readonly IndexedChunk[]; readonly removed: readonly string[] } {
  const ids = new Set(chunks.map(({ chunk }) => chunk.id));
  return {
    put: chunks.filter(({ chunk, hash }) => stored.get(chunk.id) !== hash),
    removed: [...stored.keys()].filter((id) => !ids.has(id)),
  };
}
