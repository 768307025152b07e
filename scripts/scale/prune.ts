import type { Client } from "@langchain/langgraph-sdk";

import { pruneDatabase } from "../../src/server/index.js";
import { until } from "../../test/support/dev-server.js";
import { question, told } from "../../test/support/served.js";
import { approvalOf, type Worked } from "../../test/support/worked.js";
import { inParallel, type Sql, type Trial, type TrialParts } from "./trial.js";

/** After pruning, finished threads are small, and every thread goes on: finished, paused and crashed ones. */
export const prune: Trial = async (parts, count) => {
  const { worked, postgres, sql, expect, leaseMs } = parts;
  const { client } = await worked.server();
  const worker = await worked.worker();
  const begun = await begin(worked, client, count);
  await worker.kill();
  // Their leases are over: nothing works on them.
  await until(async () => (await sql(running)).length === 0, (4 * leaseMs) / 1_000);
  const before = await bytesOf(sql, begun.finished);
  const { removed, kept, busy } = await pruneDatabase({ database: postgres.url }, { keep: 1 });
  const after = await bytesOf(sql, begun.finished);
  expect("checkpoints removed", removed, (all) => all > 0);
  expect("kept", kept, () => true);
  expect("threads left alone", busy, (all) => all === 0);
  expect("bytes a finished thread, before", before / count, () => true);
  expect("bytes a finished thread, after", after / count, (bytes) => bytes <= 10_240);
  await worked.worker();
  await goOn(parts, client, begun);
};

type Begun = Readonly<
  Record<"finished" | "paused", readonly string[]> & {
    crashed: readonly { readonly thread: string; readonly run: string }[];
  }
>;

async function begin(worked: Worked, client: Client, count: number): Promise<Begun> {
  const newThread = async () => (await client.threads.create()).thread_id;
  const finished = await inParallel(10, count, async () => {
    const thread = await newThread();
    for (let turn = 0; turn < 3; turn += 1) {
      await client.runs.wait(thread, "worker", { input: question("peek at it") });
    }
    return thread;
  });
  const paused = await inParallel(10, count, async () => {
    const thread = await newThread();
    await client.runs.wait(thread, "worker", { input: question(`refund ${thread}`) });
    return thread;
  });
  const crashed = await inParallel(10, Math.min(count, 10), async () => {
    const thread = await newThread();
    const input = question(`pay ${thread}`);
    const { run_id: run } = await client.runs.create(thread, "worker", { input });
    await until(async () => (await worked.calls()).includes(`look ${thread} 1`), 60);
    return { thread, run };
  });
  return { finished, paused, crashed };
}

async function goOn(
  { worked, expect }: TrialParts,
  client: Client,
  { finished, paused, crashed }: Begun,
): Promise<void> {
  const lines = await inParallel(10, finished.length, async (at) => {
    const thread = finished[at] ?? "";
    return told(await client.runs.wait(thread, "worker", { input: question("peek at it") })).length;
  });
  const isRemembered = lines.every((length) => length === 4 * 4);
  expect("finished threads go on with all they were told", isRemembered, (is) => is);
  await inParallel(10, paused.length, async (at) => {
    const thread = paused[at] ?? "";
    await client.runs.wait(thread, "worker", approvalOf(await client.threads.get(thread)));
  });
  for (const { thread, run } of crashed) await client.runs.join(thread, run);
  const calls = await worked.calls();
  const refunds = calls.filter((call) => call.startsWith("refund "));
  const payments = calls.filter((call) => call.startsWith("pay "));
  expect("paused threads refund", refunds.length, (all) => all === paused.length);
  expect("crashed threads pay", payments.length, (all) => all === crashed.length);
}

const running = "select 1 from plangraph.runs where status = 'running'";

/** What threads take in all tables, without indexes. */
async function bytesOf(sql: Sql, threads: readonly string[]): Promise<number> {
  const tables = ["threads", "runs", "states", "state_values", "state_writes"];
  const sizes = tables.map(
    (table) =>
      `select sum(pg_column_size(t.*)) as bytes from plangraph.${table} t where thread_id = any($1::uuid[])`,
  );
  const [row] = await sql(`select sum(bytes)::int as bytes from (${sizes.join(" union all ")}) s`, [
    threads,
  ]);
  return Number(row?.["bytes"]);
}
