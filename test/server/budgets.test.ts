import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createServer } from "../../src/server/index.js";
import { type ScriptedServer, startScriptedServer } from "../../src/testing/index.js";
import { createConsole } from "../cli/console.js";
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

const usage = { input: 80, output: 20 };
/** Refunds or looks when it is asked to. Every call takes 100 tokens. */
const replies: Parameters<typeof startScriptedServer>[0]["replies"] = ({ messages }) => {
  const last = messages.at(-1);
  const isLook = last?.role === "user" && JSON.stringify(last.content).includes("Look");
  if (isLook) return { toolCalls: [{ name: "look", args: { thread: "17", step: 0 } }], usage };
  const isRefund = last?.role === "user" && JSON.stringify(last.content).includes("Refund");
  return isRefund
    ? { toolCalls: [{ name: "refund", args: { thread: "17" } }], usage }
    : { text: "Three euros.", usage };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plangraph-budgets-"));
  model = await startScriptedServer({ replies });
  const config = join(folder, "langgraph.json");
  await writeFile(
    config,
    JSON.stringify({
      graphs: { worker: await bundledPlace("worked-graphs.ts", "worker") },
      auth: { path: await bundledPlace("tenants-auth.ts", "auth") },
      env: { OPENAI_API_KEY: "any", OPENAI_BASE_URL: model.url },
    }),
  );
  await fillFolder(join(folder, "data"));
  server = await startServerProcess({
    kind: "server",
    data: join(folder, "data"),
    cwd: folder,
    config,
    budgets: { user: { tokens: 250 }, all: { tokens: 1_300 } },
  });
}, 120_000);
afterAll(async () => {
  await server.kill();
  await model.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}, 20_000);

function clientOf(user: string): Client {
  return clientWith(server.url, user);
}

const tea = { input: question("How much is tea?") };
const refused = { status: 429 };

describe("a budget of users", () => {
  it("is used up by runs with and without a thread, and by nobody else's", async () => {
    const ann = clientOf("ann");
    const { thread_id: thread } = await ann.threads.create();
    await ann.runs.wait(thread, "worker", tea);
    const events = [];
    for await (const { event } of ann.runs.stream(null, "worker", {
      ...tea,
      streamMode: "updates",
    })) {
      events.push(event);
    }
    expect(new Set(events)).toEqual(new Set(["metadata", "updates"]));
    // 200 of 250: what is begun goes on.
    await ann.runs.wait(thread, "worker", tea);
    await expect(ann.runs.wait(thread, "worker", tea)).rejects.toMatchObject(refused);
    await expect(ann.runs.wait(null, "worker", tea)).rejects.toMatchObject(refused);
    await expect(ann.runs.create(thread, "worker", tea)).rejects.toMatchObject(refused);
    const bob = clientOf("bob");
    expect(await bob.runs.wait(null, "worker", tea)).toMatchObject({ answer: "Three euros." });
    // Whom a client names pays nothing.
    const config = { configurable: { user_id: "bob", langgraph_auth_user: { identity: "bob" } } };
    await expect(ann.runs.wait(null, "worker", { ...tea, config })).rejects.toMatchObject(refused);
  }, 60_000);

  it("counts a run that paused once, whatever it does after the answer", async () => {
    const eve = clientOf("eve");
    const { thread_id: thread } = await eve.threads.create();
    await eve.runs.wait(thread, "worker", { input: question("Refund order 17") });
    const { tasks } = await eve.threads.getState(thread);
    const [, id = ""] = /"id":"(req_\w+)"/.exec(JSON.stringify(tasks)) ?? [];
    const command = { resume: { decisions: [{ type: "approve", id }] } };
    await eve.runs.wait(thread, "worker", { command });
    // 200 of 250: counted twice, it would be 300.
    expect(await eve.runs.wait(thread, "worker", tea)).toMatchObject({ answer: "Three euros." });
    await expect(eve.runs.wait(thread, "worker", tea)).rejects.toMatchObject(refused);
  }, 60_000);

  it("counts a run that was cancelled", async () => {
    const sue = clientOf("sue");
    const { thread_id: thread } = await sue.threads.create();
    const { run_id: run } = await sue.runs.create(thread, "worker", { input: question("Look") });
    const isLooking = async () => (await sue.threads.getState(thread)).next.includes("tools");
    expect(await until(isLooking, 20)).toBe(true);
    await sue.runs.cancel(thread, run, true);
    expect((await sue.runs.get(thread, run)).status).toBe("interrupted");
    // 100 of 250, and 200 more: not counted, there would be room for another.
    await sue.runs.wait(null, "worker", tea);
    await sue.runs.wait(null, "worker", tea);
    await expect(sue.runs.wait(null, "worker", tea)).rejects.toMatchObject(refused);
  }, 60_000);

  it("tells when to try again", async () => {
    const answer = await fetch(`${server.url}/runs/wait`, {
      method: "POST",
      headers: { authorization: "Bearer ann", "content-type": "application/json" },
      body: JSON.stringify({ assistant_id: "worker", ...tea }),
    });
    expect(answer.status).toBe(429);
    const seconds = Number(answer.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(86_400);
    expect(await answer.text()).toBe("The budget of this user for today is used up.");
  });
});

it("a budget of all is used up by all", async () => {
  // 1,000 of 1,300 are used up by those before.
  for (const user of ["kim", "kim", "lee"]) {
    await clientOf(user).runs.wait(null, "worker", tea);
  }
  await expect(clientOf("new").runs.wait(null, "worker", tea)).rejects.toThrow(
    "The budget of this server for today is used up.",
  );
}, 60_000);

describe("budgets", () => {
  it.each([
    { args: ["--daily-tokens", "ann=5"], told: /--daily-tokens ann=5: expected user=N, tenant=N/ },
    { args: ["--daily-usd", "user=much"], told: /--daily-usd user=much: expected user=N/ },
  ])("$args are refused", async ({ args, told }) => {
    const { run, written } = createConsole();
    expect(await run("serve", "--data", join(folder, "other"), ...args)).toBe(2);
    expect(written.stderr).toMatch(told);
  });

  it.each([
    { budgets: { users: { tokens: 1 } }, told: /budgets: there is no "users"\. Did you mean user/ },
    { budgets: { user: { token: 1 } }, told: /budgets\.user: there is no "token"/ },
    { budgets: { user: { usd: -1 } }, told: /budgets\.user: expected numbers from 0, got -1/ },
  ])("$budgets are refused", async ({ budgets, told }) => {
    const options: object = { data: join(folder, "other"), graphs: { a: "./a.ts:a" }, budgets };
    await expect(createServer({ ...options })).rejects.toThrow(told);
  });
});
