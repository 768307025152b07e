import { quantile } from "../../src/evaluation/statistics.js";
import type { Postgres } from "../../test/support/postgres.js";
import type { Worked } from "../../test/support/worked.js";

/** Sends a statement of the trial, which does not count as one of the server's. */
export type Sql = (
  statement: string,
  values?: readonly unknown[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** Prints a figure, and remembers where it is not as promised. */
export type Expect = <Value>(what: string, value: Value, holds: (value: Value) => boolean) => void;

/** What a trial works with. */
export type TrialParts = {
  readonly worked: Worked;
  readonly postgres: Postgres;
  readonly sql: Sql;
  readonly expect: Expect;
  readonly leaseMs: number;
  /** How many workers, where a trial leaves it open. */
  readonly workers: number;
};

/** Tries one promise; `amount` says how often or how many. */
export type Trial = (parts: TrialParts, amount: number) => Promise<void>;

/** How many milliseconds work took. */
export async function msOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

/** The results of calling `work` so many times, `width` at once. */
export async function inParallel<Result>(
  width: number,
  count: number,
  work: (at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const line = async () => {
    while (next < count) {
      const at = next;
      next += 1;
      results[at] = await work(at);
    }
  };
  await Promise.all(Array.from({ length: width }, line));
  return results;
}

/** The value that 95 % of all do not exceed. */
export function p95(values: readonly number[]): number {
  return quantile(
    values.toSorted((left, right) => left - right),
    0.95,
  );
}

/** Milliseconds that taking a run took the database: on average, and at most. */
export async function claimTimes(
  sql: Sql,
): Promise<{ readonly mean: number; readonly most: number }> {
  const [row] = await sql(
    "select mean_exec_time as mean, max_exec_time as most from pg_stat_statements where query like '%from plangraph.claim(%' order by calls desc",
  );
  return { mean: Number(row?.["mean"]), most: Number(row?.["most"]) };
}

/** What the database did for the runs of a trial. */
export type Cost = {
  readonly statements: number;
  readonly walBytes: number;
  /** The statements that came most often, how often and with how much log for a run. */
  readonly most: (runs: number) => string;
};

/** Counts from here on; the function that it returns says what was counted. */
export async function startCosting(sql: Sql): Promise<() => Promise<Cost>> {
  await sql("select pg_stat_statements_reset()");
  const [start] = await sql("select pg_current_wal_lsn() as at");
  return async () => {
    const rows = await sql(
      `select calls::int, wal_bytes, query from pg_stat_statements
       where query not like '%/* trial */%' order by calls desc`,
    );
    const [wal] = await sql("select pg_current_wal_lsn() - $1::pg_lsn as bytes", [start?.["at"]]);
    const calls = rows.map((row) => Number(row["calls"]));
    return {
      statements: calls.reduce((sum, each) => sum + each, 0),
      walBytes: Number(wal?.["bytes"]),
      most: (runs) =>
        rows
          .slice(0, 20)
          .map((row) => {
            const words = String(row["query"]).replaceAll(/\s+/g, " ").slice(0, 90);
            const times = (Number(row["calls"]) / runs).toFixed(2).padStart(6);
            return `${times} × ${(Number(row["wal_bytes"]) / runs).toFixed(0).padStart(6)} B  ${words}`;
          })
          .join("\n"),
    };
  };
}
