import type { DocumentInterface } from "@langchain/core/documents";
import { Document } from "@langchain/core/documents";
import { HumanMessage } from "@langchain/core/messages";
import type { BaseDocumentCompressor } from "@langchain/core/retrievers/document_compressors";
import type { RunnableConfig } from "@langchain/core/runnables";

import { createPassageReader } from "../../graphs/passage-reader.js";
import type { Environment, Models } from "../../models/model.js";
import { partOfRun } from "../../runtime/part-of-run.js";
import { openRoleModels } from "../open-role-models.js";
import type { Chunk, Scored } from "../store/store.js";
import type { Reranker } from "./stage.js";

/**
 * What orders the hits of a base: a function, a document compressor of LangChain, or a model as in the `models` of a
 * graph, for the role `reranker`.
 */
export type RerankInput = Reranker | BaseDocumentCompressor | Models;

/** A chunk with its score by features. */
export type Candidate = { readonly chunk: Chunk; readonly score: number };

/** Scores from 0 to 1, with the name of what gave them; without a name they are no more than an order. */
type Reranked = { readonly scores: readonly Scored[]; readonly by?: string };

/** Scores the candidates, the best by features first. What it leaves out is dropped. */
export type OpenReranker = (
  question: string,
  candidates: readonly Candidate[],
  config: RunnableConfig,
) => Promise<Reranked>;

/** Makes a reranker ready. Throws `invalid_model`, `missing_model` and `missing_key` for a model that cannot be asked. */
export async function openReranker(
  given: RerankInput,
  environment: Environment,
): Promise<OpenReranker> {
  if (typeof given === "function") return byFunction(given);
  if (isCompressor(given)) return byCompressor(given);
  await openRoleModels("reranker", given, environment);
  return byModel(given, environment);
}

function byFunction(score: Reranker): OpenReranker {
  const by = `function ${score.name}`.trim();
  return async (question, candidates, config) => {
    const given = await score(
      question,
      candidates.map(({ chunk }) => chunk),
      config,
    );
    const areScores = Array.isArray(given) && given.every((one) => Number.isFinite(one));
    if (!areScores || given.length !== candidates.length) {
      throw new Error(`it did not give ${candidates.length} numbers`);
    }
    const scores = candidates.map(({ chunk }, at) => ({ id: chunk.id, score: share(given[at]) }));
    return { scores, by };
  };
}

/** A score from 0 to 1; 0 for anything else than a number. */
function share(given: number | undefined): number {
  return given === undefined || Number.isNaN(given) ? 0 : Math.min(Math.max(given, 0), 1);
}

function isCompressor(given: BaseDocumentCompressor | Models): given is BaseDocumentCompressor {
  return typeof given === "object" && typeof Reflect.get(given, "compressDocuments") === "function";
}

function byCompressor(compressor: BaseDocumentCompressor): OpenReranker {
  const model: unknown = Reflect.get(compressor, "model");
  const by = [compressor.constructor.name, ...(typeof model === "string" ? [model] : [])].join(" ");
  return async (question, candidates, { callbacks }) => {
    const documents = candidates.map(({ chunk }) => documentOf(chunk));
    const ids = new Set(candidates.map(({ chunk }) => chunk.id));
    const kept = await compressor.compressDocuments(documents, question, callbacks);
    const known = kept.flatMap((document) => {
      const id = idOf(document);
      if (id === undefined || !ids.delete(id)) return [];
      const score: unknown = document.metadata["relevanceScore"];
      return [{ id, score: typeof score === "number" ? score : Number.NaN }];
    });
    if (known.every(({ score }) => score >= 0 && score <= 1)) return { scores: known, by };
    return { scores: ordered(known) };
  };
}

/** Scores that only say the order: by those of another scale, or as they came where some are missing. */
function ordered(given: readonly Scored[]): readonly Scored[] {
  const isScored = given.every(({ score }) => Number.isFinite(score));
  const inOrder = isScored ? given.toSorted((left, right) => right.score - left.score) : given;
  return inOrder.map(({ id }, at) => ({ id, score: 1 - at / inOrder.length }));
}

function documentOf({ id, path, text, source, metadata }: Chunk): Document {
  return new Document({
    id,
    pageContent: [...path, text].join("\n"),
    metadata: { ...metadata, id, source, path },
  });
}

/** Compressors that make new documents keep the metadata. */
function idOf({ id, metadata }: DocumentInterface): string | undefined {
  if (id !== undefined) return id;
  const kept: unknown = metadata["id"];
  return typeof kept === "string" ? kept : undefined;
}

function byModel(models: Models, environment: Environment): OpenReranker {
  const graph = createPassageReader("reranker", { models, environment });
  return async (question, candidates, config) => {
    const passages = candidates.map(({ chunk: { path, text } }) => ({ path, text }));
    const messages = [new HumanMessage(question)];
    const result = await graph.invoke({ messages, passages }, partOfRun(config));
    const { scores, outcome, model = "" } = result;
    if (scores === undefined) throw new Error(outcome?.reason ?? "no scores came");
    return {
      scores: candidates.map(({ chunk: { id }, score }, at) => ({
        id,
        score: (score + (scores[at] ?? 0)) / 2,
      })),
      by: `model ${model}`,
    };
  };
}
