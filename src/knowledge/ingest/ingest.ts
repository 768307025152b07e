import { PlangraphError } from "../../errors.js";
import { errorLine } from "../../observe/redact.js";
import type { Embedding } from "../embedding.js";
import type { Metadata, SourceContent, SourceProblem } from "../read/piece.js";
import { changesOf } from "../store/changes.js";
import type { Chunk, IndexedChunk, KnowledgeStore, StoredSource } from "../store/store.js";
import type { VectorIndex } from "../store/vector-index.js";
import type { Terms } from "../text/terms.js";
import { chunksOf, hashOf, indexed, plainHash } from "./chunk.js";
import { embedTexts } from "./embed-texts.js";
import type { FoundSource } from "./sources.js";
import { type SummaryWriter, withSummaries } from "./summaries.js";

/** Something in a source that was left out, or may not be what was meant. */
export type IngestProblem = SourceProblem & { readonly source: string };

/** What reading sources into a base did. Counts are of chunks. */
export type IngestReport = {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Texts that were embedded now. */
  readonly embedded: number;
  /** Chunks that a model wrote questions for now. */
  readonly summarised: number;
  /** Chunks that are no longer valid, and are not recalled. */
  readonly expired: readonly Pick<Chunk, "source" | "line" | "path" | "until">[];
  readonly problems: readonly IngestProblem[];
  /** Sources that could not be read; their problems say why. What the base already has of them is kept. */
  readonly failed: readonly string[];
};

/** How far reading has come. */
export type IngestProgress = {
  readonly source: string;
  /** Sources before this one, and all. */
  readonly done: number;
  readonly sources: number;
  /** Texts of this source that are embedded, and all. */
  readonly embedded: number;
  readonly texts: number;
  /** While a model writes questions: the chunks of this source that have theirs, and all that wanted them. */
  readonly summaries?: { readonly written: number; readonly wanted: number };
};

/** What reading into a base needs. */
export type Ingest = {
  readonly store: KnowledgeStore;
  readonly index: VectorIndex | undefined;
  readonly embedding: Embedding | undefined;
  readonly terms: Terms;
  readonly maxChars: number;
  readonly maxFileMegabytes: number;
  readonly metadata: Metadata;
  /** Writes questions for the chunks that have none. */
  readonly writer: SummaryWriter | undefined;
  /** Nothing is written. */
  readonly dryRun: boolean;
  readonly onProgress: ((progress: IngestProgress) => void) | undefined;
  readonly signal: AbortSignal | undefined;
};

type Counts = Pick<
  IngestReport,
  "added" | "changed" | "removed" | "unchanged" | "embedded" | "summarised"
>;
/** What reading one source did. */
export type SourceReport = Counts & Pick<IngestReport, "problems" | "failed">;

/** Changes with how sources are read: then all are read again. */
const readerVersion = 2;

/** Reads one source, if it has changed, and writes what has changed in it. */
export async function ingestSource(
  source: FoundSource,
  known: StoredSource | undefined,
  progress: Pick<IngestProgress, "done" | "sources">,
  ingest: Ingest,
): Promise<SourceReport> {
  const { store, dryRun } = ingest;
  const { name } = source;
  const other = known === undefined ? undefined : otherMetadata(known.metadata, ingest.metadata);
  if (other !== undefined) return unreadSource(name, other, known);
  const bytes = await bytesOf(source, ingest);
  if ("problem" in bytes) return unreadSource(name, bytes.problem, known);
  const hash = sourceHash(bytes, ingest);
  if (known !== undefined && isRead(known.hash, hash, ingest)) {
    const unchanged = { ...none, unchanged: known.chunks };
    return { ...unchanged, problems: problemsOf(name, known.problems), failed: [] };
  }
  const content = await contentOf(source, bytes, ingest);
  if ("problem" in content) return unreadSource(name, content.problem, known);
  const tell = (how: Told) => ingest.onProgress?.({ source: name, ...progress, ...how });
  const { chunks, written, problems } = await chunksIn(name, content, tell, ingest);
  const counts = await countsOf(name, chunks, ingest);
  const told = { problems: problemsOf(name, problems), failed: [] };
  if (dryRun) return { ...counts, ...told };
  const all = chunks.map(({ chunk }) => chunk);
  const first = await embedTexts(all, (embedded, texts) => tell({ embedded, texts }), ingest);
  await store.putSource({ name, hash, problems, metadata: ingest.metadata }, chunks);
  // Another program may have dropped vectors in between: no chunk used them yet.
  const again = await embedTexts(all, () => {}, ingest);
  return { ...counts, embedded: first + again, summarised: written, ...told };
}

/** Why a source cannot be read with this metadata: it would take somebody's document away to give its name to another. */
function otherMetadata(known: Metadata, given: Metadata): string | undefined {
  if (JSON.stringify(known) === JSON.stringify(given)) return undefined;
  return `the base has it with other metadata (${textOf(known)}, not ${textOf(given)}) and keeps it; remove it first, or give this one another name`;
}

