import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type ScriptedServer, startScriptedServer } from "../../src/testing/index.js";
import { until } from "../support/dev-server.js";
import { fillFolder } from "../support/embedded-folder.js";
import {
  bundledPlace,
  clientWith,
  type ServerProcess,
  startServerProcess,
} from "../support/plangraph-server.js";
import { question } from "../support/served.js";

let folder: string;
let model: ScriptedServer;
let server: ServerProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plangraph-crons-"));
  model = await startScriptedServer({ replies: () => ({ text: "Three euros." }) });
  await writeFile(
    join(folder, "langgraph.json"),
    JSON.stringify({
      graphs: { worker: await bundledPlace("worked-graphs.ts", "worker") },
      auth: { path: await bundledPlace("tenants-auth.ts", "auth") },
      env: { OPENAI_API_KEY: "any", OPENAI_BASE_URL: model.url },
    }),
  );
  await fillFolder(join(folder, "data"));
  await start();
}, 120_000);
afterAll(async () => {
  await server.kill();
  await model.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}, 20_000);

async function start(): Promise<void> {
  const config = join(folder, "langgraph.json");
  server = await startServerProcess({
    kind: "server",
    data: join(folder, "data"),
    cwd: folder,
    config,
  });
}

function clientOf(user: string): Client {
  return clientWith(server.url, user);
}

const everySecond = { schedule: "* * * * * *", input: question("How much is tea?") };
const never = { schedule: "0 0 1 1 *", input: question("How much is tea?") };

it("a server says that it has schedules", async () => {
  const headers = { authorization: "Bearer ann" };
  const response = await fetch(`${server.url}/info`, { headers });
  expect(await response.json()).toMatchObject({ context: "js", flags: { crons: true } });
});

