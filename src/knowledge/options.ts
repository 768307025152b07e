import { isRecord } from "../json/json.js";
import type { Models } from "../models/model.js";
import { checkNames, invalidOption, type NamesOf, shown } from "../run/check-names.js";
import type { EmbeddingsInput } from "./embedding.js";
import type { IngestProgress } from "./ingest/ingest.js";
import type { SourceReader } from "./read/read-source.js";
import type { RerankInput } from "./recall/open-reranker.js";
import type { RecallOptions } from "./recall/stage.js";
import type { PostgresAddress } from "./store/postgres-client.js";
import type { Filter } from "./store/store.js";
import type { UsedVectorStore } from "./store/vector-index.js";
import type { TermsInput } from "./text/terms.js";

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

/** How sources are read into a base. */
export type IngestOptions = {
  /** Removes sources that are not among those given. Without it, one that is missing stays. */
  readonly prune?: boolean;
  /** Embeds everything again, with the model of this base. */
  readonly reembed?: boolean;
  /**
   * A model, for the role `executor`, that writes up to three questions for each piece without questions of its own: it
   * is found by them, too. Needs an embedding model. Without it, pieces that have not changed keep theirs.
   */
  readonly summaries?: Models;
  /** Reports what would change, and writes nothing. */
  readonly dryRun?: boolean;
  /** What all pieces of these sources can be filtered by. */
  readonly metadata?: Readonly<Record<string, string | readonly string[]>>;
  readonly onProgress?: (progress: IngestProgress) => void;
  readonly signal?: AbortSignal;
};

/** How a base is measured. */
export type CheckOptions = {
  /** The share of the questions with an answer that the threshold must keep; default 0.95. */
  readonly keep?: number;
  /** Keeps the threshold with the base, for later recalls; default true. */
  readonly save?: boolean;
};

/** How a base becomes a tool. */
export type SearchKnowledgeOptions = {
  /** Default `search_knowledge`; tools of several bases need names of their own. */
  readonly name?: string;
  /** What the base knows, for the model. */
  readonly description?: string;
  /** How many pieces are shown; default 5. */
  readonly topK?: number;
  /**
   * What the caller may find, from the run's config: from what the server knows about them, such as
   * `config.configurable.langgraph_auth_user`, never from what a client may set. Without a filter from it, or if it
   * throws, nothing is searched.
   */
  readonly access?: (config: SearchConfig) => Filter | undefined | Promise<Filter | undefined>;
};

/** The config of a tool call, as LangChain gives it. */
export type SearchConfig = {
  readonly configurable?: Readonly<Record<string, unknown>>;
  readonly context?: unknown;
};

/** Refuses what `openKnowledge` cannot take. Throws `invalid_option`. */
export function checkKnowledgeOptions(options: KnowledgeOptions): void {
  checkNames("openKnowledge", options, knowledgeNames);
  const { maxChars = 800, maxFileMegabytes = 20, rerankTimeoutMs = 20_000, timeZone } = options;
  // Less is no piece that anybody could read.
  check(
    Number.isInteger(maxChars) && maxChars >= 50,
    "maxChars",
    "a whole number from 50",
    maxChars,
  );
  check(maxFileMegabytes > 0, "maxFileMegabytes", "megabytes", maxFileMegabytes);
  check(rerankTimeoutMs > 0, "rerankTimeoutMs", "milliseconds", rerankTimeoutMs);
  check(isTimeZone(timeZone), "timeZone", 'an IANA name such as "Asia/Shanghai"', timeZone);
}

/** Refuses what `recall` cannot take. Throws `invalid_option`. */
export function checkRecallOptions(options: RecallOptions): void {
  checkNames("recall", options, recallNames);
  const { topK = 5, minScore = 0, at = new Date(), also = [] } = options;
  checkTopK(topK);
  check(typeof minScore === "number" && !Number.isNaN(minScore), "minScore", "a number", minScore);
  check(at instanceof Date && !Number.isNaN(at.getTime()), "at", "a valid date", at);
  const areTexts = Array.isArray(also) && also.every((one) => typeof one === "string");
  check(areTexts && also.length <= maxForms, "also", `a list of up to ${maxForms} texts`, also);
  if (options.filter !== undefined) checkLabels("filter", options.filter);
}

