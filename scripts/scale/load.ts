import { setTimeout as sleep } from "node:timers/promises";

import type { Client } from "@langchain/langgraph-sdk";

import type { ServerProcess } from "../../test/support/plangraph-server.js";
import { question } from "../../test/support/served.js";
import { cpuOf, processesOf } from "../../test/support/cpu.js";
import { claimTimes, inParallel, msOf, p95, startCosting, type Trial } from "./trial.js";

/** A run that asks a model twice and a tool once, on a thread of its own. */
const oneRun = { input: question("peek at it") };

/** Many waiting runs, worked off by two workers: how fast, how soon, and what each costs the database. */
export const load: Trial = async ({ worked, sql, expect, workers }, amount) => {
  const server = await worked.server();
  const { client } = server;
  const costs = await startCosting(sql);
  const enqueuedMs = await msOf(() =>
    inParallel(10, amount, async () => {
      const { thread_id: thread } = await client.threads.create();
      await client.runs.create(thread, "worker", oneRun);
    }),
  );
  console.log(`${amount} runs were enqueued in ${(enqueuedMs / 1_000).toFixed(1)} s`);
  const started = await Promise.all(
    Array.from({ length: workers }, () => worked.worker({ slots: 20 })),
  );
  const countOf = async (condition: string) => {
    const [row] = await sql(`select count(*)::int as runs from plangraph.runs where ${condition}`);
    return Number(row?.["runs"]);
  };
  const waiting = "status in ('pending', 'running')";
  // The workers have loaded their graphs.
  while ((await countOf("status = 'success'")) < 20) await sleep(20);
  const before = await countOf(waiting);
  const cpu = () => cpuNow(server, started);
  const cpuBefore = await cpu();
  const took = await msOf(async () => {
    while ((await countOf(waiting)) > 0) await sleep(50);
  });
  const cpuAfter = await cpu();
  const cost = await costs();
  console.log(cost.most(amount));
  expect("runs succeed", await countOf("status = 'success'"), (good) => good === amount);
  expect("runs a second", (before * 1_000) / took, (rate) => rate >= 15);
  for (const name of ["workers", "server", "database"] as const) {
    const used = ((cpuAfter[name] - cpuBefore[name]) * 1_000) / before;
    expect(`ms of a processor a run: ${name}`, used, () => true);
  }
  expect("statements a run", cost.statements / amount, (each) => each <= 30);
  const claims = await claimTimes(sql);
  expect("ms to take a run, on average", claims.mean, (ms) => ms <= 10);
  expect("bytes of log a run", cost.walBytes / amount, (each) => each <= 25_600);
  const starts = await startTimes(client);
  expect("ms to start at idle, p95", p95(starts), (each) => each <= 100);
};

/** The seconds of a processor that were used so far. */
async function cpuNow(server: ServerProcess, workers: readonly ServerProcess[]) {
  return {
    workers: await cpuOf(workers.map(({ process }) => process.pid)),
    server: await cpuOf([server.process.pid]),
    database: await cpuOf(await processesOf("postgres")),
  };
}

/** Milliseconds from asking for a run to its first event, with nothing else to do. */
async function startTimes(client: Client): Promise<readonly number[]> {
  const starts: number[] = [];
  for (let at = 0; at < 20; at += 1) {
    const { thread_id: thread } = await client.threads.create();
    const began = performance.now();
    for await (const { event } of client.runs.stream(thread, "worker", oneRun)) {
      if (event === "metadata") starts.push(performance.now() - began);
    }
    await sleep(100);
  }
  return starts;
}

/** Many runs wait for one busy thread: those of other threads are taken as soon as ever. */
export const oneThread: Trial = async ({ worked, sql, expect }, amount) => {
  const { client } = await worked.server();
  const { thread_id: busy } = await client.threads.create();
  const enqueue = { ...oneRun, multitaskStrategy: "enqueue" } as const;
  await inParallel(10, amount, () => client.runs.create(busy, "worker", enqueue));
  const others = await inParallel(10, 50, async () => {
    const { thread_id: thread } = await client.threads.create();
    return client.runs.create(thread, "worker", oneRun);
  });
  await startCosting(sql);
  await worked.worker({ slots: 20 });
  const ms = await msOf(async () => {
    for (const run of others) await client.runs.join(run.thread_id, run.run_id);
  });
  const { mean, most } = await claimTimes(sql);
  expect("runs wait for one thread", amount, () => true);
  expect("ms until 50 of other threads had ended", ms, () => true);
  expect("ms to take a run, on average", mean, (each) => each <= 10);
  expect("ms to take a run, at most", most, () => true);
};
