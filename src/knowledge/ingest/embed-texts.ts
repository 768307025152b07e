import { PlangraphError } from "../../errors.js";
import { errorLine } from "../../observe/redact.js";
import { type Embedding, embeddingOf, isVector } from "../embedding.js";
import type { Chunk, KnowledgeStore } from "../store/store.js";
import type { VectorIndex } from "../store/vector-index.js";
import { textsOf } from "./chunk.js";

type Embedder = {
  readonly store: KnowledgeStore;
  readonly index: VectorIndex | undefined;
  readonly embedding: Embedding | undefined;
  readonly signal: AbortSignal | undefined;
};

/** How many texts are sent to an embedding model at once. */
const batchSize = 64;

/** Embeds what has no vector yet, and keeps each batch at once: a stop loses one batch at most. */
export async function embedTexts(
  chunks: readonly Chunk[],
  tell: (embedded: number, texts: number) => void,
  { store, index, embedding, signal }: Embedder,
): Promise<number> {
  const texts = new Map(chunks.flatMap((chunk) => [...textsOf(chunk)]));
  const open = embedding === undefined ? [] : await store.withoutVector([...texts.keys()]);
  tell(0, open.length);
  if (embedding === undefined) return 0;
  for (let at = 0; at < open.length; at += batchSize) {
    signal?.throwIfAborted();
    const hashes = open.slice(at, at + batchSize);
    const vectors = await vectorsOf(
      hashes.map((hash) => texts.get(hash) ?? ""),
      embedding,
    );
    await keepDimension(vectors, embedding, store);
    const embedded = hashes.map((hash, of) => ({ hash, vector: vectors[of] ?? [] }));
    // What the base holds, the index holds, too.
    await index?.add(embedded);
    await store.putVectors(embedded);
    tell(at + hashes.length, open.length);
  }
  return open.length;
}

async function vectorsOf(
  texts: readonly string[],
  embedding: Embedding,
): Promise<readonly (readonly number[])[]> {
  const failed = (why: string, cause?: unknown) =>
    new PlangraphError(
      "embedding_failed",
      `The embedding model ${embedding.id} failed: ${why}. What it has embedded is kept: ingest again to go on.`,
      { cause },
    );
  const vectors = await embedding.passages(texts).catch((error: unknown) => {
    throw failed(errorLine(error).replace(/\.$/, ""), error);
  });
  const isWhole = vectors.length === texts.length && vectors.every((vector) => isVector(vector));
  if (isWhole) return vectors;
  throw failed(
    `it gave ${vectors.length} vectors for ${texts.length} texts, or some that are none`,
  );
}

/** Keeps the model's id and dimension with the base at the first vector, and refuses another dimension later. */
async function keepDimension(
  vectors: readonly (readonly number[])[],
  { id }: Embedding,
  store: KnowledgeStore,
): Promise<void> {
  const known = (await embeddingOf(store))?.dimension;
  const own = vectors[0]?.length ?? 0;
  const other = vectors.find(({ length }) => length !== (known ?? own));
  if (other !== undefined) {
    throw new PlangraphError(
      "embedding_changed",
      `The embedding model ${id} gave a vector of ${other.length} numbers where the base has ${known ?? own}: ingest with reembed to use another model.`,
    );
  }
  if (known === undefined) await store.setFact("embedding", { id, dimension: own });
}