function textOf(metadata: Metadata): string {
  const pairs = Object.entries(metadata).map(([name, values]) => `${name}=${values.join("|")}`);
  return pairs.length === 0 ? "none" : pairs.join(" ");
}

const summarised = " summarised";

/** Says what a source holds and how it was read, and whether a model was asked about all of it. */
function sourceHash(bytes: Uint8Array, { maxChars, metadata, writer }: Ingest): string {
  const parts = [readerVersion, maxChars, JSON.stringify(metadata), hashOf(bytes)];
  return `${hashOf(parts.join(" "))}${writer === undefined ? "" : summarised}`;
}

/** Whether a source need not be read again. Without a model, one that it was asked about stays as it is. */
function isRead(known: string, hash: string, { writer }: Ingest): boolean {
  return known === hash || (writer === undefined && known === `${hash}${summarised}`);
}

type Told = Pick<IngestProgress, "embedded" | "texts" | "summaries">;

/** The chunks that a source has now. */
async function chunksIn(
  name: string,
  { pieces, problems }: SourceContent,
  tell: (how: Told) => void,
  { store, metadata, terms, dryRun, signal, writer }: Ingest,
) {
  const summaries = await withSummaries(chunksOf(name, pieces, metadata), {
    store,
    writer: dryRun ? undefined : writer,
    signal,
    onWritten: (written, wanted) => tell({ embedded: 0, texts: 0, summaries: { written, wanted } }),
  });
  return {
    chunks: summaries.chunks.map((chunk) => indexed(chunk, terms)),
    written: summaries.written,
    problems: [...problems, ...contradictions(pieces), ...summaries.problems],
  };
}

/** How many chunks of a source say something else now. */
async function countsOf(
  name: string,
  chunks: readonly IndexedChunk[],
  { store }: Ingest,
): Promise<Counts> {
  const stored = await store.hashes(name);
  const { put, removed } = changesOf(stored, chunks);
  const before = put.filter(({ chunk }) => stored.has(chunk.id));
  // One that only got questions of a model says what it said.
  const changed = before.filter(({ chunk }) => stored.get(chunk.id) !== plainHash(chunk)).length;
  const added = put.length - before.length;
  const unchanged = chunks.length - added - changed;
  return { ...none, added, changed, removed: removed.length, unchanged };
}

const none: Counts = {
  added: 0,
  changed: 0,
  removed: 0,
  unchanged: 0,
  embedded: 0,
  summarised: 0,
};

function problemsOf(source: string, problems: readonly SourceProblem[]): readonly IngestProblem[] {
  return problems.map((problem) => ({ source, ...problem }));
}

function unreadSource(
  source: string,
  problem: string,
  known: StoredSource | undefined,
): SourceReport {
  const counts = { ...none, unchanged: known?.chunks ?? 0 };
  return { ...counts, problems: [{ source, problem }], failed: [source] };
}

type Failed = { readonly problem: string };

async function bytesOf(
  { bytes }: FoundSource,
  { maxFileMegabytes }: Ingest,
): Promise<Uint8Array | Failed> {
  try {
    const read = await bytes();
    const megabytes = read.byteLength / 1_000_000;
    if (megabytes <= maxFileMegabytes) return read;
    const problem = `it has ${megabytes.toFixed(1)} MB; the setting maxFileMegabytes allows ${maxFileMegabytes}`;
    return { problem };
  } catch (error) {
    return { problem: errorLine(error) };
  }
}

async function contentOf(
  { name, reader }: FoundSource,
  bytes: Uint8Array,
  { maxChars }: Ingest,
): Promise<SourceContent | Failed> {
  try {
    const content = await reader(bytes, { name, maxChars });
    const isEmpty = content.pieces.length === 0 && content.problems.length === 0;
    return isEmpty
      ? { pieces: [], problems: [{ problem: "there is nothing to read in it" }] }
      : content;
  } catch (error) {
    // A package that is missing would be missing for every source of the kind.
    if (error instanceof PlangraphError) throw error;
    return { problem: errorLine(error) };
  }
}

/** Two valid answers to one question are both kept; a person must choose. */
function contradictions(pieces: SourceContent["pieces"]): readonly SourceProblem[] {
  const byQuestion = new Map<string, SourceContent["pieces"][number]>();
  return pieces.flatMap((piece) => {
    const [question] = piece.questions;
    if (question === undefined) return [];
    const first = byQuestion.get(question);
    byQuestion.set(question, piece);
    const isOther = first !== undefined && first.text !== piece.text && first.line !== piece.line;
    if (!isOther || !overlap(first, piece)) return [];
    const problem = `"${question}" has another answer in row ${first.line}, and both are valid: they contradict`;
    return [{ line: piece.line, problem }];
  });
}

type Days = { readonly from?: string; readonly until?: string };

function overlap(left: Days, right: Days): boolean {
  return !isBefore(left, right) && !isBefore(right, left);
}

function isBefore(one: Days, other: Days): boolean {
  return (one.until ?? "9999") < (other.from ?? "");
}
