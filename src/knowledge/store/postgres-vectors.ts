import { z } from "zod";

import { PlangraphError } from "../../errors.js";
import { errorLine } from "../../observe/redact.js";
import { lock, type PostgresClient, type RunSql } from "./postgres-client.js";
import { type Scoped, Values } from "./postgres-values.js";
import type { Tables } from "./postgres-tables.js";
import { chunkOf, IdRow, ScoreRow } from "./rows.js";
import type { KnowledgeStore, SampledVector, Scope, Scored, VectorKind } from "./store.js";
import { unit } from "./vector-scan.js";

const SchemaRow = z.object({ schema: z.string() });
const SampleRow = z.object({
  hash: z.string(),
  numbers: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(z.array(z.number())),
});

/** How many vectors are looked at for each hit, before it is known which chunks they find. */
const overfetch = 8;

/** The vectors of a base in Postgres. pgvector, and a table for them, are wanted with the first vector. */
export class PostgresVectors {
  readonly #client: PostgresClient;
  readonly #tables: Tables;
  readonly #scoped: Scoped;
  #known: string | undefined;

  constructor(client: PostgresClient, tables: Tables, scoped: Scoped) {
    this.#client = client;
    this.#tables = tables;
    this.#scoped = scoped;
  }

  /** Throws `missing_package` where the server has no pgvector: better before a text is embedded than after. */
  async without(hashes: readonly string[]): Promise<readonly string[]> {
    const unique = [...new Set(hashes)];
    if ((await this.#pgvector()) === undefined) {
      if (unique.length > 0) await this.#checkAvailable();
      return unique;
    }
    const rows = await this.#client.all(
      `SELECT asked.hash AS id FROM unnest($1::text[]) WITH ORDINALITY AS asked (hash, place)
       WHERE asked.hash NOT IN (SELECT hash FROM ${this.#tables.embedding} WHERE hash = ANY ($1::text[])) ORDER BY place`,
      [unique],
    );
    return rows.map((row) => IdRow.parse(row).id);
  }

