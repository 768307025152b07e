import { createHash } from "node:crypto";

import type { Metadata, Piece } from "../read/piece.js";
import type { Chunk, IndexedChunk } from "../store/store.js";
import { analyse, type NameFinder } from "../text/analyse.js";

/** Makes chunks of a source's pieces. Their ids stay the same while their headings do, so that an edit is a change. */
export function chunksOf(
  source: string,
  pieces: readonly Piece[],
  metadata: Metadata,
): readonly Chunk[] {
  const seen = new Map<string, number>();
  return pieces.map((piece) => {
    const place = [source, ...piece.path].join("\0");
    const occurrence = (seen.get(place) ?? 0) + 1;
    seen.set(place, occurrence);
    const id = hashOf(`${place}\0${occurrence}`).slice(0, 16);
    return { ...piece, id, source, metadata: { ...piece.metadata, ...metadata } };
  });
}

/** A chunk with everything it is found by. */
export function indexed(chunk: Chunk, terms: NameFinder): IndexedChunk {
  const { questions, summaries = [] } = chunk;
  return {
    chunk,
    hash: hashOf(JSON.stringify(chunk)),
    tokens: tokensOf(chunk, terms),
    vectors: [
      { kind: "content", hash: contentHash(chunk) },
      ...[...questions, ...summaries].map((question) => ({
        kind: "question" as const,
        hash: hashOf(question),
      })),
    ],
  };
}

/** The hash of a chunk without what a model wrote for it. */
export function plainHash({ summaries: _summaries, ...chunk }: Chunk): string {
  return hashOf(JSON.stringify(chunk));
}

/** The texts whose vectors find a chunk, by their hashes. */
export function textsOf(chunk: Chunk): ReadonlyMap<string, string> {
  const texts = [contentText(chunk), ...chunk.questions, ...(chunk.summaries ?? [])];
  return new Map(texts.map((text) => [hashOf(text), text]));
}

export function tokensOf(
  { path, questions, text }: Chunk,
  terms: NameFinder,
): IndexedChunk["tokens"] {
  const title = [...new Set([...path, ...questions])].join("\n");
  return { title: analyse(title, terms).join(" "), text: analyse(text, terms).join(" ") };
}

/** Equal for chunks that say the same under the same headings. */
export function contentHash(chunk: Chunk): string {
  return hashOf(contentText(chunk));
}

function contentText({ path, text }: Chunk): string {
  return [...path, text].join("\n");
}

export function hashOf(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
