import { z } from "zod";

import type { RunSql } from "./postgres-client.js";
import { keyOf, type Tables } from "./postgres-tables.js";
import type { IndexedChunk, StoredSource } from "./store.js";

/** How many chunks go into one statement. */
const batchSize = 500;

const InsertedRow = z.object({ id: z.string(), row: z.number() });

type Words = { readonly row: number; readonly tokens: IndexedChunk["tokens"] };

/** Writes chunks within a transaction, many in one statement. */
export class PostgresWriter {
  readonly #sql: RunSql;
  readonly #tables: Tables;

  constructor(sql: RunSql, tables: Tables) {
    this.#sql = sql;
    this.#tables = tables;
  }

  /** What belongs to the chunks goes with them. */
  async remove(ids: readonly string[]): Promise<void> {
    await this.#sql(`DELETE FROM ${this.#tables.chunk} WHERE id = ANY ($1::text[])`, [ids]);
  }

  async insert(chunks: readonly IndexedChunk[]): Promise<void> {
    for (let at = 0; at < chunks.length; at += batchSize) {
      await this.#insertBatch(chunks.slice(at, at + batchSize));
    }
  }

  async putWords(texts: readonly Words[]): Promise<void> {
    const words = texts.flatMap(({ row, tokens }) =>
      wordsOf(tokens).map((one) => ({ row, ...one })),
    );
    await this.#putAll(this.#tables.word, ["bigint", "integer", "integer", "text"], words, [
      ({ row }) => row,
      ({ title }) => title,
      ({ text }) => text,
      ({ token }) => token,
    ]);
    const lengths = new Map(texts.map(({ row }) => [row, 0]));
    for (const { row, title, text } of words)
      lengths.set(row, (lengths.get(row) ?? 0) + title + text);
    await this.#sql(
      `UPDATE ${this.#tables.chunk} SET words = given.words
       FROM unnest($1::bigint[], $2::integer[]) AS given (row, words) WHERE chunk.row = given.row`,
      [[...lengths.keys()], [...lengths.values()]],
    );
  }

  /** Writes the row of a source, with what its chunks are counted to. */
  async putSource({ name, hash, problems, metadata }: Omit<StoredSource, "chunks">): Promise<void> {
    const { source } = this.#tables;
    await this.#sql(
      `INSERT INTO ${source} (key, name, hash, problems, metadata, chunks, words) VALUES ($1, $2, $3, $4, $5, 0, 0)
       ON CONFLICT (key) DO UPDATE SET hash = excluded.hash, problems = excluded.problems`,
      [keyOf(name), JSON.stringify(name), hash, JSON.stringify(problems), JSON.stringify(metadata)],
    );
    await this.#count("source.key = $1", [keyOf(name)]);
  }

  /** Counts the words of all sources again. */
  async countAll(): Promise<void> {
    await this.#count("true", []);
  }

  // Each source has its own sums: one for all would be a row for which all writers wait.
  async #count(which: string, values: readonly unknown[]): Promise<void> {
    const { source, chunk } = this.#tables;
    await this.#sql(
      `UPDATE ${source} SET (chunks, words) =
         (SELECT count(*), coalesce(sum(chunk.words), 0) FROM ${chunk} WHERE chunk.source = source.key) WHERE ${which}`,
      values,
    );
  }

  async #insertBatch(batch: readonly IndexedChunk[]): Promise<void> {
    const inserted = await this.#sql(
      `INSERT INTO ${this.#tables.chunk} (id, source, hash, first_day, last_day, words, data)
       SELECT id, source, hash, first_day, last_day, 0, data
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
         AS given (id, source, hash, first_day, last_day, data) RETURNING id, chunk.row::float8 AS row`,
      [
        batch.map(({ chunk }) => chunk.id),
        batch.map(({ chunk }) => keyOf(chunk.source)),
        batch.map(({ hash }) => hash),
        batch.map(({ chunk }) => chunk.from ?? ""),
        batch.map(({ chunk }) => chunk.until ?? "9999-12-31"),
        // As JSON it has no NUL, which Postgres would refuse.
        batch.map(({ chunk }) => JSON.stringify(chunk)),
      ],
    );
    const rows = new Map(
      inserted.map((row) => InsertedRow.parse(row)).map(({ id, row }) => [id, row]),
    );
    const placed = batch.map((one) => ({ ...one, row: rows.get(one.chunk.id) ?? 0 }));
    await this.putWords(placed);
    await this.#putLabels(placed);
    const vectors = placed.flatMap(({ row, vectors: own }) => own.map((one) => ({ row, ...one })));
    await this.#putAll(this.#tables.embedded, ["bigint", "text", "text"], vectors, [
      ({ row }) => row,
      ({ kind }) => kind,
      ({ hash }) => hash,
    ]);
  }

  async #putLabels(placed: readonly (IndexedChunk & { readonly row: number })[]): Promise<void> {
    const labels = placed.flatMap(({ row, chunk }) =>
      Object.entries(chunk.metadata).flatMap(([name, values]) =>
        values.map((value) => ({ row, name, value })),
      ),
    );
    await this.#putAll(this.#tables.label, ["bigint", "text", "text"], labels, [
      ({ row }) => row,
      ({ name }) => keyOf(name),
      ({ value }) => keyOf(value),
    ]);
  }

  async #putAll<Row>(
    table: string,
    types: readonly string[],
    rows: readonly Row[],
    columns: readonly ((row: Row) => string | number)[],
  ): Promise<void> {
    const lists = types.map((type, at) => `$${at + 1}::${type}[]`).join(", ");
    await this.#sql(
      `INSERT INTO ${table} SELECT * FROM unnest(${lists}) ON CONFLICT DO NOTHING`,
      columns.map((column) => rows.map(column)),
    );
  }
}

/** How often each token is in the headings and in the text. */
function wordsOf({ title, text }: IndexedChunk["tokens"]) {
  const words = new Map<string, { readonly token: string; title: number; text: number }>();
  const count = (tokens: string, place: "title" | "text") => {
    for (const one of tokens.split(" ")) {
      if (one === "") continue;
      const token = keyOf(one);
      const known = words.get(token) ?? { token, title: 0, text: 0 };
      known[place] += 1;
      words.set(token, known);
    }
  };
  count(title, "title");
  count(text, "text");
  return [...words.values()];
}
