import type { Json } from "../../json/json.js";
import type { OpenDatabase } from "../../sqlite/index.js";
import type { Spread } from "./bm25.js";
import {
  chunkOf,
  chunksInOrder,
  CountRow,
  floatsOf,
  HashRow,
  IdRow,
  JsonText,
  RowNumber,
  SourceName,
  SourceRow,
  SummaryRow,
  VectorRow,
} from "./rows.js";
import { changesOf } from "./changes.js";
import { scoped, type Statements, statementsOf } from "./sqlite-statements.js";
import { openTables, pragma } from "./sqlite-tables.js";
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
import { chunkVectors, readVectors, scoresOf, vectorsAfter } from "./sqlite-vectors.js";
import { searchWords, spreadOf } from "./sqlite-words.js";
import { SqliteWriter } from "./sqlite-writer.js";
import { bestOf, unit, type VectorScan } from "./vector-scan.js";

/** A base in one SQLite file, or in memory. Words are found by SQLite's FTS5, vectors by an exact scan. */
export class SqliteStore implements KnowledgeStore {
  readonly #db: OpenDatabase;
  readonly #run: Statements["run"];
  readonly #all: Statements["all"];
  readonly #writer: SqliteWriter;
  #scan: { readonly version: string; readonly vectors: VectorScan } | undefined;
  /** Changes that this store made; others' changes SQLite counts. */
  #changes = 0;

  private constructor(db: OpenDatabase) {
    this.#db = db;
    const statements = statementsOf(db);
    this.#run = statements.run;
    this.#all = statements.all;
    this.#writer = new SqliteWriter(statements);
  }

  /** Throws `missing_package` without SQLite's driver, `unreadable_file` and `knowledge_failed`. */
  static async open(file: string): Promise<SqliteStore> {
    return new SqliteStore(await openTables(file));
  }

  async fact(name: string): Promise<Json | undefined> {
    const [row] = this.#all("SELECT value AS text FROM fact WHERE name = ?", name);
    return row === undefined ? undefined : JsonText.parse(row).text;
  }

  async setFact(name: string, value: Json | undefined): Promise<void> {
    if (value === undefined) this.#run("DELETE FROM fact WHERE name = ?", name);
    else this.#run("INSERT OR REPLACE INTO fact VALUES (?, ?)", name, JSON.stringify(value));
  }

