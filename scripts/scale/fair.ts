import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import type { Client } from "@langchain/langgraph-sdk";

import { question } from "../../test/support/served.js";
import type { Worked } from "../../test/support/worked.js";
import { live } from "./live.js";
import { inParallel, msOf, p95, type Trial } from "./trial.js";

const place = fileURLToPath(new URL("graphs.ts", import.meta.url));

/** A graph that asks no provider. */
export const freeGraph = { free: `${place}:free` };

const slots = 5;
const providerLimits = { openai: { atOnce: 5, perMinute: 60 } };

/** A crowd asks a provider with limits: they hold over all workers, others do not wait for it, and the urgent go first. */
export const fair: Trial = async ({ worked, expect }, count) => {
  const { client } = await worked.server();
  await Promise.all([1, 2, 3].map(() => worked.worker({ slots, providerLimits })));
  const ask = async (graph: string, payload = {}) => {
    const { thread_id: thread } = await client.threads.create();
    return client.runs.create(thread, graph, { input: question("peek at it"), ...payload });
  };
  // Every worker has asked its first question.
  await inParallel(9, 9, () => live(client, "worker", "peek at it"));
  await sleep(60_000);
  const unloaded = await freeRuns(client);
  const crowd = await inParallel(10, count, () => ask("worker"));
  await sleep(5_000);
  const endedOf = async () => {
    const all = await Promise.all(crowd.map((run) => client.runs.get(run.thread_id, run.run_id)));
    return all.filter(({ status }) => status === "success").length;
  };
  const before = await endedOf();
  const metadata = { priority: 100 };
  const { run_id: urgent, thread_id: thread } = await ask("worker", { metadata });
  const loaded = await freeRuns(client);
  await client.runs.join(thread, urgent);
  const overtaken = count - (await endedOf());
  for (const run of crowd) await client.runs.join(run.thread_id, run.run_id);
  const { atOnce, perMinute } = mostAsked(worked);
  const taken = count - before - overtaken;
  expect("runs of a crowd", count, () => true);
  expect("of them ended before an urgent one came", before, () => true);
  expect("more ended before it: those at work", taken, (runs) => runs <= 3 * slots);
  expect("it overtook", overtaken, () => true);
  expect("requests at the same time, at most", atOnce, (most) => most <= 5);
  expect("requests in a minute, at most", perMinute, (most) => most <= 60);
  expect("ms of other runs without the crowd, p95", p95(unloaded), () => true);
  const bound = Math.max(200, 2 * p95(unloaded));
  expect("ms of other runs beside it, p95", p95(loaded), (ms) => ms <= bound);
};

async function freeRuns(client: Client): Promise<readonly number[]> {
  return inParallel(1, 20, async () => {
    const { thread_id: thread } = await client.threads.create();
    return msOf(() => client.runs.wait(thread, "free", { input: question("Are you free?") }));
  });
}

function mostAsked({ asked }: Worked) {
  const within = (at: number, ms: number) =>
    asked.filter(({ began }) => began >= at && began < at + ms).length;
  const at = ({ began }: (typeof asked)[number]) =>
    asked.filter((other) => other.began <= began && other.ended > began).length;
  return {
    atOnce: Math.max(...asked.map(at)),
    perMinute: Math.max(...asked.map(({ began }) => within(began, 60_000))),
  };
}