describe("a schedule", () => {
  it("makes runs on its thread, for who made it, until it is deleted", async () => {
    const ann = clientOf("ann");
    const { thread_id: thread } = await ann.threads.create();
    const cron = await ann.crons.createForThread(thread, "worker", everySecond);
    expect(cron).toMatchObject({ thread_id: thread, schedule: "* * * * * *", user_id: "ann" });
    const ended = async () => {
      const runs = await ann.runs.list(thread);
      return runs.filter(({ status }) => status === "success").length >= 2;
    };
    expect(await until(ended, 20)).toBe(true);
    await ann.crons.delete(cron.cron_id);
    const runs = await ann.runs.list(thread, { limit: 100 });
    expect(runs[0]?.metadata).toMatchObject({ cron_id: cron.cron_id, owner: "ann" });
    const { values } = await ann.threads.getState<{ answer: string }>(thread);
    expect(values.answer).toBe("Three euros.");
    const times = runs.map((run) => Math.floor(Date.parse(run.created_at) / 1_000));
    expect(new Set(times).size).toBe(times.length);
  }, 60_000);

  it("makes a thread for each run, which stays if it is to be kept", async () => {
    const ann = clientOf("ann");
    const metadata = { kind: "report" };
    const cron = await ann.crons.create("worker", {
      ...everySecond,
      metadata,
      onRunCompleted: "keep",
      endTime: new Date(Date.now() + 3_500).toISOString(),
    });
    const threads = async () => ann.threads.search({ metadata, limit: 100 });
    expect(await until(async () => (await threads()).length >= 2, 20)).toBe(true);
    // It is over by itself.
    const isOver = async () => {
      const [found] = await ann.crons.search({ metadata });
      return found?.cron_id === cron.cron_id && found.next_run_date === null;
    };
    expect(await until(isOver, 20)).toBe(true);
    expect(await clientOf("bob").threads.search({ metadata })).toEqual([]);
    await ann.crons.delete(cron.cron_id);
  }, 60_000);

  it("is changed, switched off, found and counted", async () => {
    const ann = clientOf("ann");
    const cron = await ann.crons.create("worker", { ...never, timezone: "Europe/Berlin" });
    const next = new Date(cron.next_run_date ?? "");
    // Midnight in Berlin is 23:00 in UTC.
    expect(next.toISOString()).toMatch(/-12-31T23:00:00\.000Z$/);
    const changed = await ann.crons.update(cron.cron_id, {
      schedule: "30 9 * * *",
      enabled: false,
    });
    expect(changed).toMatchObject({ enabled: false, schedule: "30 9 * * *" });
    expect(await ann.crons.search({ enabled: false })).toHaveLength(1);
    expect(await ann.crons.search({ enabled: true })).toEqual([]);
    expect(await ann.crons.count({ assistantId: "worker" })).toBe(1);
    await ann.crons.delete(cron.cron_id);
    expect(await ann.crons.count({})).toBe(0);
  });

  it("is seen, changed and deleted by nobody else", async () => {
    const [ann, bob] = [clientOf("ann"), clientOf("bob")];
    const { thread_id: thread } = await ann.threads.create();
    await expect(bob.crons.createForThread(thread, "worker", never)).rejects.toMatchObject({
      status: 404,
    });
    const cron = await ann.crons.createForThread(thread, "worker", never);
    expect(await bob.crons.search({})).toEqual([]);
    expect(await bob.crons.count({})).toBe(0);
    for (const attempt of [
      bob.crons.update(cron.cron_id, { schedule: "* * * * * *" }),
      bob.crons.delete(cron.cron_id),
    ]) {
      await expect(attempt).rejects.toMatchObject({ status: 404 });
    }
    const nobody = new Client({ apiUrl: server.url, callerOptions: { maxRetries: 0 } });
    await expect(nobody.crons.search({})).rejects.toMatchObject({ status: 401 });
    expect(await ann.crons.search({})).toMatchObject([{ schedule: never.schedule }]);
    await ann.threads.delete(thread);
    expect(await ann.crons.count({})).toBe(0);
  });

  it.each([
    { is: "no expression", given: { schedule: "soon" }, status: 422 },
    { is: "a minute that there is not", given: { schedule: "61 * * * *" }, status: 422 },
    { is: "a zone that is none", given: { ...never, timezone: "Mars" }, status: 422 },
    { is: "an end that is no time", given: { ...never, endTime: "tomorrow" }, status: 422 },
  ])("with $is is refused", async ({ given, status }) => {
    await expect(clientOf("ann").crons.create("worker", given)).rejects.toMatchObject({ status });
  });

  it("of a graph that there is not is refused", async () => {
    await expect(clientOf("ann").crons.create("nothing", never)).rejects.toMatchObject({
      status: 404,
    });
  });

  it("is counted in the metrics of the server, for a login that may see them", async () => {
    const url = `${server.url}/metrics`;
    const answer = await fetch(url, { headers: { authorization: "Bearer operator" } });
    expect(answer.headers.get("content-type")).toContain("text/plain; version=0.0.4");
    const text = await answer.text();
    expect(text).toMatch(/^plangraph_up 1$/m);
    expect(text).toMatch(/^plangraph_runs_waiting \d+$/m);
    const done = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
    expect(done("plangraph_cron_runs_total")).toBeGreaterThanOrEqual(4);
    expect(done("plangraph_runs_ended_total")).toBeGreaterThanOrEqual(4);
    expect(done("plangraph_checkpoint_seconds_total")).toBeGreaterThan(0);
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(`${server.url}/ok`)).status).toBe(200);
  });

  it("makes one run for all the time that nobody was there, and goes on", async () => {
    const metadata = { kind: "missed" };
    const cron = await clientOf("ann").crons.create("worker", {
      ...everySecond,
      metadata,
      onRunCompleted: "keep",
    });
    await server.kill();
    await sleep(6_000);
    await start();
    const ann = clientOf("ann");
    const threads = async () => ann.threads.search({ metadata, limit: 100 });
    expect(await until(async () => (await threads()).length >= 3, 30)).toBe(true);
    await ann.crons.delete(cron.cron_id);
    const times = (await threads()).map((thread) => Date.parse(thread.created_at));
    // The missed one and the next one may come close to one another; six at once would be all that was missed.
    const most = Math.max(
      ...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length),
    );
    expect(most).toBeLessThanOrEqual(2);
  }, 90_000);
});
