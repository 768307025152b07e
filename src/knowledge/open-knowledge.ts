import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { canonicalJson } from "../json/json.js";
import { invalidOption, shown } from "../run/check-names.js";
import type { EmbeddingsInput } from "./embedding.js";
import { openEmbedding } from "./embedding.js";
import { tokensOf } from "./ingest/chunk.js";
import { Knowledge } from "./knowledge.js";
import { type SourceReader, sourceReaders } from "./read/read-source.js";
import { openReranker, type RerankInput } from "./recall/open-reranker.js";
import type { PostgresAddress } from "./store/postgres-client.js";
import { PostgresStore } from "./store/postgres-store.js";
import { SqliteStore } from "./store/sqlite-store.js";
import type { KnowledgeStore } from "./store/store.js";
import { indexIn, type UsedVectorStore, type VectorIndex } from "./store/vector-index.js";
import { keptTerms, openTerms } from "./text/read-terms.js";
import type { Terms, TermsInput } from "./text/terms.js";

/** Where a base is, and how it finds. */
export type KnowledgeOptions = {
  /** The SQLite file of the base, made if it is not there; default: in memory. */
  readonly file?: string;
  /** The Postgres server of the base, in place of a file: its address, and the schema for the tables. */
  readonly postgres?: PostgresAddress;
  /**
   * A vector store of LangChain that proposes what is near, for bases too large to be scanned. It gets vectors and hashes;
   * texts, words, filters and access stay with the base. Needs `embeddings`.
   */
  readonly vectors?: UsedVectorStore;
  /** Finds by meaning, too; default: by words only. */
  readonly embeddings?: EmbeddingsInput;
  /** Synonyms, names and stop words: a file of YAML or JSON, or as data; default: those that the base has kept. */
  readonly terms?: string | TermsInput;
  /** Reads other kinds of files, by the end of their names, such as ".xml". */
  readonly readers?: Readonly<Record<string, SourceReader>>;
  /**
   * Orders what was found: a model, for the role `reranker`, a document compressor of LangChain, or a function. Default:
   * by features, without a model.
   */
  readonly rerank?: RerankInput;
  /** Milliseconds after which the order by features stands; default 20 000. */
  readonly rerankTimeoutMs?: number;
  /** How long a piece may be, in characters; default 800. */
  readonly maxChars?: number;
  /** Larger files are refused; default 20. */
  readonly maxFileMegabytes?: number;
  /** Keys and addresses of models; default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Says which day it is: IANA name; default: the machine's. */
  readonly timeZone?: string;
};

/**
 * Opens a base of one's own documents. Throws `invalid_knowledge` for terms that contradict one another,
 * `unreadable_file`, `missing_package` without the driver of SQLite or Postgres, `knowledge_failed` for a server that
 * refuses, and what a bad embedding or reranking model throws.
 */
export async function openKnowledge(options: KnowledgeOptions = {}): Promise<Knowledge> {
  const { embeddings, rerank, readers = {} } = options;
  const { environment = process.env, maxChars = 800, maxFileMegabytes = 20 } = options;
  const rerankTimeoutMs = checkedTimeout(options.rerankTimeoutMs);
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

function checkedTimeout(given = 20_000): number {
  if (given > 0) return given;
  throw invalidOption(`rerankTimeoutMs: expected milliseconds, got ${shown(given)}.`);
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
