import { readFileSync } from "node:fs";

import { Embeddings } from "@langchain/core/embeddings";
import { z } from "zod";

const Recorded = z.object({
  passages: z.record(z.string(), z.string()),
  queries: z.record(z.string(), z.string()),
});

/** A vector as one byte a number: enough for its direction. */
export function packVector(vector: readonly number[]): string {
  const largest = Math.max(...vector.map(Math.abs));
  const bytes = Int8Array.from(vector, (number) => Math.round((number / largest) * 127));
  return Buffer.from(bytes.buffer).toString("base64");
}

function unpackVector(packed: string): number[] {
  return Array.from(Int8Array.from(Buffer.from(packed, "base64")));
}

/** The vectors of the shop's base and questions, as `scripts/record-vectors.ts` has written them down. */
export class RecordedEmbeddings extends Embeddings {
  readonly model = "recorded";
  readonly #vectors: z.infer<typeof Recorded>;

  constructor() {
    super({});
    const file = new URL("../fixtures/knowledge/shop-vectors.json", import.meta.url);
    this.#vectors = Recorded.parse(JSON.parse(readFileSync(file, "utf8")));
  }

  override async embedDocuments(texts: string[]): Promise<number[][]> {
    return texts.map((text) => vectorIn(this.#vectors.passages, text));
  }

  override async embedQuery(text: string): Promise<number[]> {
    return vectorIn(this.#vectors.queries, text);
  }
}

function vectorIn(vectors: Readonly<Record<string, string>>, text: string): number[] {
  const packed = vectors[text];
  if (packed !== undefined) return unpackVector(packed);
  throw new Error(`No vector is recorded for "${text}": npm run record:vectors.`);
}
