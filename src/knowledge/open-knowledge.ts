import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { canonicalJson } from "../json/json.js";
import { invalidOption, shown } from "../run/check-names.js";
import { checkKnowledgeOptions, type KnowledgeOptions } from "./options.js";
import { openEmbedding } from "./embedding.js";
import { tokensOf } from "./ingest/chunk.js";
import { Knowledge } from "./knowledge.js";
import { sourceReaders } from "./read/read-source.js";
import { openReranker } from "./recall/open-reranker.js";
import { PostgresStore } from "./store/postgres-store.js";
import { SqliteStore } from "./store/sqlite-store.js";
import type { KnowledgeStore } from "./store/store.js";
import { indexIn, type VectorIndex } from "./store/vector-index.js";
import { keptTerms, openTerms } from "./text/read-terms.js";
import type { Terms } from "./text/terms.js";

/**
 * Opens a base of one's own documents. Throws `invalid_option`, `invalid_knowledge` for terms that contradict one another,
 * `unreadable_file`, `missing_package` without the driver of SQLite or Postgres, `knowledge_failed` for a file that is
 * locked and a server that refuses, and what a bad embedding or reranking model throws.
 */
export async function openKnowledge(options: KnowledgeOptions = {}): Promise<Knowledge> {
  checkKnowledgeOptions(options);
  const { embeddings, rerank, readers = {} } = options;
  const { environment = process.env, rerankTimeoutMs = 20_000 } = options;
  const { maxChars = 800, maxFileMegabytes = 20 } = options;
  const given = options.terms === undefined ? undefined : await openTerms(options.terms);
  const embedding =
    embeddings === undefined ? undefined : await openEmbedding(embeddings, environment);
  const reranker = rerank === undefined ? undefined : await openReranker(rerank, environment);
  const index = indexFor(options);
  const store = await storeFor(options);
  const terms = await termsFor(store, given).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return new Knowledge({
    store,
    index,
    embedding,
    terms,
    readers: new Map([...sourceReaders, ...Object.entries(readers)]),
    reranker,
    rerankTimeoutMs,
    maxChars,
    maxFileMegabytes,
    timeZone: options.timeZone,
    environment,
  });
}

async function storeFor({ file, postgres }: KnowledgeOptions): Promise<KnowledgeStore> {
  if (postgres === undefined) return SqliteStore.open(file ?? ":memory:");
  if (file === undefined) return PostgresStore.open(postgres);
  throw new PlangraphError(
    "invalid_option",
    "A knowledge base is in a file or in Postgres: give one of the options file and postgres.",
  );
}

function indexFor({ vectors, embeddings }: KnowledgeOptions): VectorIndex | undefined {
  if (vectors === undefined) return undefined;
  const used = ["addVectors", "delete", "similaritySearchVectorWithScore"] as const;
  if (used.some((name) => typeof Reflect.get(vectors, name) !== "function")) {
    throw invalidOption(`vectors: expected a vector store of LangChain, got ${shown(vectors)}.`);
  }
  if (embeddings !== undefined) return indexIn(vectors);
  throw invalidOption("vectors: a vector store needs embeddings, which make the vectors.");
}

/** The terms of a base: those given, which it keeps from now on, or those it has kept. Its words are found by them. */
async function termsFor(store: KnowledgeStore, given: Terms | undefined): Promise<Terms> {
  const fact = await store.fact("terms");
  if (given === undefined) return keptTerms(fact);
  const terms = JsonValue.parse(given.given);
  if (canonicalJson(terms) === canonicalJson(fact ?? {})) return given;
  await store.reindex((chunk) => tokensOf(chunk, given));
  await store.setFact("terms", terms);
  return given;
}

const JsonValue = z.json();
