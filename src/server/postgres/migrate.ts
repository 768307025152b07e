import { isRecord } from "../../json/json.js";
import type { Database, Query } from "./database.js";
import { migrations, schema } from "./schema.js";

/**
 * Brings the tables up to date: each step once, whatever number of processes starts at the same time. Returns how many
 * steps there were to do.
 */
export async function migrate(database: Database): Promise<number> {
  return database.transaction(async (query) => {
    // Held until the end of the transaction. The number is nobody else's.
    await query("select pg_advisory_xact_lock(2180, 1)");
    await query(`create schema if not exists ${schema}`);
    await query(`create table if not exists ${schema}.migrations (
      step int primary key, done_at timestamptz not null default now())`);
    const before = await stepsDone(query);
    const missing = [...migrations.entries()].slice(before);
    for (const [at, sql] of missing) {
      await query(sql);
      await query(`insert into ${schema}.migrations (step) values ($1)`, [at + 1]);
    }
    return missing.length;
  });
}

async function stepsDone(query: Query): Promise<number> {
  const [row] = await query(`select count(*)::int as steps from ${schema}.migrations`);
  const steps = isRecord(row) ? row["steps"] : undefined;
  return typeof steps === "number" ? steps : 0;
}
