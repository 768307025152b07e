import { HumanMessage } from "@langchain/core/messages";

import { PlangraphError } from "../../errors.js";
import { createPassageReader } from "../../graphs/passage-reader.js";
import type { Environment, Models } from "../../models/model.js";
import { partOfRun } from "../../runtime/part-of-run.js";
import { openRoleModels } from "../open-role-models.js";
import type { SourceProblem } from "../read/piece.js";
import type { Chunk, KnowledgeStore } from "../store/store.js";
import { contentHash } from "./chunk.js";

/** Writes questions that a chunk answers; none where the model has no use for the text. Throws `summary_failed`. */
export type SummaryWriter = (
  chunk: Chunk,
  signal: AbortSignal | undefined,
) => Promise<readonly string[]>;

/** Makes a writer ready. Throws `invalid_model`, `missing_model` and `missing_key` for a model that cannot be asked. */
export async function openSummaryWriter(
  models: Models,
  environment: Environment,
): Promise<SummaryWriter> {
  await openRoleModels("executor", models, environment);
  const graph = createPassageReader("question_writer", { models, environment, ...patient });
  const messages = [new HumanMessage("What would people ask to find this text?")];
  return async ({ path, text, source, line }, signal) => {
    const passages = [{ path, text }];
    const config = partOfRun(signal === undefined ? {} : { signal });
    const { questions, outcome } = await graph.invoke({ messages, passages }, config);
    if (questions !== undefined) return questions;
    const why = outcome?.reason ?? "no reply came";
    throw new PlangraphError(
      "summary_failed",
      `No questions were written for ${source}:${line}: ${why}. What was written is kept: ingest again to go on.`,
    );
  };
}

/** Nobody waits for a question, and a local server answers one request after the other. */
const patient = { modelIdleMs: 600_000, limits: { seconds: null } } as const;

/** How chunks get the questions that a model writes. */
export type Summarising = {
  readonly store: Pick<KnowledgeStore, "summaries" | "putSummaries">;
  /** Absent: only those that are kept are used. */
  readonly writer: SummaryWriter | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onWritten: (written: number, all: number) => void;
};

type Summarised = {
  readonly chunks: readonly Chunk[];
  /** Chunks that got questions now. */
  readonly written: number;
  readonly problems: readonly SourceProblem[];
};

/** How many chunks a model reads at the same time. */
const atOnce = 4;

/**
 * Gives chunks without questions of their own the ones that a model has written for them, and has a writer write what is
 * missing. Each is kept at once, by what the chunk says: nothing is written twice, also after a stop.
 */
export async function withSummaries(
  chunks: readonly Chunk[],
  { store, writer, signal, onWritten }: Summarising,
): Promise<Summarised> {
  const silent = new Map(
    chunks
      .filter(({ questions }) => questions.length === 0)
      .map((chunk) => [contentHash(chunk), chunk]),
  );
  const known = new Map(await store.summaries([...silent.keys()]));
  const open = writer === undefined ? [] : [...silent].filter(([hash]) => !known.has(hash));
  let written = 0;
  await each(open, async ([hash, chunk]) => {
    signal?.throwIfAborted();
    const questions = (await writer?.(chunk, signal)) ?? [];
    known.set(hash, questions);
    await store.putSummaries(new Map([[hash, questions]]));
    written += 1;
    onWritten(written, open.length);
  });
  const summarised = chunks.map((chunk) => {
    const summaries = chunk.questions.length === 0 ? known.get(contentHash(chunk)) : undefined;
    return summaries === undefined ? chunk : { ...chunk, summaries };
  });
  return { chunks: summarised, written, problems: summarised.flatMap(problemOf) };
}

function problemOf({ line, summaries }: Chunk): readonly SourceProblem[] {
  if (summaries?.length !== 0) return [];
  return [{ line, problem: "the model wrote no questions for it that can be used" }];
}

/** Does the work for all items, some at a time. After an error none begins, and those that have begun come to an end. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const errors: unknown[] = [];
  const workOff = async () => {
    for (const item of rest) {
      await work(item).catch((error: unknown) => errors.push(error));
      if (errors.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, workOff));
  if (errors.length > 0) throw errors[0];
}
