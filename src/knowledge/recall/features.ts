import type { Spread } from "../store/bm25.js";
import type { KnowledgeStore } from "../store/store.js";
import { type Background, backgroundOf } from "./background.js";
import type { Features, RecallStage } from "./stage.js";
import { bestScore } from "./words.js";

export type Scores = ReadonlyMap<string, { readonly score: number; readonly features: Features }>;

/** The words of a question, each once, and in how many chunks of the scope each is. */
export type AskedWords = { readonly tokens: readonly string[]; readonly spread: Spread };

/** Reads a question's words; several calls for one question read them once. */
export type WordsOf = (query: string) => Promise<AskedWords>;

/** Scores chunks for a question, without a model: by their words and by how near their vectors are. */
export async function featureScores(
  ids: readonly string[],
  legs: readonly RecallStage[],
  vector: readonly number[] | undefined,
  wordsOf: WordsOf,
  store: KnowledgeStore,
): Promise<Scores> {
  const words = await wordShares(legs, wordsOf);
  const cosines = vector === undefined ? new Map() : await store.cosines(vector, ids);
  const background = await backgroundOf(store);
  return new Map(
    ids.map((id) => {
      const cosine = cosines.get(id);
      const features = { words: words.get(id) ?? 0, ...(cosine === undefined ? {} : { cosine }) };
      return [id, { score: scoreOf(features, background), features }];
    }),
  );
}

/** The BM25 scores of the best form of the question, as shares of the best that could be. */
async function wordShares(
  legs: readonly RecallStage[],
  wordsOf: WordsOf,
): Promise<ReadonlyMap<string, number>> {
  const shares = new Map<string, number>();
  for (const { stage, query, candidates } of legs) {
    if (stage !== "keyword" || candidates.length === 0) continue;
    const { tokens, spread } = await wordsOf(query);
    const best = bestScore(tokens, spread);
    for (const { id, score } of candidates) {
      shares.set(id, Math.max(shares.get(id) ?? 0, Math.min(1, score / best)));
    }
  }
  return shares;
}

/** How much the words count beside the vectors; measured on Debian's FAQ in both languages (`bench/recall`). */
const wordsWeight = 3;

/** From 0 to 1: the words alone, or with the vectors, by how much nearer they are than any two texts of the base. */
function scoreOf({ words, cosine }: Features, { mean, deviation }: Background): number {
  if (cosine === undefined) return words;
  const evidence = (cosine - mean) / deviation + wordsWeight * words;
  return 1 / (1 + Math.exp(1 - evidence));
}
