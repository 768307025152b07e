import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import type { Models } from "../models/model.js";
import { checkNames, invalidOption, type NamesOf, shown } from "../run/check-names.js";
import { isToolName, toolNames } from "../tools/toolbox.js";
import type { EmbeddingsInput } from "./embedding.js";
import type { IngestProgress } from "./ingest/ingest.js";
import type { KnowledgeSource } from "./ingest/sources.js";
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
  checkPlace(options);
  checkSizes(options);
  checkReaders(options.readers ?? {}, options.readers);
  const { terms = {}, rerank = "", environment = {}, timeZone, vectors = {} } = options;
  const areTerms = isRecord(terms) || (typeof terms === "string" && terms !== "");
  check(areTerms, "terms", "terms, or the path of a file of terms", terms);
  const orders = "a model, a document compressor of LangChain or a function";
  check(isModels(rerank) || typeof rerank === "function", "rerank", orders, rerank);
  check(isRecord(vectors), "vectors", "a vector store of LangChain", vectors);
  check(isRecord(environment), "environment", "an object such as process.env", environment);
  check(isTimeZone(timeZone), "timeZone", 'an IANA name such as "Asia/Shanghai"', timeZone);
}

/** An address in the place of a path: some drivers would ask a server. */
const address = /^(?:[a-z][a-z0-9+.-]+:\/\/|file:)/i;

function checkPlace({ file = ":memory:", postgres = "" }: KnowledgeOptions): void {
  check(typeof file === "string" && file !== "", "file", "the path of a file", file);
  const [scheme] = address.exec(file) ?? [];
  if (scheme !== undefined) {
    // No more of it: there may be a password in it.
    const came = `an address that begins with "${scheme}"`;
    throw invalidOption(
      `file: expected the path of a file, got ${came}. The option postgres takes the address of a Postgres server.`,
    );
  }
  if (typeof postgres === "string") return;
  check(isRecord(postgres), "postgres", "an address, or { url, schema }", postgres);
  checkNames("postgres", postgres, postgresNames);
  const { url, schema = "", timeoutMs = 30_000 } = postgres;
  check(typeof url === "string", "postgres.url", "an address", url);
  check(typeof schema === "string", "postgres.schema", "a name", schema);
  check(isAbove0(timeoutMs), "postgres.timeoutMs", "milliseconds", timeoutMs);
}

function checkSizes(options: KnowledgeOptions): void {
  const { maxChars = 800, maxFileMegabytes = 20, rerankTimeoutMs = 20_000 } = options;
  // Less is no piece that anybody could read.
  check(
    Number.isInteger(maxChars) && maxChars >= 50,
    "maxChars",
    "a whole number from 50",
    maxChars,
  );
  check(isAbove0(maxFileMegabytes), "maxFileMegabytes", "megabytes", maxFileMegabytes);
  check(isAbove0(rerankTimeoutMs), "rerankTimeoutMs", "milliseconds", rerankTimeoutMs);
}

/** Readers are found by the ending of a name in small letters: others would never be asked. */
function checkReaders(readers: object, given: unknown): void {
  check(given !== null && isRecord(readers), "readers", "an object of readers by ending", given);
  for (const [ending, reader] of Object.entries(readers)) {
    const isEnding = /^\.[^./\\\s]+$/.test(ending) && ending === ending.toLowerCase();
    check(isEnding, "readers", 'endings of names in small letters, such as ".xml"', ending);
    check(typeof reader === "function", `readers["${ending}"]`, "a function", reader);
  }
}

/** Refuses a question that is no text. Throws `invalid_input`. */
export function checkQuestion(question: unknown): void {
  if (typeof question === "string") return;
  throw new PlangraphError(
    "invalid_input",
    `The question: expected a text, got ${shown(question)}.`,
  );
}

/** Refuses what `recall` cannot take. Throws `invalid_option`. */
export function checkRecallOptions(options: RecallOptions): void {
  checkNames("recall", options, recallNames);
  const { topK = 5, minScore = 0, at = new Date(), also = [], config = {} } = options;
  checkTopK(topK);
  check(isNumber(minScore), "minScore", "a number", minScore);
  check(at instanceof Date && !Number.isNaN(at.getTime()), "at", "a valid date", at);
  const wanted = `a list of up to ${maxForms} texts`;
  check(Array.isArray(also) && also.length <= maxForms, "also", wanted, also);
  for (const [place, one] of also.entries()) {
    check(typeof one === "string", `also[${place}]`, "a text", one);
  }
  check(isRecord(config), "config", "the config of a tool or node", config);
  if (options.filter !== undefined) checkLabels("filter", options.filter);
}

