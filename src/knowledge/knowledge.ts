import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { defined } from "../json/json.js";
import type { Environment, Models } from "../models/model.js";
import { errorLine } from "../observe/redact.js";
import { invalidOption } from "../run/check-names.js";
import { type Embedding, embeddingOf } from "./embedding.js";
import {
  checkLabels,
  checkQuestions,
  type KnowledgeCheck,
  type LabelledQuestion,
} from "./check/check.js";
import {
  checkAccess,
  checkCheckOptions,
  checkIngestOptions,
  type CheckOptions,
  checkQuestion,
  checkRecallOptions,
  checkSourceName,
  type IngestOptions,
} from "./options.js";
import { checkEmbedding } from "./check-embedding.js";
import { type IngestReport, ingestSource, type SourceReport } from "./ingest/ingest.js";
import { openSummaryWriter, type SummaryWriter } from "./ingest/summaries.js";
import { findSources, type FoundSource, type KnowledgeSource } from "./ingest/sources.js";
import type { Metadata } from "./read/piece.js";
import type { SourceReader } from "./read/read-source.js";
import { keepBackground } from "./recall/background.js";
import { recall } from "./recall/recall.js";
import type { OpenReranker } from "./recall/open-reranker.js";
import type { Recall, RecallOptions } from "./recall/stage.js";
import { KnowledgeRetriever } from "./retriever.js";
import type { Filter, KnowledgeStore, Scope, StoredSource } from "./store/store.js";
import { fill, type VectorIndex } from "./store/vector-index.js";
import type { Terms } from "./text/terms.js";

/** The scores that hits need, as `knowledge check` has found them, each for one way of scoring. */
const ThresholdFacts = z.record(z.string(), z.number());

/** The parts of an open base. */
export type KnowledgeParts = {
  readonly store: KnowledgeStore;
  /** A vector store that proposes what is near. */
  readonly index: VectorIndex | undefined;
  readonly embedding: Embedding | undefined;
  readonly terms: Terms;
  readonly readers: ReadonlyMap<string, SourceReader>;
  readonly reranker: OpenReranker | undefined;
  readonly rerankTimeoutMs: number;
  readonly maxChars: number;
  readonly maxFileMegabytes: number;
  readonly timeZone: string | undefined;
  /** Keys and addresses of models. */
  readonly environment: Environment;
};

/** Longer questions are cut: what is asked stands in less. */
const maxQuestionChars = 2_000;

/** A base of one's own documents. Made by `openKnowledge`. */
export class Knowledge {
  readonly #parts: KnowledgeParts;
  readonly #access: readonly Filter[];
  #checked: Promise<void> | undefined;

  constructor(parts: KnowledgeParts, access: readonly Filter[] = []) {
    this.#parts = parts;
    this.#access = access;
  }

  /**
   * The same base, in which nothing but what fits the filter can be found, whatever is asked. Filters of recalls, of
   * models and of clients can only narrow it. It can only be asked. Throws `invalid_option` for a filter that restricts
   * nothing.
   */
  restrictedTo(filter: Filter): Knowledge {
    checkAccess(filter);
    return new Knowledge(this.#parts, [...this.#access, filter]);
  }

  /**
   * Reads sources into the base: files, folders, patterns or texts. What has not changed is not read again, and no text
   * is embedded twice, unless two programs read it at the same time. Each source is written whole or not at all; what is
   * stopped goes on with the next call. A source that cannot be read is reported, and the others are taken. Throws
   * `unreadable_file` for one that is not there, before anything is written, `missing_package`, `knowledge_failed` for a
   * base that cannot be written, `embedding_changed` for a base of another model, `embedding_failed` and `summary_failed`.
   */
  async ingest(
    sources: readonly KnowledgeSource[],
    options: IngestOptions = {},
  ): Promise<IngestReport> {
    this.#checkWhole("ingest");
    checkIngestOptions(sources, options);
    const { prune = false, reembed = false, dryRun = false } = options;
    const { store, readers } = this.#parts;
    const writer = await this.#writerFor(options.summaries);
    const found = await findSources(sources, readers);
    await this.#prepare(reembed, dryRun);
    const known = await store.sources();
    const reports = await this.#readAll(found.sources, known, writer, options);
    const names = new Set(found.sources.map(({ name }) => name));
    const gone = prune ? known.filter(({ name }) => !names.has(name)) : [];
    if (!dryRun) {
      await this.#removeSources(gone);
      await keepBackground(store);
    }
    const skipped = found.skipped.map((source) => ({ source, problem: "no reader for it" }));
    return {
      ...sumOf(reports, gone),
      expired: await this.#expired(),
      problems: [...reports.flatMap(({ problems }) => problems), ...skipped],
      failed: reports.flatMap(({ failed }) => failed),
    };
  }

  async #prepare(reembed: boolean, dryRun: boolean): Promise<void> {
    const { store, index } = this.#parts;
    // A base that cannot be written says so before a model is paid: no base has this fact.
    if (!dryRun) await store.setFact("ingest", undefined);
    if (!reembed) await this.#checkModel();
    if (!dryRun && !reembed) await fill(index, store);
  }