/** Refuses what `ingest` cannot take. Throws `invalid_option`. */
export function checkIngestOptions(sources: readonly unknown[], options: IngestOptions): void {
  check(Array.isArray(sources), "ingest", "a list of sources", sources);
  checkNames("ingest", options, ingestNames);
  const { prune = false, reembed = false, dryRun = false, metadata = {} } = options;
  for (const [name, value] of Object.entries({ prune, reembed, dryRun })) {
    check(typeof value === "boolean", name, "true or false", value);
  }
  checkLabels("metadata", metadata);
}

/** Refuses labels that are no texts: a label that is read otherwise than it was written would find the wrong pieces. */
function checkLabels(where: string, labels: unknown): void {
  const isObject =
    isRecord(labels) && [Object.prototype, null].includes(Object.getPrototypeOf(labels));
  check(isObject, where, 'an object such as { tenant: "a" }', labels);
  for (const [name, value] of Object.entries(isObject ? labels : {})) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    const areTexts = values.every((one) => typeof one === "string");
    check(areTexts, `${where}.${name}`, "a text or a list of texts", value);
  }
}

/** Refuses a filter that restricts nothing where something is to be restricted. Throws `invalid_option`. */
export function checkAccess(filter: unknown): void {
  checkLabels("restrictedTo", filter);
  const names = isRecord(filter) ? Object.keys(filter) : [];
  check(names.length > 0, "restrictedTo", "at least one name with its values", filter);
}

/** Refuses what `check` cannot take. Throws `invalid_option`. */
export function checkCheckOptions(options: CheckOptions): void {
  checkNames("check", options, checkOptionNames);
  const { keep = 0.95 } = options;
  check(keep > 0 && keep <= 1, "keep", "a share above 0, up to 1", keep);
}

/** Refuses what `createSearchKnowledgeTool` cannot take. Throws `invalid_option`. */
export function checkSearchOptions(options: SearchKnowledgeOptions): void {
  checkNames("createSearchKnowledgeTool", options, searchNames);
  checkTopK(options.topK ?? 5);
}

/** Each form of a question is embedded and looked for. */
const maxForms = 10;

function checkTopK(topK: unknown): void {
  const isCount = Number.isInteger(topK) && Number(topK) >= 1 && Number(topK) <= 50;
  check(isCount, "topK", "a whole number from 1 to 50", topK);
}

function check(isRight: boolean, name: string, wanted: string, came: unknown): void {
  if (!isRight) throw invalidOption(`${name}: expected ${wanted}, got ${shown(came)}.`);
}

function isTimeZone(name: string | undefined): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch {
    return false;
  }
}

const knowledgeNames = {
  file: true,
  postgres: true,
  vectors: true,
  embeddings: true,
  terms: true,
  readers: true,
  rerank: true,
  rerankTimeoutMs: true,
  maxChars: true,
  maxFileMegabytes: true,
  environment: true,
  timeZone: true,
} satisfies NamesOf<KnowledgeOptions>;

const recallNames = {
  topK: true,
  minScore: true,
  filter: true,
  at: true,
  also: true,
  config: true,
} satisfies NamesOf<RecallOptions>;

const ingestNames = {
  prune: true,
  reembed: true,
  dryRun: true,
  metadata: true,
  summaries: true,
  onProgress: true,
  signal: true,
} satisfies NamesOf<IngestOptions>;

const checkOptionNames = { keep: true, save: true } satisfies NamesOf<CheckOptions>;

const searchNames = {
  name: true,
  description: true,
  topK: true,
  access: true,
} satisfies NamesOf<SearchKnowledgeOptions>;