  async put(
    vectors: readonly { readonly hash: string; readonly vector: readonly number[] }[],
  ): Promise<void> {
    if (vectors.length === 0) return;
    const schema = (await this.#pgvector()) ?? (await this.#create(vectors[0]?.vector.length ?? 0));
    // In one order: two programs that write the same texts would wait for each other.
    const sorted = vectors.toSorted((left, right) => (left.hash < right.hash ? -1 : 1));
    await this.#client.transaction(async (sql) => {
      await lock(sql, `base ${this.#client.schema}`, "shared");
      await sql(
        `INSERT INTO ${this.#tables.embedding} (hash, numbers)
         SELECT hash, numbers::${schema}.vector FROM unnest($1::text[], $2::text[]) AS given (hash, numbers)
         ON CONFLICT (hash) DO NOTHING`,
        [sorted.map(({ hash }) => hash), sorted.map(({ vector }) => literal(vector))],
      );
    });
  }

  /** Vectors in the order of their hashes. */
  async after(hash: string, limit: number): ReturnType<KnowledgeStore["vectors"]> {
    if ((await this.#pgvector()) === undefined) return [];
    const rows = await this.#client.all(
      `SELECT hash, numbers::text AS numbers FROM ${this.#tables.embedding} WHERE hash > $1 ORDER BY hash LIMIT $2`,
      [hash, limit],
    );
    return rows.map((row) => {
      const { hash: own, numbers } = SampleRow.parse(row);
      return { hash: own, vector: Float32Array.from(numbers) };
    });
  }

  /** Returns the hashes of what it has dropped. */
  async drop(which: "unused" | "all"): Promise<readonly string[]> {
    if ((await this.#pgvector()) === undefined) return [];
    const { embedding, embedded } = this.#tables;
    const dropped = await this.#client.transaction(async (sql) => {
      // Nobody writes a source meanwhile, whose vectors are still unused.
      await lock(sql, `base ${this.#client.schema}`, "alone");
      // The next ones may have another dimension.
      if (which === "all") {
        const rows = await sql(`SELECT hash AS id FROM ${embedding}`);
        await sql(`DROP TABLE IF EXISTS ${embedding}`);
        return rows;
      }
      return sql(
        `DELETE FROM ${embedding} WHERE NOT EXISTS (SELECT 1 FROM ${embedded} WHERE embedded.hash = embedding.hash)
         RETURNING hash AS id`,
      );
    });
    if (which === "all") this.#known = undefined;
    return dropped.map((row) => IdRow.parse(row).id);
  }

  /** The sources with a text that has no vector yet. */
  async sourcesWithout(): Promise<readonly unknown[]> {
    const { source, chunk, embedded, embedding } = this.#tables;
    const isOpen =
      (await this.#pgvector()) === undefined
        ? "true"
        : `NOT EXISTS (SELECT 1 FROM ${embedding} WHERE embedding.hash = embedded.hash)`;
    return this.#client.slow(
      `SELECT name AS source FROM ${source} WHERE key IN (SELECT chunk.source FROM ${embedded}
         JOIN ${chunk} ON chunk.row = embedded.chunk WHERE ${isOpen})`,
    );
  }

  async sample(limit: number): Promise<readonly SampledVector[]> {
    if ((await this.#pgvector()) === undefined) return [];
    const { chunk, embedded, embedding } = this.#tables;
    const rows = await this.#client.all(
      `SELECT embedding.hash, embedding.numbers::text AS numbers, first.data AS text FROM ${embedding}
       JOIN LATERAL (SELECT chunk.data FROM ${embedded} JOIN ${chunk} ON chunk.row = embedded.chunk
         WHERE embedded.hash = embedding.hash ORDER BY chunk.row LIMIT 1) AS first ON true
       ORDER BY embedding.hash LIMIT $1`,
      [limit],
    );
    return rows.map((row) => {
      const { hash, numbers } = SampleRow.parse(row);
      return { chunk: chunkOf(row), hash, vector: Float32Array.from(numbers) };
    });
  }

  /**
   * The nearest chunks. Whoever may find all asks the nearest vectors first, whichever chunks they find: one scan of the
   * vectors alone, or an index, if an operator has made one. If these are too few, all chunks of the scope are compared.
   */
  async nearest(
    vector: readonly number[],
    kind: VectorKind,
    scope: Scope,
    limit: number,
    hashes?: readonly string[],
  ): Promise<readonly Scored[]> {
    const schema = await this.#pgvector();
    if (schema === undefined) return [];
    const { chunk, embedded, embedding } = this.#tables;
    const find = async (from: (asked: string, values: Values) => string) => {
      const values = new Values();
      const asked = `numbers OPERATOR(${schema}.<#>) ${values.bind(literal(vector))}::${schema}.vector`;
      const rows = await this.#client.all(
        `SELECT id, max(score) AS score FROM (${from(asked, values)}) AS scored
         GROUP BY id ORDER BY score DESC, id LIMIT ${values.bind(limit)}`,
        values.all,
      );
      return rows.map((row) => ScoreRow.parse(row));
    };
    const joined = `JOIN ${embedded} ON embedded.hash = embedding.hash JOIN ${chunk} ON chunk.row = embedded.chunk`;
    const among = (values: Values) =>
      hashes === undefined ? "" : ` AND embedding.hash = ANY (${values.bind(hashes)}::text[])`;
    const where = (values: Values) =>
      `embedded.kind = ${values.bind(kind)} AND ${this.#scoped(scope, values)}${among(values)}`;
    if (scope.filters.length === 0 && hashes === undefined) {
      const found = await find(
        (asked, values) =>
          `SELECT chunk.id, embedding.score FROM (SELECT hash, -(${asked}) AS score FROM ${embedding}
             ORDER BY ${asked} LIMIT ${values.bind(limit * overfetch)}) AS embedding ${joined} WHERE ${where(values)}`,
      );
      if (found.length === limit) return found;
    }
    // Without the offset the vectors themselves would be sorted, not their scores.
    return find(
      (asked, values) =>
        `SELECT chunk.id, -(${asked}) AS score FROM ${embedding} ${joined} WHERE ${where(values)} OFFSET 0`,
    );
  }

  async cosines(
    vector: readonly number[],
    ids: readonly string[],
  ): ReturnType<KnowledgeStore["cosines"]> {
    const schema = await this.#pgvector();
    if (schema === undefined) return new Map();
    const { chunk, embedded, embedding } = this.#tables;
    const rows = await this.#client.all(
      `SELECT chunk.id, max(-(numbers OPERATOR(${schema}.<#>) $1::${schema}.vector)) AS score FROM ${chunk}
       JOIN ${embedded} ON embedded.chunk = chunk.row JOIN ${embedding} ON embedding.hash = embedded.hash
       WHERE chunk.id = ANY ($2::text[]) GROUP BY chunk.id`,
      [literal(vector), ids],
    );
    return new Map(rows.map((row) => ScoreRow.parse(row)).map(({ id, score }) => [id, score]));
  }

  /** Where pgvector is on the server, once there are vectors. */
  async #pgvector(): Promise<string | undefined> {
    this.#known ??= await installed(this.#client.all, this.#tables.embedding);
    return this.#known;
  }

  async #create(dimension: number): Promise<string> {
    await this.#checkAvailable();
    const { embedding } = this.#tables;
    return this.#client.transaction(async (sql) => {
      // One for the whole database, as the extension is.
      await lock(sql, "pgvector", "alone");
      const schema = (await installed(sql)) ?? (await this.#install(sql));
      await sql(
        `CREATE TABLE IF NOT EXISTS ${embedding} (hash text COLLATE "C" PRIMARY KEY, numbers ${schema}.vector(${dimension}) NOT NULL)`,
      );
      return schema;
    });
  }

  async #install(sql: RunSql): Promise<string> {
    try {
      await sql("CREATE EXTENSION vector");
    } catch (error) {
      throw this.#missing(errorLine(error), error);
    }
    const schema = await installed(sql);
    if (schema !== undefined) return schema;
    throw this.#missing("it was made and is not there");
  }

  async #checkAvailable(): Promise<void> {
    const rows = await this.#client.all(
      "SELECT name FROM pg_available_extensions WHERE name = 'vector'",
    );
    if (rows.length === 0) throw this.#missing("the server does not have it");
  }

  #missing(why: string, cause?: unknown): PlangraphError {
    return new PlangraphError(
      "missing_package",
      `${this.#client.where}: vectors need the extension pgvector: ${why}. Install pgvector on the server and let an administrator run CREATE EXTENSION vector in the database, or leave the embedding model out.`,
      { cause },
    );
  }
}

/** The schema that has pgvector, quoted; undefined without it, or without this table. */
async function installed(sql: RunSql, table?: string): Promise<string | undefined> {
  const [row] = await sql(
    `SELECT quote_ident(nspname) AS schema FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
     WHERE extname = 'vector' AND ($1::text IS NULL OR to_regclass($1) IS NOT NULL)`,
    [table ?? null],
  );
  return row === undefined ? undefined : SchemaRow.parse(row).schema;
}

function literal(vector: readonly number[]): string {
  return `[${unit(vector).join(",")}]`;
}
