import type { RunnableConfig } from "@langchain/core/runnables";

import { openCallSignal, untilAborted } from "../../run/signals.js";
import type { Chunk } from "../store/store.js";
import { byScore } from "../store/vector-scan.js";
import type { Scores } from "./features.js";
import type { Candidate, OpenReranker } from "./open-reranker.js";
import { type RecallStage, timed } from "./stage.js";

/** How the candidates are ordered. */
export type Ordering = {
  readonly reranker: OpenReranker | undefined;
  /** Milliseconds after which the order by features stands. */
  readonly timeoutMs: number;
  readonly config: RunnableConfig;
};

/** What gave the scores of a base without a reranker, or with one that failed. */
const byFeatures = "features";

/** How many chunks a reranker reads: each costs time or tokens. */
const rerankSize = 20;

/** Orders chunks by the reranker where there is one and it answers in time, else by features. */
export async function rerank(
  query: string,
  chunks: readonly Chunk[],
  features: Scores,
  { reranker, timeoutMs, config }: Ordering,
): Promise<RecallStage> {
  const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
  const plain = chunks
    .map(({ id }) => ({ id, score: features.get(id)?.score ?? 0 }))
    .toSorted(byScore);
  const candidates = plain.slice(0, rerankSize).flatMap(({ id, score }): readonly Candidate[] => {
    const chunk = byId.get(id);
    return chunk === undefined ? [] : [{ chunk, score }];
  });
  if (reranker === undefined || candidates.length === 0) {
    const stage = await timed("reranked", query, config.signal, async () => plain);
    return { ...stage, by: byFeatures };
  }
  const said: { by?: string } = {};
  const stage = await timed("reranked", query, config.signal, async () => {
    const reranked = await inTime(config, timeoutMs, (own) => reranker(query, candidates, own));
    if (reranked.by !== undefined) said.by = reranked.by;
    const scores = new Map(reranked.scores.map(({ id, score }) => [id, score]));
    return (
      candidates
        .map(({ chunk: { id } }) => ({ id, score: scores.get(id) ?? 0 }))
        // Of equal ones the better by features stays first.
        .toSorted((left, right) => right.score - left.score)
    );
  });
  return stage.error === undefined
    ? { ...stage, ...said }
    : { ...stage, candidates: plain, by: byFeatures };
}

async function inTime<T>(
  config: RunnableConfig,
  timeoutMs: number,
  work: (config: RunnableConfig) => Promise<T>,
): Promise<T> {
  const open = openCallSignal(config.signal ?? new AbortController().signal, timeoutMs);
  const { signal } = open;
  try {
    return await untilAborted(() => work({ ...config, signal }), signal);
  } catch (error) {
    // A reranker that stops with the signal has an error of its own.
    throw open.isOver() ? signal.reason : error;
  } finally {
    open.close();
  }
}