  async sources(): Promise<readonly StoredSource[]> {
    const rows = this.#all(
      `SELECT name, hash, problems, metadata, (SELECT COUNT(*) FROM chunk WHERE source = source.name) AS chunks
       FROM source ORDER BY name`,
    );
    return rows.map((row) => SourceRow.parse(row));
  }

  async hashes(source: string): Promise<ReadonlyMap<string, string>> {
    return this.#hashes(source);
  }

  #hashes(source: string): ReadonlyMap<string, string> {
    const rows = this.#all("SELECT id, hash FROM chunk WHERE source = ?", source);
    return new Map(rows.map((row) => HashRow.parse(row)).map(({ id, hash }) => [id, hash]));
  }

  async putSource(
    { name, hash, problems, metadata }: Omit<StoredSource, "chunks">,
    chunks: readonly IndexedChunk[],
  ): Promise<void> {
    this.#transaction(() => {
      const { put, removed } = changesOf(this.#hashes(name), chunks);
      for (const id of [...removed, ...put.map(({ chunk }) => chunk.id)]) this.#writer.remove(id);
      for (const chunk of put) this.#writer.insert(chunk);
      this.#run(
        "INSERT OR REPLACE INTO source VALUES (?, ?, ?, ?)",
        name,
        hash,
        JSON.stringify(problems),
        JSON.stringify(metadata),
      );
    });
  }

  async removeSource(name: string): Promise<void> {
    this.#transaction(() => {
      for (const id of this.#hashes(name).keys()) this.#writer.remove(id);
      this.#run("DELETE FROM source WHERE name = ?", name);
    });
  }

  async withoutVector(hashes: readonly string[]): Promise<readonly string[]> {
    const rows = this.#all(
      "SELECT value AS id FROM json_each(?) WHERE value NOT IN (SELECT hash FROM vector)",
      JSON.stringify([...new Set(hashes)]),
    );
    return rows.map((row) => IdRow.parse(row).id);
  }

  async unembedded(): Promise<ReadonlySet<string>> {
    const rows = this.#all(
      `SELECT DISTINCT source FROM embedded JOIN chunk ON chunk.row = embedded.chunk
       WHERE embedded.hash NOT IN (SELECT hash FROM vector)`,
    );
    return new Set(rows.map((row) => SourceName.parse(row).source));
  }

  async putVectors(
    vectors: readonly { readonly hash: string; readonly vector: readonly number[] }[],
  ): Promise<void> {
    this.#transaction(() => {
      for (const { hash, vector } of vectors) {
        const numbers = Buffer.from(unit(vector).buffer).toString("hex");
        this.#run("INSERT OR REPLACE INTO vector VALUES (?, unhex(?))", hash, numbers);
      }
    });
  }

  async summaries(hashes: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = this.#all(
      "SELECT hash, questions FROM summary WHERE hash IN (SELECT value FROM json_each(?))",
      JSON.stringify(hashes),
    );
    return new Map(rows.map((row) => SummaryRow.parse(row)));
  }

  async putSummaries(summaries: ReadonlyMap<string, readonly string[]>): Promise<void> {
    for (const [hash, questions] of summaries) {
      this.#run("INSERT OR REPLACE INTO summary VALUES (?, ?)", hash, JSON.stringify(questions));
    }
  }

  async dropVectors(which: "unused" | "all"): Promise<readonly string[]> {
    const unused = " WHERE hash NOT IN (SELECT hash FROM embedded)";
    const dropped = which === "all" ? "" : unused;
    const rows = this.#transaction(() => {
      const found = this.#all(`SELECT hash AS id FROM vector${dropped}`);
      this.#run(`DELETE FROM vector${dropped}`);
      if (which === "unused") this.#run(`DELETE FROM summary${unused}`);
      return found;
    });
    return rows.map((row) => IdRow.parse(row).id);
  }

  async vectors(after: string, limit: number): ReturnType<KnowledgeStore["vectors"]> {
    return vectorsAfter(this.#all, after, limit).map(({ hash, numbers }) => ({
      hash,
      vector: floatsOf(numbers),
    }));
  }

  async sample(limit: number): Promise<readonly SampledVector[]> {
    // Hashes are random, so that the first are as good as any.
    const rows = this.#all(
      `SELECT vector.hash AS hash, numbers, MIN(chunk.row), chunk.data AS text FROM vector
       JOIN embedded ON embedded.hash = vector.hash JOIN chunk ON chunk.row = embedded.chunk
       GROUP BY vector.hash ORDER BY vector.hash LIMIT CAST(? AS INTEGER)`,
      limit,
    );
    return rows.map((row) => {
      const { hash, numbers } = VectorRow.parse(row);
      return { chunk: chunkOf(row), hash, vector: floatsOf(numbers) };
    });
  }

  async chunks(ids: readonly string[]): Promise<readonly Chunk[]> {
    const rows = this.#all(
      "SELECT data AS text FROM chunk WHERE id IN (SELECT value FROM json_each(?))",
      JSON.stringify(ids),
    );
    return chunksInOrder(rows, ids);
  }

  async spread(tokens: readonly string[], scope: Scope): ReturnType<KnowledgeStore["spread"]> {
    return spreadOf(this.#all, tokens, scope);
  }

  async byWords(
    tokens: readonly string[],
    spread: Spread,
    scope: Scope,
    limit: number,
  ): Promise<readonly Scored[]> {
    return searchWords(this.#all, tokens, spread, scope, limit);
  }

  async byVector(
    vector: readonly number[],
    kind: VectorKind,
    scope: Scope,
    limit: number,
    hashes?: readonly string[],
  ): Promise<readonly Scored[]> {
    if (hashes === undefined) {
      return this.#vectors().nearest(unit(vector), kind, this.#allowed(scope), limit);
    }
    const { where, values } = scoped(scope);
    const among = "kind = ? AND vector.hash IN (SELECT value FROM json_each(?))";
    const found = scoresOf(
      vector,
      this.#all(
        `${chunkVectors} WHERE ${among} AND ${where}`,
        kind,
        JSON.stringify(hashes),
        ...values,
      ),
    );
    return bestOf(found, limit);
  }

  async cosines(
    vector: readonly number[],
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const own = "WHERE chunk.id IN (SELECT value FROM json_each(?))";
    const found = scoresOf(vector, this.#all(`${chunkVectors} ${own}`, JSON.stringify(ids)));
    return new Map(bestOf(found, ids.length).map(({ id, score }) => [id, score]));
  }

  async expired(day: string): Promise<readonly Chunk[]> {
    return this.#all("SELECT data AS text FROM chunk WHERE last_day < ? ORDER BY row", day).map(
      chunkOf,
    );
  }

  async reindex(tokensOf: (chunk: Chunk) => IndexedChunk["tokens"]): Promise<void> {
    const rows = this.#all("SELECT row, data AS text FROM chunk");
    this.#transaction(() => {
      this.#run("DELETE FROM word");
      for (const row of rows) {
        const { title, text } = tokensOf(chunkOf(row));
        this.#writer.putWords(RowNumber.parse(row).row, title, text);
      }
    });
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  /** The ids that a scope allows; undefined if it allows all. */
  #allowed(scope: Scope): ReadonlySet<string> | undefined {
    const { where, values } = scoped(scope);
    const [others] = this.#all(
      `SELECT EXISTS (SELECT 1 FROM chunk WHERE NOT (${where})) AS count`,
      ...values,
    );
    if (CountRow.parse(others).count === 0) return undefined;
    const rows = this.#all(`SELECT id FROM chunk WHERE ${where}`, ...values);
    return new Set(rows.map((row) => IdRow.parse(row).id));
  }

  #vectors(): VectorScan {
    const version = `${pragma(this.#db, "data_version")}/${this.#changes}`;
    if (this.#scan?.version === version) return this.#scan.vectors;
    this.#db.exec("BEGIN");
    try {
      this.#scan = { version, vectors: readVectors(this.#all) };
    } finally {
      this.#db.exec("COMMIT");
    }
    return this.#scan.vectors;
  }

  #transaction<Result>(work: () => Result): Result {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#db.exec("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      this.#changes += 1;
    }
  }

  /** Some errors, such as a full disk, have ended the transaction already. */
  #rollBack(): void {
    try {
      this.#db.exec("ROLLBACK");
    } catch {
      // What has failed is said by the first error.
    }
  }
}
