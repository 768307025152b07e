import type { VectorStoreInterface } from "@langchain/core/vectorstores";

import { Document } from "@langchain/core/documents";

import type { KnowledgeStore } from "./store.js";

/** Vectors by the hashes of their texts: what a vector store keeps of a base. */
type Hashed = { readonly hash: string; readonly vector: Iterable<number> };

/** A vector store that finds the nearest texts of a base faster than a scan of all. It knows nothing of chunks. */
export type VectorIndex = {
  /** What kind of store it is: a base remembers which one it has filled. */
  readonly name: string;
  readonly add: (vectors: readonly Hashed[]) => Promise<void>;
  /** Texts that no chunk uses any more are never found: a store that cannot remove them only holds more. */
  readonly remove: (hashes: readonly string[]) => Promise<void>;
  readonly nearest: (vector: readonly number[], count: number) => Promise<readonly string[]>;
};

/** The part of a vector store of LangChain that is used. */
export type UsedVectorStore = Pick<
  VectorStoreInterface,
  "addVectors" | "delete" | "similaritySearchVectorWithScore"
>;

/** Takes a vector store of LangChain as an index. Only hashes are given to it: no text and no metadata of the base. */
export function indexIn(store: UsedVectorStore): VectorIndex {
  return {
    name: store.constructor.name,
    add: async (vectors) => {
      const documents = vectors.map(
        ({ hash }) => new Document({ id: hash, pageContent: hash, metadata: { hash } }),
      );
      const ids = vectors.map(({ hash }) => hash);
      await store.addVectors(
        vectors.map(({ vector }) => [...vector]),
        documents,
        { ids },
      );
    },
    remove: async (ids) => {
      // Optional in LangChain's interface: some stores throw, others take other parameters.
      if (ids.length > 0) await store.delete({ ids }).catch(() => {});
    },
    nearest: async (vector, count) => {
      const found = await store.similaritySearchVectorWithScore([...vector], count);
      return found.map(([document]) => document.pageContent);
    },
  };
}

const fact = "index";

/** Whether the index holds all vectors of the base. */
export async function isFilled(index: VectorIndex, store: KnowledgeStore): Promise<boolean> {
  return (await store.fact(fact)) === index.name;
}

/**
 * Brings the index and the base together before the base changes: an index that is new to it gets the vectors that are
 * there, and without one the base forgets the last, which will lack the next vectors.
 */
export async function fill(index: VectorIndex | undefined, store: KnowledgeStore): Promise<void> {
  if (index === undefined) {
    if ((await store.fact(fact)) !== undefined) await store.setFact(fact, undefined);
    return;
  }
  if (await isFilled(index, store)) return;
  let part = await store.vectors("", partSize);
  while (part.length > 0) {
    await index.add(part);
    part = await store.vectors(part.at(-1)?.hash ?? "", partSize);
  }
  await store.setFact(fact, index.name);
}

const partSize = 500;
