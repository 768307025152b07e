import { z } from "zod";

import { isRecord, type Json } from "../../json/json.js";
import type { SourceProblem } from "../read/piece.js";
import type { Chunk, Scope } from "./store.js";

/** The conditions on `chunk` that a scope sets, and their values. */
export function conditionsOf({ filters, day }: Scope): {
  readonly where: string;
  readonly values: readonly string[];
} {
  const labels = filters.flatMap((filter) =>
    Object.entries(filter).map(([name, value]) => ({ name, values: [value].flat() })),
  );
  const has = `EXISTS (SELECT 1 FROM label WHERE label.chunk = chunk.row AND label.name = ?
    AND label.value IN (SELECT value FROM json_each(?)))`;
  return {
    where: ["chunk.first_day <= ? AND chunk.last_day >= ?", ...labels.map(() => has)].join(" AND "),
    values: [day, day, ...labels.flatMap(({ name, values }) => [name, JSON.stringify(values)])],
  };
}

/** A blob as floats. Drivers give an array buffer, or a view into a shared one. */
export function floatsOf(blob: ArrayBuffer | Uint8Array): Float32Array {
  const bytes = Uint8Array.from(new Uint8Array(blob));
  return new Float32Array(bytes.buffer);
}

export const JsonText = z.object({ text: z.string().transform((text): Json => JSON.parse(text)) });
export const SourceRow = z.object({
  name: z.string(),
  hash: z.string(),
  problems: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(z.array(z.custom<SourceProblem>(isRecord))),
  chunks: z.number(),
});
export const HashRow = z.object({ id: z.string(), hash: z.string() });
export const RowNumber = z.object({ row: z.number() });
export const IdRow = z.object({ id: z.string() });
export const CountRow = z.object({ count: z.number() });
export const SpreadRow = z.object({ term: z.string(), doc: z.number() });
export const ScoreRow = z.object({ id: z.string(), score: z.number() });
export const VectorRow = z.object({
  hash: z.string(),
  numbers: z.union([z.instanceof(ArrayBuffer), z.instanceof(Uint8Array)]),
});
export const EmbeddedRow = z.object({
  id: z.string(),
  kind: z.enum(["question", "content"]),
  hash: z.string(),
});
const ChunkText = z.object({ text: z.string() });

/** The chunk in a row with its data as `text`. */
export function chunkOf(row: unknown): Chunk {
  const chunk: Chunk = JSON.parse(ChunkText.parse(row).text);
  return chunk;
}