  async #readAll(
    sources: readonly FoundSource[],
    known: readonly StoredSource[],
    writer: SummaryWriter | undefined,
    { reembed = false, dryRun = false, metadata = {}, onProgress, signal }: IngestOptions,
  ): Promise<readonly SourceReport[]> {
    if (reembed && !dryRun) await this.#forgetVectors();
    const open = await this.#unembedded(known, reembed);
    const own = { metadata: listsOf(metadata), dryRun, onProgress, signal };
    const ingest = { ...this.#parts, ...own, writer };
    const stored = new Map(known.map((source) => [source.name, source]));
    const reports: SourceReport[] = [];
    for (const [done, source] of sources.entries()) {
      signal?.throwIfAborted();
      const progress = { done, sources: sources.length };
      const last = open.has(source.name) ? undefined : stored.get(source.name);
      reports.push(await ingestSource(source, last, progress, ingest));
    }
    return reports;
  }

  async #writerFor(summaries: Models | undefined): Promise<SummaryWriter | undefined> {
    if (summaries === undefined) return undefined;
    const { embedding, environment } = this.#parts;
    if (embedding !== undefined) return openSummaryWriter(summaries, environment);
    throw invalidOption(
      "summaries: the questions of a model are found by their vectors. Open the base with embeddings, or leave summaries out.",
    );
  }

  /** Removes a source with all that it says. */
  async remove(source: string): Promise<void> {
    this.#checkWhole("remove");
    checkSourceName(source);
    await this.#removeSources([{ name: source }]);
  }

  /** The sources of the base. */
  async sources(): Promise<readonly StoredSource[]> {
    this.#checkWhole("sources");
    return this.#parts.store.sources();
  }

  /**
   * Finds what answers a question: by words, and by vectors where there is an embedding model. A leg that fails is noted,
   * and the others answer. Throws `invalid_input` for an empty question, `embedding_changed` for another model
   * and `knowledge_failed`.
   */
  async recall(question: string, options: RecallOptions = {}): Promise<Recall> {
    checkQuestion(question);
    checkRecallOptions(options);
    const { topK = 5, filter, at = new Date(), also = [], config = {} } = options;
    const { queries, notes } = checkedQueries([question, ...also]);
    await this.#checkModel();
    const filters = [...this.#access, ...(filter === undefined ? [] : [filter])];
    const scope: Scope = { filters, day: this.#dayOf(at) };
    const { reranker, rerankTimeoutMs: timeoutMs } = this.#parts;
    const known = await this.#thresholds();
    const minScore = (by: string | undefined) => options.minScore ?? known[this.#scoring(by)] ?? 0;
    const ordering = { reranker, timeoutMs, config };
    const found = await recall(this.#parts, { queries, scope, topK, minScore, ...ordering });
    return { ...found, notes: [...notes, ...(await this.#modelNotes()), ...found.notes] };
  }

  /** The base as a retriever of LangChain. Throws `invalid_option`. */
  asRetriever(options: RecallOptions = {}): KnowledgeRetriever {
    checkRecallOptions(options);
    return new KnowledgeRetriever(this, options);
  }

  /**
   * Measures how well the base finds the answers of labelled questions, and keeps the score that a hit needs: the highest
   * one at which `keep` of the questions with an answer still get one (default 0.95). Throws `invalid_input`.
   */
  async check(
    questions: readonly LabelledQuestion[],
    options: CheckOptions = {},
  ): Promise<KnowledgeCheck> {
    this.#checkWhole("check");
    checkCheckOptions(options);
    const { keep = 0.95, save = true } = options;
    checkLabels(questions);
    const { store } = this.#parts;
    const checked = await checkQuestions(questions, keep, {
      recall: (question) => this.recall(question, { topK: 10, minScore: 0 }),
      chunks: (ids) => store.chunks(ids),
      sources: () => store.sources(),
    });
    const notes = save ? await this.#keepThreshold(checked) : [];
    return { ...checked, notes: [...checked.notes, ...notes] };
  }

  /** Where it cannot be kept, what was measured stands. */
  async #keepThreshold({ by, refusal }: KnowledgeCheck): Promise<readonly string[]> {
    if (refusal === undefined) return [];
    try {
      const known = { ...(await this.#thresholds()), [this.#scoring(by)]: refusal.threshold };
      await this.#parts.store.setFact("thresholds", known);
      return [];
    } catch (error) {
      return [`the score that hits need was not kept: ${errorLine(error)}`];
    }
  }

  /** Closes the base, with all that `restrictedTo` has made of it; twice is once. Calls then throw `knowledge_failed`. */
  async close(): Promise<void> {
    await this.#parts.store.close();
  }

  /** A base that is restricted to what somebody may find is asked, and neither changed nor listed. */
  #checkWhole(call: string): void {
    if (this.#access.length === 0) return;
    throw invalidOption(
      `${call}: this base is restricted to what somebody may find; call it on the base itself.`,
    );
  }

  async #checkModel(): Promise<void> {
    this.#checked ??= checkEmbedding(this.#parts);
    try {
      await this.#checked;
    } catch (error) {
      this.#checked = undefined;
      throw error;
    }
  }

  /** The sources that must be embedded, even if they have not changed: all of them if the base is to get other vectors. */
  async #unembedded(
    known: readonly StoredSource[],
    reembed: boolean,
  ): Promise<ReadonlySet<string>> {
    const { embedding, store } = this.#parts;
    if (reembed) return new Set(known.map(({ name }) => name));
    return embedding === undefined ? new Set() : store.unembedded();
  }

  async #forgetVectors(): Promise<void> {
    const { store, index } = this.#parts;
    const dropped = await store.dropVectors("all");
    await index?.remove(dropped);
    await fill(index, store);
    await store.setFact("embedding", undefined);
    await store.setFact("thresholds", undefined);
    this.#checked = undefined;
  }

  async #removeSources(sources: readonly { readonly name: string }[]): Promise<void> {
    const { store, index } = this.#parts;
    for (const { name } of sources) await store.removeSource(name);
    const dropped = await store.dropVectors("unused");
    await index?.remove(dropped);
  }

  async #expired(): Promise<IngestReport["expired"]> {
    const chunks = await this.#parts.store.expired(this.#dayOf(new Date()));
    return chunks.map(({ source, line, path, until }) => ({
      source,
      line,
      path,
      ...defined({ until }),
    }));
  }

  #dayOf(at: Date): string {
    const { timeZone } = this.#parts;
    return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(at);
  }

  async #thresholds(): Promise<z.infer<typeof ThresholdFacts>> {
    return ThresholdFacts.parse((await this.#parts.store.fact("thresholds")) ?? {});
  }

  /** The name of a way of scoring: a threshold of one says nothing about the scores of another. */
  #scoring(by: string | undefined): string {
    return `${this.#parts.embedding === undefined ? "keyword" : "hybrid"} by ${by ?? "order"}`;
  }

  async #modelNotes(): Promise<readonly string[]> {
    const { embedding, store } = this.#parts;
    if (embedding !== undefined) return [];
    const base = await embeddingOf(store);
    const why = base === undefined ? "no embedding model" : `its model ${base.id} was not given`;
    return [`recall by words only: ${why}`];
  }
}

