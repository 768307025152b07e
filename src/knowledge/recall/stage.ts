import type { RunnableConfig } from "@langchain/core/runnables";

import { errorLine } from "../../observe/redact.js";
import { isControlFlow } from "../../run/errors.js";
import type { Chunk, Filter, Scored } from "../store/store.js";

/** What a base found for a question. */
export type Recall = {
  /** The best first. */
  readonly hits: readonly Hit[];
  /** What each stage found, for whoever wants to know why. */
  readonly stages: readonly RecallStage[];
  /** What the reader should know: a stage that failed, a question that was cut. */
  readonly notes: readonly string[];
  /** The score that a hit needs; 0 if none was set. */
  readonly minScore: number;
};

/** A chunk that was found. */
export type Hit = Chunk & {
  /** From 0 to 1. Comparable between the questions of one base, not between bases. */
  readonly score: number;
  /** Where the score comes from. */
  readonly features: Features;
};

export type StageName = "keyword" | "content" | "question" | "fused" | "reranked";

/** One stage of a recall. Scores of different stages have nothing in common. */
export type RecallStage = {
  readonly stage: StageName;
  /** The question, or the form of it, that the stage looked for. */
  readonly query: string;
  readonly candidates: readonly Scored[];
  readonly ms: number;
  /** Why the stage found nothing: the others answer. */
  readonly error?: string;
  /** Of "reranked": what gave the scores, such as "features"; absent if they are no more than an order. */
  readonly by?: string;
};

/** How a base is asked. */
export type RecallOptions = {
  /** How many hits at most, up to 50; default 5. */
  readonly topK?: number;
  /** The score that a hit needs; default: the one that `knowledge check` has found for this base, else none. */
  readonly minScore?: number;
  /** Only chunks whose metadata have one of these values under each name. */
  readonly filter?: Filter;
  /** Chunks are valid at this time; default: now. */
  readonly at?: Date;
  /** Further forms of the question, such as a rewritten one. All are looked for. */
  readonly also?: readonly string[];
  /** The config of the tool or node that asks: its signal, and the run that a reranking model's call belongs to. */
  readonly config?: RunnableConfig;
};

/** Gives each of the chunks, the best by features first, a score from 0 to 1 for a question. `config` has the signal. */
export type Reranker = (
  question: string,
  chunks: readonly Chunk[],
  config: RunnableConfig,
) => Promise<readonly number[]>;

/** What a score is made of. */
export type Features = {
  /** How much of the question's words the chunk has, from 0 to 1, rare ones counting more. */
  readonly words: number;
  /** The cosine of the question and the chunk's nearest vector; absent without vectors. */
  readonly cosine?: number;
};

/** Runs a stage; one that fails is empty, and says why. Throws only when the caller aborts, and LangGraph's control flow. */
export async function timed(
  stage: StageName,
  query: string,
  signal: AbortSignal | undefined,
  find: () => Promise<readonly Scored[]>,
): Promise<RecallStage> {
  const since = performance.now();
  try {
    const candidates = await find();
    return { stage, query, candidates, ms: performance.now() - since };
  } catch (error) {
    signal?.throwIfAborted();
    if (isControlFlow(error)) throw error;
    const ms = performance.now() - since;
    return { stage, query, candidates: [], ms, error: errorLine(error) };
  }
}
