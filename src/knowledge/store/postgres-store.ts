import { z } from "zod";

import type { Json } from "../../json/json.js";
import type { Spread } from "./bm25.js";
import { changesOf } from "./changes.js";
import { lock, type PostgresAddress, PostgresClient, type RunSql } from "./postgres-client.js";
import { keyOf, openTables, type Tables } from "./postgres-tables.js";
import { scopedBy } from "./postgres-values.js";
import { PostgresVectors } from "./postgres-vectors.js";
import { PostgresWords } from "./postgres-words.js";
import { PostgresWriter } from "./postgres-writer.js";
import {
  chunkOf,
  chunksInOrder,
  HashRow,
  JsonText,
  RowNumber,
  SourceName,
  SourceRow,
  SummaryRow,
} from "./rows.js";
import type {
  Chunk,
  IndexedChunk,
  KnowledgeStore,
  SampledVector,
  Scope,
  Scored,
  StoredSource,
  VectorKind,
} from "./store.js";

const NameText = z.string().transform((text) => z.string().parse(JSON.parse(text)));

/** A base in a schema of Postgres. Words are found by an inverted table, vectors by pgvector; both as in SQLite. */
export class PostgresStore implements KnowledgeStore {
  readonly #client: PostgresClient;
  readonly #tables: Tables;
  readonly #words: PostgresWords;
  readonly #vectors: PostgresVectors;

  private constructor(client: PostgresClient, tables: Tables) {
    this.#client = client;
    this.#tables = tables;
    const scoped = scopedBy(tables);
    this.#words = new PostgresWords(client, tables, scoped);
    this.#vectors = new PostgresVectors(client, tables, scoped);
  }

