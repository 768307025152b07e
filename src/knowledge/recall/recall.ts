import { type Embedding, embeddingOf, isVector } from "../embedding.js";
import type { KnowledgeStore, Scope, Scored } from "../store/store.js";
import type { VectorIndex } from "../store/vector-index.js";
import { byScore } from "../store/vector-scan.js";
import { analyse } from "../text/analyse.js";
import type { Terms } from "../text/terms.js";
import { type AskedWords, featureScores, type WordsOf } from "./features.js";
import { fuse } from "./fuse.js";
import { nearestChunks } from "./nearest.js";
import { type Ordering, rerank } from "./rerank.js";
import { type Hit, type Recall, type RecallStage, type StageName, timed } from "./stage.js";

export type RecallBase = {
  readonly store: KnowledgeStore;
  readonly index: VectorIndex | undefined;
  readonly embedding: Embedding | undefined;
  readonly terms: Terms;
};

export type RecallRequest = {
  /** The question, and further forms of it. */
  readonly queries: readonly string[];
  readonly scope: Scope;
  readonly topK: number;
  /** The score that a hit needs, by what gave the scores. */
  readonly minScore: (by: string | undefined) => number;
} & Ordering;

/** How many candidates each stage passes on, whatever is asked for. */
const poolSize = 50;

/** Asks every leg for itself, joins what they found, orders it by a score and cuts it off there. */
export async function recall(base: RecallBase, request: RecallRequest): Promise<Recall> {
  const { queries, scope, topK, config } = request;
  const { signal } = config;
  signal?.throwIfAborted();
  const { embedding } = base;
  const wordsOf = oncePerQuery((query) => wordsIn(query, scope, base));
  const vectorOf = embedding && oncePerQuery((query) => queryVector(query, embedding, base));
  const legs = await Promise.all(
    queries.flatMap((query) => legsOf(query, base, request, { wordsOf, vectorOf })),
  );
  const fused = await timed("fused", queries[0] ?? "", signal, async () =>
    fuse(queries.flatMap((query) => listsOf(query, legs))).slice(0, poolSize),
  );
  const chunks = await base.store.chunks(fused.candidates.map(({ id }) => id));
  const vector = await vectorOf?.(queries[0] ?? "").catch(() => undefined);
  const ids = chunks.map(({ id }) => id);
  const features = await featureScores(ids, legs, vector, wordsOf, base.store);
  const reranked = await rerank(queries[0] ?? "", chunks, features, request);
  const minScore = request.minScore(reranked.by);
  const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
  const hits = reranked.candidates
    .filter(({ score }) => score > 0 && score >= minScore)
    .slice(0, topK)
    .flatMap(({ id, score }): readonly Hit[] => {
      const chunk = byId.get(id);
      const own = features.get(id)?.features ?? { words: 0 };
      return chunk === undefined ? [] : [{ ...chunk, score, features: own }];
    });
  const stages = [...legs, fused, reranked];
  return { hits, stages, notes: notesOf(stages), minScore };
}

/** The vector of a question. Throws for one that cannot be compared with those of the base. */
async function queryVector(
  query: string,
  embedding: Embedding,
  { store, terms }: RecallBase,
): Promise<readonly number[]> {
  const vector = await embedding.query(terms.withPresentNames(query));
  const wanted = (await embeddingOf(store))?.dimension;
  if (isVector(vector) && (wanted === undefined || vector.length === wanted)) return vector;
  const came = Array.isArray(vector)
    ? `${vector.length} numbers, or some that are none`
    : "no list";
  throw new Error(
    `the embedding model gave ${came} for the question, not ${wanted ?? "some"} numbers`,
  );
}

/** What the words found, and what the vectors did: cosines of one model are one list, by the best of each chunk. */
function listsOf(query: string, legs: readonly RecallStage[]): readonly (readonly Scored[])[] {
  const own = legs.filter((leg) => leg.query === query);
  const found = (isOf: (stage: StageName) => boolean) =>
    own.filter(({ stage }) => isOf(stage)).flatMap(({ candidates }) => candidates);
  const near = new Map<string, number>();
  for (const { id, score } of found((stage) => stage !== "keyword")) {
    near.set(id, Math.max(score, near.get(id) ?? score));
  }
  const nearest = [...near].map(([id, score]) => ({ id, score })).toSorted(byScore);
  return [found((stage) => stage === "keyword"), nearest];
}

function notesOf(stages: readonly RecallStage[]): readonly string[] {
  const failed = stages.flatMap(({ stage, error }) =>
    error === undefined ? [] : [`recall without ${stage}: ${error}`],
  );
  return [...new Set(failed)];
}

/** Work on a question that several stages need, done when the first one asks for it. */
function oncePerQuery<Result>(work: (query: string) => Promise<Result>) {
  const done = new Map<string, Promise<Result>>();
  return (query: string): Promise<Result> => {
    const result = done.get(query) ?? work(query);
    done.set(query, result);
    return result;
  };
}

/** The words of a question, and how rare they are within the scope. */
async function wordsIn(
  query: string,
  scope: Scope,
  { store, terms }: RecallBase,
): Promise<AskedWords> {
  const tokens = [...new Set(analyse(query, terms))];
  return { tokens, spread: await store.spread(tokens, scope) };
}

/** What the legs of a question share. */
type Asked = {
  readonly wordsOf: WordsOf;
  /** Without an embedding model there are no vectors. */
  readonly vectorOf: ((query: string) => Promise<readonly number[]>) | undefined;
};

function legsOf(
  query: string,
  { store, index }: RecallBase,
  { scope, config: { signal } }: RecallRequest,
  { wordsOf, vectorOf }: Asked,
): readonly Promise<RecallStage>[] {
  const words = timed("keyword", query, signal, async () => {
    const { tokens, spread } = await wordsOf(query);
    return store.byWords(tokens, spread, scope, poolSize);
  });
  if (vectorOf === undefined) return [words];
  const near = (kind: "content" | "question") =>
    timed(kind, query, signal, async () =>
      nearestChunks(await vectorOf(query), kind, scope, poolSize, { store, index }),
    );
  return [words, near("content"), near("question")];
}
