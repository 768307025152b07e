import { z } from "zod";

import { isRecord, type Json } from "../../json/json.js";
import type { SourceProblem } from "../read/piece.js";
import type { Chunk, Scope } from "./store.js";

/** How a store writes values into its statements. */
export type Dialect = {
  /** The table of labels. */
  readonly label: string;
  /** Takes a value, and gives its place in the statement. */
  readonly bind: (value: string) => string;
  readonly isOneOf: (values: readonly string[]) => string;
};

/** The conditions on `chunk` that a scope sets. Values never become part of the text. */
export function conditionsOf({ filters, day }: Scope, { label, bind, isOneOf }: Dialect): string {
  // Bound in the order of the text: SQLite counts its values.
  const days = `chunk.first_day <= ${bind(day)} AND chunk.last_day >= ${bind(day)}`;
  const labels = filters
    .flatMap((filter) => Object.entries(filter))
    .map(
      ([name, value]) => `chunk.row IN (SELECT label.chunk FROM ${label} AS label
        WHERE label.name = ${bind(name)} AND label.value ${isOneOf([value].flat())})`,
    );
  return [days, ...labels].join(" AND ");
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
  metadata: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(z.record(z.string(), z.array(z.string()))),
  chunks: z.number(),
});
export const HashRow = z.object({ id: z.string(), hash: z.string() });
export const RowNumber = z.object({ row: z.number() });
export const IdRow = z.object({ id: z.string() });
export const SourceName = z.object({ source: z.string() });
export const CountRow = z.object({ count: z.number() });
export const SpreadRow = z.object({ term: z.string(), doc: z.number() });
export const ScoreRow = z.object({ id: z.string(), score: z.number() });
export const VectorRow = z.object({
  hash: z.string(),
  numbers: z.union([z.instanceof(ArrayBuffer), z.instanceof(Uint8Array)]),
});
/** A vector. */
export const NumbersRow = VectorRow.pick({ numbers: true });
export const EmbeddedRow = z.object({
  id: z.string(),
  kind: z.enum(["question", "content"]),
  hash: z.string(),
});
/** A hash with its questions. */
export const SummaryRow = z
  .object({ hash: z.string(), questions: z.string() })
  .transform(({ hash, questions }): unknown => [hash, JSON.parse(questions)])
  .pipe(z.tuple([z.string(), z.array(z.string())]));
const ChunkText = z.object({ text: z.string() });

/** The chunk in a row with its data as `text`. */
export function chunkOf(row: unknown): Chunk {
  const chunk: Chunk = JSON.parse(ChunkText.parse(row).text);
  return chunk;
}

/** The chunks in rows, in the order of these ids. */
export function chunksInOrder(rows: readonly unknown[], ids: readonly string[]): readonly Chunk[] {
  const found = new Map(rows.map(chunkOf).map((chunk) => [chunk.id, chunk]));
  return ids.flatMap((id) => found.get(id) ?? []);
}