function checkedQueries(given: readonly string[]): {
  readonly queries: readonly string[];
  readonly notes: readonly string[];
} {
  const queries = given.map((query) => query.trim()).filter((query) => query !== "");
  if ((given[0] ?? "").trim() === "") {
    throw new PlangraphError("invalid_input", "The question is empty.");
  }
  const isLong = queries.some((query) => query.length > maxQuestionChars);
  return {
    queries: [...new Set(queries.map((query) => query.slice(0, maxQuestionChars)))],
    notes: isLong ? [`the question was cut to ${maxQuestionChars} characters`] : [],
  };
}

/** Metadata in one order, so that equal ones are equal texts. */
function listsOf(metadata: NonNullable<IngestOptions["metadata"]>): Metadata {
  const lists = Object.entries(metadata).map(([name, value]) => [name, [value].flat().toSorted()]);
  return Object.fromEntries(lists.toSorted(([left = ""], [right = ""]) => (left < right ? -1 : 1)));
}

type Counts = Omit<SourceReport, "problems" | "failed">;

function sumOf(reports: readonly Counts[], gone: readonly StoredSource[]): Counts {
  const sum = (field: keyof Counts) => reports.reduce((total, report) => total + report[field], 0);
  return {
    added: sum("added"),
    changed: sum("changed"),
    removed: sum("removed") + gone.reduce((total, { chunks }) => total + chunks, 0),
    unchanged: sum("unchanged"),
    embedded: sum("embedded"),
    summarised: sum("summarised"),
  };
}
