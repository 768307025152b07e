import { PlangraphError } from "../errors.js";
import { type Embedding, embeddingOf, isVector } from "./embedding.js";
import { textsOf } from "./ingest/chunk.js";
import type { KnowledgeStore } from "./store/store.js";
import { unit } from "./store/vector-scan.js";

/** Two embeddings of one text by one model; servers round differently. */
const sameCosine = 0.99;

/**
 * Refuses a model whose vectors do not fit those of the base: another name, or another model behind the same name, which
 * shows when a text of the base is embedded again. A model that does not answer is not refused. Throws `embedding_changed`.
 */
export async function checkEmbedding({
  store,
  embedding,
}: {
  readonly store: KnowledgeStore;
  readonly embedding: Embedding | undefined;
}): Promise<void> {
  const base = await embeddingOf(store);
  if (embedding === undefined || base === undefined) return;
  const is = `The base was made with the embedding model ${base.id} (${base.dimension} numbers)`;
  const remedy = "Give the model of the base, or ingest with reembed";
  const changed = (what: string) =>
    new PlangraphError("embedding_changed", `${is}, ${what}. ${remedy}.`);
  if (base.id !== embedding.id) throw changed(`and this one is ${embedding.id}`);
  const [known] = await store.sample(1);
  const text = known && textsOf(known.chunk).get(known.hash);
  if (known === undefined || text === undefined) return;
  const given = await embedding.passages([text]).catch(() => []);
  const [again] = given.filter((vector) => isVector(vector));
  if (again === undefined) return;
  if (again.length !== base.dimension) throw changed(`and it gives ${again.length} numbers now`);
  const cosine = unit(again).reduce((sum, number, at) => sum + number * (known.vector[at] ?? 0), 0);
  if (cosine < sameCosine) {
    throw changed(`and embeds a text of the base otherwise now (cosine ${cosine.toFixed(2)})`);
  }
}