/** Refuses what `ingest` cannot take. Throws `invalid_option`. */
export function checkIngestOptions(sources: readonly unknown[], options: IngestOptions): void {
  check(Array.isArray(sources), "ingest", "a list of sources", sources);
  for (const [at, source] of sources.entries()) checkSource(source, `sources[${at}]`);
  checkNames("ingest", options, ingestNames);
  const { prune = false, reembed = false, dryRun = false, metadata = {} } = options;
  for (const [name, value] of Object.entries({ prune, reembed, dryRun })) {
    check(typeof value === "boolean", name, "true or false", value);
  }
  checkLabels("metadata", metadata);
  checkCompany(options);
}

/** Checks what an ingest asks and tells. */
function checkCompany({
  summaries = "",
  onProgress = () => {},
  signal = new AbortController().signal,
}: IngestOptions): void {
  check(isModels(summaries), "summaries", "a model, a spec or models by role", summaries);
  check(typeof onProgress === "function", "onProgress", "a function", onProgress);
  const isSignal = isRecord(signal) && typeof signal.throwIfAborted === "function";
  check(isSignal, "signal", "the signal of an AbortController", signal);
}

function checkSource(source: unknown, where: string): void {
  const isPath = typeof source === "string" && source !== "";
  check(isPath || isRecord(source), where, "a path, or { name, content }", source);
  if (!isRecord(source)) return;
  checkNames(where, source, sourceNames);
  const { name, content } = source;
  const isName = typeof name === "string" && name !== "";
  check(isName, `${where}.name`, 'a name such as "faq.md"', name);
  const isContent = typeof content === "string" || content instanceof Uint8Array;
  check(isContent, `${where}.content`, "a text or bytes", content);
}

/** Refuses what names no source. Throws `invalid_option`. */
export function checkSourceName(source: unknown): void {
  check(typeof source === "string", "remove", "the name of a source", source);
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
  const { keep = 0.95, save = true } = options;
  check(isAbove0(keep) && keep <= 1, "keep", "a share above 0, up to 1", keep);
  check(typeof save === "boolean", "save", "true or false", save);
}

/** Refuses what `createSearchKnowledgeTool` cannot take. Throws `invalid_option`. */
export function checkSearchOptions(knowledge: unknown, options: SearchKnowledgeOptions): void {
  const isBase = isRecord(knowledge) && typeof knowledge["recall"] === "function";
  check(isBase, "createSearchKnowledgeTool", "a base that openKnowledge has opened", knowledge);
  checkNames("createSearchKnowledgeTool", options, searchNames);
  const { name = "a", description = "a", topK = 5, access = () => ({}) } = options;
  check(isToolName(name), "name", toolNames, name);
  const isText = typeof description === "string" && description.trim() !== "";
  check(isText, "description", "a text for the model", description);
  checkTopK(topK);
  check(typeof access === "function", "access", "a function that gives a filter", access);
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

function isNumber(value: unknown): value is number {
  return typeof value === "number" && !Number.isNaN(value);
}

function isAbove0(value: unknown): value is number {
  return isNumber(value) && value > 0;
}

/** Whether this can be models: a model, a spec, a list of these, or models by role. What is in it, the models check. */
function isModels(value: unknown): boolean {
  return typeof value === "string" || (typeof value === "object" && value !== null);
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

const postgresNames = { url: true, schema: true, timeoutMs: true } satisfies NamesOf<
  Exclude<PostgresAddress, string>
>;

const sourceNames = { name: true, content: true } satisfies NamesOf<
  Exclude<KnowledgeSource, string>
>;

const checkOptionNames = { keep: true, save: true } satisfies NamesOf<CheckOptions>;

const searchNames = {
  name: true,
  description: true,
  topK: true,
  access: true,
} satisfies NamesOf<SearchKnowledgeOptions>;
