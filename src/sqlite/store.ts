import {
  BaseStore,
  InMemoryStore,
  type Item,
  type Operation,
  type OperationResults,
} from "@langchain/langgraph";
import { z } from "zod";

import { isRecord } from "../json/json.js";
import { type OpenDatabase, openDatabase, unreadableFile } from "./open-database.js";

const where = "openStore";

const tables = `
  CREATE TABLE IF NOT EXISTS store (
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    created TEXT NOT NULL,
    updated TEXT NOT NULL,
    PRIMARY KEY (namespace, key)
  )`;

/** A LangGraph store in a file of SQLite. */
export type SqliteStore = BaseStore & {
  /** Closes the file. */
  readonly close: () => void;
};

/**
 * Opens or creates a LangGraph store in a file of SQLite, for what must outlive the program: facts of an assistant's
 * users, versions of definitions. Several programs on one machine may use one file. Searches filter by fields; `query`
 * is not looked at. Throws `missing_package` without `@langchain/langgraph-checkpoint-sqlite`, and `unreadable_file`
 * for a path that cannot be opened.
 */
export async function openStore(file: string): Promise<SqliteStore> {
  const database = await openDatabase(file, { where, busyMs: 10_000 });
  try {
    database.exec("PRAGMA journal_mode = WAL");
    database.exec(tables);
  } catch (error) {
    database.close();
    throw unreadableFile(where, error);
  }
  return new FileStore(database);
}

/** Every batch is answered by LangGraph's own store in memory, with the rows that the batch is about. */
class FileStore extends BaseStore {
  readonly #database: OpenDatabase;

  constructor(database: OpenDatabase) {
    super();
    this.#database = database;
  }

  readonly close = (): void => {
    this.#database.close();
  };

  async batch<Operations extends Operation[]>(
    operations: Operations,
  ): Promise<OperationResults<Operations>> {
    const rows = operations
      .flatMap((operation) => this.#rowsFor(operation))
      .toSorted((one, other) => one.rowid - other.rowid);
    const memory = new InMemoryStore();
    await memory.batch(rows.map(({ namespace, key, value }) => ({ namespace, key, value })));
    const results = await memory.batch(operations);
    giveDates(results, rows);
    this.#write(operations);
    return results;
  }

  #rowsFor(operation: Operation): Row[] {
    if ("namespacePrefix" in operation) return this.#under(operation.namespacePrefix);
    if ("matchConditions" in operation || !("namespace" in operation)) return this.#places();
    const { namespace, key } = operation;
    return this.#select("WHERE namespace = ? AND key = ?", [pathOf(namespace), key]);
  }

  #under(prefix: readonly string[]): Row[] {
    if (prefix.length === 0) return this.#select("", []);
    const path = pathOf(prefix);
    // Names hold no colon: what begins with the path and a colon lies below it.
    return this.#select("WHERE namespace = ? OR (namespace >= ? AND namespace < ?)", [
      path,
      `${path}:`,
      `${path};`,
    ]);
  }

  /** One row of each namespace. */
  #places(): Row[] {
    return this.#select("GROUP BY namespace", []);
  }

  #select(condition: string, values: readonly string[]): Row[] {
    const sql = `SELECT rowid, namespace, key, value, created, updated FROM store ${condition}`;
    return z.array(Row).parse(this.#database.prepare(sql).all(...values));
  }

  #write(operations: readonly Operation[]): void {
    const writes = operations.filter((operation) => "value" in operation);
    if (writes.length === 0) return;
    const now = new Date().toISOString();
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      for (const { namespace, key, value } of writes) this.#put(pathOf(namespace), key, value, now);
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  #put(path: string, key: string, value: Item["value"] | null, now: string): void {
    if (value === null) {
      this.#database.prepare("DELETE FROM store WHERE namespace = ? AND key = ?").run(path, key);
      return;
    }
    this.#database
      .prepare(
        `INSERT INTO store (namespace, key, value, created, updated) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, updated = excluded.updated`,
      )
      .run(path, key, JSON.stringify(value), now, now);
  }
}

const Row = z
  .object({
    rowid: z.number(),
    namespace: z.string(),
    key: z.string(),
    value: z.string(),
    created: z.string(),
    updated: z.string(),
  })
  .transform(({ rowid, namespace, key, value, created, updated }) => ({
    rowid,
    namespace: namespace.split(":"),
    key,
    value: z.record(z.string(), z.unknown()).parse(JSON.parse(value)),
    createdAt: new Date(created),
    updatedAt: new Date(updated),
  }));

type Row = z.output<typeof Row>;

function pathOf(namespace: readonly string[]): string {
  return namespace.join(":");
}

/** Sets the dates of the found items to those of their rows. */
function giveDates(results: readonly unknown[], rows: readonly Row[]): void {
  const dates = new Map(
    rows.map(({ namespace, key, createdAt, updatedAt }) => [
      JSON.stringify([namespace, key]),
      { createdAt, updatedAt },
    ]),
  );
  for (const item of results.flat().filter(isRecord)) {
    Object.assign(item, dates.get(JSON.stringify([item["namespace"], item["key"]])));
  }
}
