import { PlangraphError } from "../../errors.js";
import { errorLine } from "../../observe/redact.js";
import { type Embedding, embeddingOf } from "../embedding.js";
import type { Metadata, SourceContent, SourceProblem } from "../read/piece.js";
import { changesOf } from "../store/changes.js";
import type { Chunk, KnowledgeStore, StoredSource } from "../store/store.js";
import type { Terms } from "../text/terms.js";
import { chunksOf, hashOf, indexed, textsOf } from "./chunk.js";
import type { FoundSource } from "./sources.js";

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
};

/** What reading into a base needs. */
export type Ingest = {
  readonly store: KnowledgeStore;
  readonly embedding: Embedding | undefined;
  readonly terms: Terms;
  readonly maxChars: number;
  readonly maxFileMegabytes: number;
  readonly metadata: Metadata;
  /** Nothing is written. */
  readonly dryRun: boolean;
  readonly onProgress: ((progress: IngestProgress) => void) | undefined;
  readonly signal: AbortSignal | undefined;
};

type Counts = Pick<IngestReport, "added" | "changed" | "removed" | "unchanged" | "embedded">;
/** What reading one source did. */
export type SourceReport = Counts & Pick<IngestReport, "problems" | "failed">;

/** Changes with how sources are read: then all are read again. */
const readerVersion = 1;

/** Reads one source, if it has changed, and writes what has changed in it. */
export async function ingestSource(
  source: FoundSource,
  known: StoredSource | undefined,
  progress: Pick<IngestProgress, "done" | "sources">,
  ingest: Ingest,
): Promise<SourceReport> {
  const { store, dryRun, maxChars, metadata } = ingest;
  const { name } = source;
  const bytes = await bytesOf(source, ingest);
  if ("problem" in bytes) return unreadSource(name, bytes.problem, known);
  const hash = hashOf([readerVersion, maxChars, JSON.stringify(metadata), hashOf(bytes)].join(" "));
  if (known?.hash === hash) {
    const unchanged = { ...none, unchanged: known.chunks };
    return { ...unchanged, problems: problemsOf(name, known.problems), failed: [] };
  }
  const content = await contentOf(source, bytes, ingest);
  if ("problem" in content) return unreadSource(name, content.problem, known);
  const { pieces, problems: found } = content;
  const problems = [...found, ...contradictions(pieces)];
  const chunks = chunksOf(name, pieces, metadata).map((chunk) => indexed(chunk, ingest.terms));
  const stored = await store.hashes(name);
  const { put, removed } = changesOf(stored, chunks);
  const changed = put.filter(({ chunk }) => stored.has(chunk.id)).length;
  const counts = {
    added: put.length - changed,
    changed,
    removed: removed.length,
    unchanged: chunks.length - put.length,
    embedded: 0,
  };
  const told = { problems: problemsOf(name, problems), failed: [] };
  if (dryRun) return { ...counts, ...told };
  const tell = (embedded: number, texts: number) =>
    ingest.onProgress?.({ source: name, ...progress, embedded, texts });
  const all = chunks.map(({ chunk }) => chunk);
  const first = await embedTexts(all, tell, ingest);
  await store.putSource({ name, hash, problems }, chunks);
  // Another program may have dropped vectors in between: no chunk used them yet.
  const embedded = first + (await embedTexts(all, noTell, ingest));
  return { ...counts, embedded, ...told };
}

const noTell = () => {};
const none: Counts = { added: 0, changed: 0, removed: 0, unchanged: 0, embedded: 0 };

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

/** How many texts are sent to an embedding model at once. */
const batchSize = 64;

/** Embeds what has no vector yet, and keeps each batch at once: a stop loses one batch at most. */
async function embedTexts(
  chunks: readonly Chunk[],
  tell: (embedded: number, texts: number) => void,
  { store, embedding, signal }: Ingest,
): Promise<number> {
  const texts = new Map(chunks.flatMap((chunk) => [...textsOf(chunk)]));
  const open = embedding === undefined ? [] : await store.withoutVector([...texts.keys()]);
  tell(0, open.length);
  if (embedding === undefined) return 0;
  for (let at = 0; at < open.length; at += batchSize) {
    signal?.throwIfAborted();
    const hashes = open.slice(at, at + batchSize);
    const vectors = await vectorsOf(
      hashes.map((hash) => texts.get(hash) ?? ""),
      embedding,
    );
    await keepDimension(vectors, embedding, store);
    await store.putVectors(hashes.map((hash, index) => ({ hash, vector: vectors[index] ?? [] })));
    tell(at + hashes.length, open.length);
  }
  return open.length;
}

async function vectorsOf(
  texts: readonly string[],
  embedding: Embedding,
): Promise<readonly (readonly number[])[]> {
  const failed = (why: string, cause?: unknown) =>
    new PlangraphError(
      "embedding_failed",
      `The embedding model ${embedding.id} failed: ${why}. What it has embedded is kept: ingest again to go on.`,
      { cause },
    );
  const vectors = await embedding.passages(texts).catch((error: unknown) => {
    throw failed(errorLine(error), error);
  });
  const isWhole = vectors.length === texts.length && vectors.every((vector) => isVector(vector));
  if (isWhole) return vectors;
  throw failed(
    `it gave ${vectors.length} vectors for ${texts.length} texts, or some that are none`,
  );
}

function isVector(vector: readonly number[]): boolean {
  return (
    vector.length > 0 && vector.every(Number.isFinite) && vector.some((number) => number !== 0)
  );
}

/** Keeps the model's id and dimension with the base at the first vector, and refuses another dimension later. */
async function keepDimension(
  vectors: readonly (readonly number[])[],
  { id }: Embedding,
  store: KnowledgeStore,
): Promise<void> {
  const known = (await embeddingOf(store))?.dimension;
  const own = vectors[0]?.length ?? 0;
  const other = vectors.find(({ length }) => length !== (known ?? own));
  if (other !== undefined) {
    throw new PlangraphError(
      "embedding_changed",
      `The embedding model ${id} gave a vector of ${other.length} numbers where the base has ${known ?? own}: ingest with reembed to use another model.`,
    );
  }
  if (known === undefined) await store.setFact("embedding", { id, dimension: own });
}