  /** Throws `invalid_option`, `missing_package` without `pg`, and `knowledge_failed`. */
  static async open(address: PostgresAddress): Promise<PostgresStore> {
    const client = await PostgresClient.open(address);
    try {
      return new PostgresStore(client, await openTables(client));
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  async fact(name: string): Promise<Json | undefined> {
    const [row] = await this.#client.all(
      `SELECT value AS text FROM ${this.#tables.fact} WHERE name = $1`,
      [name],
    );
    return row === undefined ? undefined : JsonText.parse(row).text;
  }

  async setFact(name: string, value: Json | undefined): Promise<void> {
    const { fact } = this.#tables;
    if (value === undefined) {
      await this.#client.all(`DELETE FROM ${fact} WHERE name = $1`, [name]);
      return;
    }
    await this.#client.all(
      `INSERT INTO ${fact} VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [name, JSON.stringify(value)],
    );
  }

  async sources(): Promise<readonly StoredSource[]> {
    const rows = await this.#client.all(
      `SELECT name, hash, problems, metadata, chunks FROM ${this.#tables.source} ORDER BY key`,
    );
    return rows.map((row) => SourceRow.extend({ name: NameText }).parse(row));
  }

  async hashes(source: string): Promise<ReadonlyMap<string, string>> {
    return this.#hashes(this.#client.all, source);
  }

  async putSource(
    source: Omit<StoredSource, "chunks">,
    chunks: readonly IndexedChunk[],
  ): Promise<void> {
    await this.#changing(source.name, async (sql) => {
      const writer = new PostgresWriter(sql, this.#tables);
      const { put, removed } = changesOf(await this.#hashes(sql, source.name), chunks);
      await writer.remove([...removed, ...put.map(({ chunk }) => chunk.id)]);
      await writer.insert(put);
      await writer.putSource(source);
    });
  }

  async removeSource(name: string): Promise<void> {
    const { chunk, source } = this.#tables;
    await this.#changing(name, async (sql) => {
      await sql(`DELETE FROM ${chunk} WHERE source = $1`, [keyOf(name)]);
      await sql(`DELETE FROM ${source} WHERE key = $1`, [keyOf(name)]);
    });
  }

  async withoutVector(hashes: readonly string[]): Promise<readonly string[]> {
    return this.#vectors.without(hashes);
  }

  async unembedded(): Promise<ReadonlySet<string>> {
    const rows = await this.#vectors.sourcesWithout();
    return new Set(rows.map((row) => SourceName.extend({ source: NameText }).parse(row).source));
  }

  async putVectors(
    vectors: readonly { readonly hash: string; readonly vector: readonly number[] }[],
  ): Promise<void> {
    await this.#vectors.put(vectors);
  }

  async summaries(hashes: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.#client.all(
      `SELECT hash, questions FROM ${this.#tables.summary} WHERE hash = ANY ($1::text[])`,
      [hashes],
    );
    return new Map(rows.map((row) => SummaryRow.parse(row)));
  }

  async putSummaries(summaries: ReadonlyMap<string, readonly string[]>): Promise<void> {
    const questions = [...summaries.values()].map((own) => JSON.stringify(own));
    await this.#client.all(
      `INSERT INTO ${this.#tables.summary} SELECT * FROM unnest($1::text[], $2::text[])
       ON CONFLICT (hash) DO UPDATE SET questions = excluded.questions`,
      [[...summaries.keys()], questions],
    );
  }

  async vectors(after: string, limit: number): ReturnType<KnowledgeStore["vectors"]> {
    return this.#vectors.after(after, limit);
  }

  async dropVectors(which: "unused" | "all"): Promise<readonly string[]> {
    const dropped = await this.#vectors.drop(which);
    if (which === "all") return dropped;
    const { embedded, summary } = this.#tables;
    await this.#client.slow(
      `DELETE FROM ${summary} WHERE NOT EXISTS (SELECT 1 FROM ${embedded} WHERE embedded.hash = summary.hash)`,
    );
    return dropped;
  }

  async sample(limit: number): Promise<readonly SampledVector[]> {
    return this.#vectors.sample(limit);
  }

  async chunks(ids: readonly string[]): Promise<readonly Chunk[]> {
    const rows = await this.#client.all(
      `SELECT data AS text FROM ${this.#tables.chunk} WHERE id = ANY ($1::text[])`,
      [ids],
    );
    return chunksInOrder(rows, ids);
  }

  async spread(tokens: readonly string[], scope: Scope): ReturnType<KnowledgeStore["spread"]> {
    return this.#words.spread(tokens, scope);
  }

  async byWords(
    tokens: readonly string[],
    spread: Spread,
    scope: Scope,
    limit: number,
  ): Promise<readonly Scored[]> {
    return this.#words.search(tokens, spread, scope, limit);
  }

  async byVector(
    vector: readonly number[],
    kind: VectorKind,
    scope: Scope,
    limit: number,
    hashes?: readonly string[],
  ): Promise<readonly Scored[]> {
    return this.#vectors.nearest(vector, kind, scope, limit, hashes);
  }

  async cosines(
    vector: readonly number[],
    ids: readonly string[],
  ): ReturnType<KnowledgeStore["cosines"]> {
    return this.#vectors.cosines(vector, ids);
  }

  async expired(day: string): Promise<readonly Chunk[]> {
    const rows = await this.#client.all(
      `SELECT data AS text FROM ${this.#tables.chunk} WHERE last_day < $1 ORDER BY chunk.row`,
      [day],
    );
    return rows.map(chunkOf);
  }

  async reindex(tokensOf: (chunk: Chunk) => IndexedChunk["tokens"]): Promise<void> {
    const { chunk, word } = this.#tables;
    await this.#client.transaction(async (sql) => {
      await lock(sql, `base ${this.#client.schema}`, "alone");
      const writer = new PostgresWriter(sql, this.#tables);
      await sql(`DELETE FROM ${word}`);
      const part = (after: number) =>
        sql(
          `SELECT chunk.row::float8 AS row, data AS text FROM ${chunk} WHERE chunk.row > $1 ORDER BY chunk.row LIMIT 500`,
          [after],
        );
      let rows = await part(0);
      while (rows.length > 0) {
        const texts = rows.map((row) => ({
          ...RowNumber.parse(row),
          tokens: tokensOf(chunkOf(row)),
        }));
        await writer.putWords(texts);
        rows = await part(texts.at(-1)?.row ?? 0);
      }
      await writer.countAll();
    });
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async #hashes(sql: RunSql, source: string): Promise<ReadonlyMap<string, string>> {
    const rows = await sql(`SELECT id, hash FROM ${this.#tables.chunk} WHERE source = $1`, [
      keyOf(source),
    ]);
    return new Map(rows.map((row) => HashRow.parse(row)).map(({ id, hash }) => [id, hash]));
  }

  /** Changes a source: one program at a time, and none while all of the base changes. */
  async #changing(source: string, work: (sql: RunSql) => Promise<void>): Promise<void> {
    const { schema } = this.#client;
    await this.#client.transaction(async (sql) => {
      await lock(sql, `base ${schema}`, "shared");
      await lock(sql, `source ${schema} ${keyOf(source)}`, "alone");
      await work(sql);
    });
  }
}
