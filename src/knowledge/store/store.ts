import type { Json } from "../../json/json.js";
import type { Metadata, Piece, SourceProblem } from "../read/piece.js";
import type { Spread } from "./bm25.js";

/** A piece in a base, with what it is found by. */
export type Chunk = Piece & {
  readonly id: string;
  readonly source: string;
  /** Questions that a model wrote for it: it is found by them, and they are no words of the source. */
  readonly summaries?: readonly string[];
};

/** A chunk as it is written: its hash changes with its content, its tokens make the index of words. */
export type IndexedChunk = {
  readonly chunk: Chunk;
  readonly hash: string;
  readonly tokens: { readonly title: string; readonly text: string };
  /** The hashes of the texts whose vectors find it. */
  readonly vectors: readonly { readonly kind: VectorKind; readonly hash: string }[];
};

/** Vectors of the questions that a chunk answers, and of its content. */
export type VectorKind = "question" | "content";

export type StoredSource = {
  readonly name: string;
  /** Equal as long as its bytes, and how they are read, are. */
  readonly hash: string;
  readonly problems: readonly SourceProblem[];
  /** What all of its chunks were marked with. */
  readonly metadata: Metadata;
  readonly chunks: number;
};

/** Which chunks may be found. */
export type Scope = {
  /** All must hold: the chunk has one of the values under the name. */
  readonly filters: readonly Filter[];
  /** The chunk is valid on this day, `YYYY-MM-DD`. */
  readonly day: string;
};

/** What a chunk's metadata must hold: of each name one of the values. */
export type Filter = Readonly<Record<string, string | readonly string[]>>;

/** A vector of the base, and a chunk that it finds. */
export type SampledVector = {
  readonly chunk: Chunk;
  readonly hash: string;
  readonly vector: Float32Array;
};

export type Scored = { readonly id: string; readonly score: number };

/** Where a base is kept. All of its writes are whole or not at all. */
export type KnowledgeStore = {
  readonly fact: (name: string) => Promise<Json | undefined>;
  readonly setFact: (name: string, value: Json | undefined) => Promise<void>;
  readonly sources: () => Promise<readonly StoredSource[]>;
  /** The hashes of a source's chunks, by id. */
  readonly hashes: (source: string) => Promise<ReadonlyMap<string, string>>;
  /** Makes these the chunks of a source: writes what has changed, and removes what it no longer has. */
  readonly putSource: (
    source: Omit<StoredSource, "chunks">,
    chunks: readonly IndexedChunk[],
  ) => Promise<void>;
  readonly removeSource: (name: string) => Promise<void>;
  /** Those of the hashes that have no vector yet. */
  readonly withoutVector: (hashes: readonly string[]) => Promise<readonly string[]>;
  /** The sources with a text that has no vector yet. */
  readonly unembedded: () => Promise<ReadonlySet<string>>;
  readonly putVectors: (
    vectors: readonly { readonly hash: string; readonly vector: readonly number[] }[],
  ) => Promise<void>;
  /** The questions that a model wrote for texts, by the hash of a chunk's content; only for those that have been read. */
  readonly summaries: (
    hashes: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly string[]>>;
  readonly putSummaries: (summaries: ReadonlyMap<string, readonly string[]>) => Promise<void>;
  /** Removes the vectors and summaries that no chunk uses, or all vectors; returns the hashes of those vectors. */
  readonly dropVectors: (which: "unused" | "all") => Promise<readonly string[]>;
  /** Vectors in the order of their hashes, from the first after this one. */
  readonly vectors: (
    after: string,
    limit: number,
  ) => Promise<readonly { readonly hash: string; readonly vector: Float32Array }[]>;
  /** Some vectors, the same each time, each with a chunk that it finds. */
  readonly sample: (limit: number) => Promise<readonly SampledVector[]>;
  readonly chunks: (ids: readonly string[]) => Promise<readonly Chunk[]>;
  /** In how many of the chunks that a scope allows each token is, and how many there are. Without filters, of all. */
  readonly spread: (tokens: readonly string[], scope: Scope) => Promise<Spread>;
  /** By BM25 with this spread of the scope, the best first. Scores within a scope depend on no text outside of it. */
  readonly byWords: (
    tokens: readonly string[],
    spread: Spread,
    scope: Scope,
    limit: number,
  ) => Promise<readonly Scored[]>;
  /** By cosine, the best first; of all vectors, or of these texts alone. */
  readonly byVector: (
    vector: readonly number[],
    kind: VectorKind,
    scope: Scope,
    limit: number,
    hashes?: readonly string[],
  ) => Promise<readonly Scored[]>;
  /** The cosines of a vector with the content of these chunks. */
  readonly cosines: (
    vector: readonly number[],
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, number>>;
  /** The chunks that are no longer valid on a day. */
  readonly expired: (day: string) => Promise<readonly Chunk[]>;
  /** Makes the index of words anew. */
  readonly reindex: (tokensOf: (chunk: Chunk) => IndexedChunk["tokens"]) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** What a base that was closed says. */
export const isClosed = "it has been closed; open it again with openKnowledge";
