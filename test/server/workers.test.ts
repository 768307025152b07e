import { setTimeout as sleep } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { isUp, until } from "../support/dev-server.js";
import type { ServerProcess } from "../support/plangraph-server.js";
import { type Postgres, startPostgres, whyNoPostgres } from "../support/postgres.js";
import { question, told } from "../support/served.js";
import { approvalOf, looks, openWorked, type Worked } from "../support/worked.js";

const reason = whyNoPostgres();
const title = reason === undefined ? "" : ` (skipped: ${reason})`;

/** Long enough for a slow machine that is busy, short enough to be waited for. */
const leaseMs = 3_000;
const runs = 6;

type Begun = { readonly thread: string; readonly run_id: string };

/** What becomes of a run whose worker is lost, and of any other. */
const wholeOf = ({ thread }: Begun) => ({
  status: "success",
  next: [],
  last: `ai: done ${thread}`,
  paid: 1,
  isOften: false,
});

describe.skipIf(reason !== undefined)(`workers of one database${title}`, () => {
  let postgres: Postgres;
  let worked: Worked;
  let server: ServerProcess;
  let workers: readonly ServerProcess[];
  beforeAll(async () => {
    postgres = await startPostgres();
    worked = await openWorked({ database: postgres.url, leaseMs, slots: runs });
    server = await worked.server();
    workers = await Promise.all([worked.worker(), worked.worker()]);
  }, 120_000);
  afterAll(async () => {
    await worked.close();
    await postgres.stop();
  }, 20_000);

  const callsOf = async (thread: string, name: string) =>
    (await worked.calls()).filter(
      (call) => call.startsWith(`${name} ${thread}`) && !call.endsWith("begins"),
    );

  /** Starts runs that look and pay, and waits until each has looked. */
  const beginAll = async () => {
    const { client } = server;
    const all = await Promise.all(
      Array.from({ length: runs }, async () => {
        const { thread_id: thread } = await client.threads.create();
        const input = question(`pay ${thread}`);
        const { run_id } = await client.runs.create(thread, "worker", { input });
        return { thread, run_id };
      }),
    );
    await Promise.all(
      all.map(({ thread }) => until(async () => (await callsOf(thread, "look")).length > 0, 30)),
    );
    return all;
  };

  /** What became of runs: status, what is next, the last message, what was paid, and how often it looked. */
  const outcomesOf = (all: readonly Begun[]) =>
    Promise.all(
      all.map(async ({ thread, run_id }) => {
        const { client } = server;
        await client.runs.join(thread, run_id);
        const { values, next } = await client.threads.getState(thread);
        const { status } = await client.runs.get(thread, run_id);
        const last = told(values).at(-1);
        const paid = (await callsOf(thread, "pay")).length;
        // One look of a run can have been made and not recorded.
        const isOften = (await callsOf(thread, "look")).length > looks + 1;
        return { status, next, last, paid, isOften };
      }),
    );
  it("go on with the runs of one that is killed", async () => {
    const all = await beginAll();
    await workers[0]?.kill();
    expect(await outcomesOf(all)).toEqual(all.map(wholeOf));
    workers = [await worked.worker(), ...workers.slice(1)];
  }, 90_000);

  it("are not undone by one that stood still for longer than its lease", async () => {
    const all = await beginAll();
    workers[0]?.process.kill("SIGSTOP");
    expect(await outcomesOf(all)).toEqual(all.map(wholeOf));
    workers[0]?.process.kill("SIGCONT");
    // It wakes with answers of the model and of tools, and with what it wanted to record.
    await sleep(3_000);
    expect(await outcomesOf(all)).toEqual(all.map(wholeOf));
    const more = await beginAll();
    expect(await outcomesOf(more)).toEqual(more.map(wholeOf));
  }, 120_000);

  it("take over at once what one gives back that is stopped", async () => {
    const patient = await Promise.all(
      [1, 2].map(() => worked.worker({ leaseMs: 600_000, drainMs: 100 })),
    );
    await Promise.all(workers.map((each) => each.stop()));
    workers = patient;
    const all = await beginAll();
    await workers[0]?.stop();
    expect(await outcomesOf(all)).toEqual(all.map(wholeOf));
    workers = [await worked.worker(), ...workers.slice(1)];
  }, 120_000);

  it("go on when their database has crashed and is back", async () => {
    const all = await beginAll();
    await postgres.crash();
    expect(await until(async () => !(await isUp(server.url)), 2 * (leaseMs / 1_000))).toBe(true);
    await postgres.restart();
    expect(await until(() => isUp(server.url), 30)).toBe(true);
    const outcomes = await outcomesOf(all);
    for (const [at, begun] of all.entries()) {
      // A write whose end the crash kept off the record is asked about, and never made again.
      const inDoubt = { ...wholeOf(begun), next: ["tools"], last: "ai: " };
      expect([wholeOf(begun), inDoubt]).toContainEqual(outcomes[at]);
    }
  }, 120_000);

  it("hear what other servers are told: cancel, approve, join", async () => {
    const other = await worked.server();
    const { client } = server;
    const { thread_id: cancelled } = await client.threads.create();
    const { run_id } = await client.runs.create(cancelled, "worker", {
      input: question(`pay ${cancelled}`),
    });
    await until(async () => (await callsOf(cancelled, "look")).length > 0, 20);
    const joining = other.client.runs.joinStream(cancelled, run_id);
    await other.client.runs.cancel(cancelled, run_id, true);
    expect(await client.runs.get(cancelled, run_id)).toMatchObject({ status: "interrupted" });
    const events = [];
    for await (const { event } of joining) events.push(event);
    expect(events[0]).toBe("metadata");
    const { thread_id: refund } = await client.threads.create();
    await client.runs.wait(refund, "worker", { input: question(`refund ${refund}`) });
    const approval = approvalOf(await other.client.threads.get(refund));
    const all = await Promise.allSettled([
      other.client.runs.wait(refund, "worker", approval),
      client.runs.wait(refund, "worker", approval),
    ]);
    expect(all.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await callsOf(refund, "refund")).toHaveLength(1);
  }, 60_000);
});
