import type pg from "pg";
import type { Pool, PoolClient, QueryResultRow } from "pg";

import { optionalPackage } from "../../errors.js";

/** A row as Postgres returns it: whoever reads it, parses it. */
export type Row = Readonly<Record<string, unknown>>;

/** Sends one statement and returns its rows. */
export type Query = (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** What a listener of a channel is called with. */
export type Heard = (payload: string) => void;

/** A Postgres, on another machine or in this process. */
export type Database = {
  readonly query: Query;
  /** Runs statements as one transaction; an error in `work` rolls it back. */
  readonly transaction: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>;
  /** Tells every process that listens to a channel. Messages may be lost: they only make things happen sooner. */
  readonly notify: (channel: string, payload: string) => Promise<void>;
  readonly listen: (channel: string, heard: Heard) => void;
  /** The connections, for LangGraph's own storage. */
  readonly pool: Pool;
  readonly close: () => Promise<void>;
};

/** The messages of a database: how they are sent, and how to stop. */
export type Messages = Pick<Database, "notify" | "listen"> & {
  readonly close: () => Promise<void>;
};

/** The database over a pool. */
export function overPool(pool: Pool, messages: Messages): Database {
  return {
    pool,
    query: (sql, values = []) => rowsOf(pool, sql, values),
    transaction: async (work) => {
      const client = await pool.connect();
      try {
        await client.query("begin");
        const result = await work((sql, values = []) => rowsOf(client, sql, values));
        await client.query("commit");
        client.release();
        return result;
      } catch (error) {
        // A connection that cannot roll back is of no use to anybody.
        const isBroken = await client.query("rollback").then(
          () => false,
          () => true,
        );
        client.release(isBroken);
        throw error;
      }
    },
    notify: messages.notify,
    listen: messages.listen,
    close: async () => {
      await messages.close();
      await pool.end();
    },
  };
}

async function rowsOf(
  on: Pool | PoolClient,
  sql: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const { rows } = await on.query<QueryResultRow>(sql, [...values]);
  return rows;
}

/** Loads the driver. Throws `missing_package` where it is not installed. */
export async function loadDriver(where: string): Promise<typeof pg> {
  const { default: driver } = await optionalPackage(
    () => import("pg"),
    `${where} needs the package "pg": npm install pg.`,
  );
  return driver;
}
