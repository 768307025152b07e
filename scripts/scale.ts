// Trials of many processes on one Postgres, with scripted models: `npm run scale -- load 1000 4`, with four workers. Each
// prints its figures, and ends with 1 where one is not as promised. docs/scale.md tells what they tried and saw.
import { fileURLToPath } from "node:url";

import { Pool } from "pg";

import { startPostgres, whyNoPostgres } from "../test/support/postgres.js";
import { openWorked } from "../test/support/worked.js";
import { clients } from "./scale/clients.js";
import { cron } from "./scale/cron.js";
import { day } from "./scale/day.js";
import { days } from "./scale/days.js";
import { deploy } from "./scale/deploy.js";
import { fair, freeGraph } from "./scale/fair.js";
import { kill } from "./scale/kill.js";
import { crashes } from "./scale/postgres.js";
import { prune } from "./scale/prune.js";
import { tenants } from "./scale/tenants.js";
import { twice } from "./scale/twice.js";
import { stall } from "./scale/stall.js";
import { allGraphs } from "./scale/under-load.js";
import { load, oneThread } from "./scale/load.js";
import type { Expect, Sql, Trial } from "./scale/trial.js";

type Planned = {
  readonly trial: Trial;
  readonly amount: number;
  readonly leaseMs?: number;
  readonly modelMs?: number;
  readonly graphs?: Readonly<Record<string, string>>;
};

const trials: ReadonlyMap<string, Planned> = new Map<string, Planned>([
  ["clients", { trial: clients, amount: 1 }],
  ["cron", { trial: cron, amount: 60 }],
  ["day", { trial: day, amount: 44, graphs: allGraphs }],
  ["days", { trial: days, amount: 500, leaseMs: 3_000 }],
  ["prune", { trial: prune, amount: 30, leaseMs: 3_000 }],
  ["tenants", { trial: tenants, amount: 20 }],
  ["twice", { trial: twice, amount: 20 }],
  ["deploy", { trial: deploy, amount: 10, graphs: allGraphs }],
  ["fair", { trial: fair, amount: 60, modelMs: 300, graphs: freeGraph }],
  ["kill", { trial: kill, amount: 100, leaseMs: 5_000, graphs: allGraphs }],
  ["postgres", { trial: crashes, amount: 5, leaseMs: 3_000, graphs: allGraphs }],
  ["stall", { trial: stall, amount: 20, leaseMs: 3_000, graphs: allGraphs }],
  ["one-thread", { trial: oneThread, amount: 1_000 }],
  ["load", { trial: load, amount: 1_000, modelMs: 50 }],
]);

const [name = "", given, asked = "2"] = process.argv.slice(2);
const planned = trials.get(name);
const amount = Number(given ?? planned?.amount);
const workers = Number(asked);
const missing = whyNoPostgres();
if (planned === undefined || !(amount > 0) || !(workers > 0) || missing !== undefined) {
  console.error(
    missing ??
      `Expected one of ${[...trials.keys()].join(", ")}, an amount from 1, and workers from 1.`,
  );
  process.exit(2);
}
const { trial, leaseMs = 15_000, modelMs = 0, graphs = {} } = planned;
const settings = ["shared_preload_libraries=pg_stat_statements"];
const postgres = await startPostgres({ settings });
const pool = new Pool({ connectionString: postgres.url });
pool.on("error", () => {});
const sql: Sql = async (statement, values = []) =>
  (await pool.query<Record<string, unknown>>(`/* trial */ ${statement}`, [...values])).rows;
const expect: Expect = (what, value, holds) => {
  const isKept = holds(value);
  const shown = typeof value === "number" ? Number(value.toFixed(1)) : value;
  console.log(`${isKept ? "ok  " : "NOT "} ${String(shown)} ${what}`);
  if (!isKept) process.exitCode = 1;
};
const unfenced = fileURLToPath(new URL("scale/unfenced.mjs", import.meta.url));
const workerEnvironment =
  process.env["UNFENCED"] === "1" ? { NODE_OPTIONS: `--import ${unfenced}` } : {};
await sql("create extension pg_stat_statements");
const worked = await openWorked({
  database: postgres.url,
  leaseMs,
  modelMs,
  graphs,
  workerEnvironment,
});
try {
  await trial({ worked, postgres, sql, expect, leaseMs, workers }, amount);
} finally {
  await worked.close();
  await pool.end();
  await postgres.stop();
}
