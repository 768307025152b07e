import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import { type ScriptedServer, startScriptedServer } from "../../src/testing/index.js";
import { fillFolder } from "../support/embedded-folder.js";
import { attemptsOn, refusal } from "../support/foreign-attempts.js";
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
  folder = await mkdtemp(join(tmpdir(), "plangraph-tenants-"));
  model = await startScriptedServer({ replies: () => ({ text: "Three euros." }) });
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
    traces: join(folder, "traces.db"),
    cwd: folder,
    config,
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

it("a user sees, joins, changes, cancels and resumes nothing of another's", async () => {
  const [ann, bob] = [clientOf("ann"), clientOf("bob")];
  const { thread_id: thread } = await ann.threads.create();
  const run = { input: question("How much is tea?") };
  await ann.runs.wait(thread, "worker", run);
  expect(await ann.runs.wait(null, "worker", run)).toMatchObject({ answer: "Three euros." });
  const [ended] = await ann.runs.list(thread);
  const run_id = ended?.run_id ?? "";
  const waiting = await ann.runs.create(thread, "worker", { ...run, afterSeconds: 3_600 });
  const before = await ann.threads.get(thread);

  for (const search of [{}, { ids: [thread] }, { metadata: { owner: "ann" } }]) {
    expect(await bob.threads.search(search)).toEqual([]);
  }
  expect(await bob.threads.count()).toBe(0);
  expect(await ann.threads.count()).toBe(1);

  const attempts = attemptsOn(bob, { thread, ended: run_id, open: waiting.run_id });
  for (const [name, attempt] of Object.entries(attempts)) {
    expect([name, await attempt().then(() => "done", String)]).toEqual([
      name,
      expect.stringMatching(refusal),
    ]);
  }
  for (const [thread_id, id] of [
    [thread, run_id],
    [null, run_id],
  ] as const) {
    const events = [];
    for await (const { data } of bob.runs.joinStream(thread_id, id)) events.push(data);
    expect(JSON.stringify(events)).not.toContain("euros");
  }
  expect(await ann.threads.get(thread)).toEqual(before);
  expect(await ann.runs.get(thread, waiting.run_id)).toMatchObject({ status: "pending" });
  await ann.runs.cancel(thread, waiting.run_id);
  expect(await ann.runs.get(thread, waiting.run_id)).toMatchObject({ status: "interrupted" });
});

it("what a run without a thread said is read again by who asked it, and by nobody else", async () => {
  const run = { input: question("How much is tea?") };
  let id = "";
  const onRunCreated = (created: { run_id: string }) => (id = created.run_id);
  const stream = clientOf("ann").runs.stream(null, "worker", { ...run, onRunCreated });
  for await (const { event } of stream) expect(event).not.toBe("error");
  const said = async (user: string) => {
    const events = [];
    for await (const { data } of clientOf(user).runs.joinStream(null, id)) events.push(data);
    return JSON.stringify(events);
  };
  expect(await said("ann")).toContain("Three euros.");
  expect(await said("bob")).toBe("[]");
});

it("nobody acts by a session that somebody else has opened on a thread", async () => {
  const { thread_id: thread } = await clientOf("ann").threads.create();
  for (const user of ["ann", "bob"]) {
    for (const [path, body] of [
      ["commands", { id: 1, method: "state.get" }],
      ["stream/events", { channels: ["values"] }],
    ] as const) {
      const { status } = await fetch(`${server.url}/threads/${thread}/${path}`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${user}`, "content-type": "application/json" },
      });
      expect([user, path, status]).toEqual([user, path, 501]);
    }
  }
});

it("nobody runs an assistant that somebody else has made", async () => {
  const [ann, bob] = [clientOf("ann"), clientOf("bob")];
  const context = { secret: "of ann" };
  const { assistant_id: id } = await ann.assistants.create({ graphId: "worker", context });
  const run = { input: question("How much is tea?") };
  await expect(bob.runs.create(null, id, run)).rejects.toMatchObject({ status: 404 });
  await expect(bob.runs.wait(null, id, run)).rejects.toMatchObject({ status: 404 });
  expect(await ann.runs.wait(null, id, run)).toMatchObject({ answer: "Three euros." });
  expect(await bob.runs.wait(null, "worker", run)).toMatchObject({ answer: "Three euros." });
});

it.each([
  { name: "nobody", headers: {} },
  { name: "who says that they are LangGraph Studio", headers: { "x-auth-scheme": "langsmith" } },
])("$name is not served", async ({ headers }) => {
  for (const path of ["/threads/search", "/assistants/search", "/runs/wait"]) {
    const { status } = await fetch(`${server.url}${path}`, {
      method: "POST",
      body: "{}",
      headers: { ...headers, "content-type": "application/json" },
    });
    expect([path, status]).toEqual([path, 401]);
  }
  expect((await fetch(`${server.url}/ok`, { headers })).status).toBe(200);
});

const Traces = z.object({ runs: z.array(z.object({ id: z.string(), threadId: z.string() })) });

async function tracesOf(user: string, path = "") {
  const headers = { authorization: `Bearer ${user}` };
  return fetch(`${server.url}/traces${path}`, { headers });
}

async function threadsOf(user: string): Promise<readonly string[]> {
  const { runs } = Traces.parse(await (await tracesOf(user)).json());
  return runs.map(({ threadId }) => threadId);
}

it("a user sees what happened in their own runs, and nobody does once the thread is gone", async () => {
  const cleo = clientOf("cleo");
  const { thread_id: thread } = await cleo.threads.create();
  await cleo.runs.wait(thread, "worker", { input: question("How much is tea?") });
  expect(await threadsOf("cleo")).toEqual([thread]);
  expect(await threadsOf("dan")).toEqual([]);
  const { runs } = Traces.parse(await (await tracesOf("cleo")).json());
  const id = runs[0]?.id ?? "";
  expect(await (await tracesOf("cleo", `/${id}`)).text()).toContain("How much is tea?");
  for (const path of [`/${id}`, `/${id}/test`, `/${id.slice(0, 8)}`]) {
    const refused = await tracesOf("dan", path);
    expect([refused.status, await refused.text()]).toEqual([
      404,
      expect.not.stringContaining("tea"),
    ]);
  }
  await cleo.threads.delete(thread);
  await clientOf("dan").threads.create({ threadId: thread });
  expect((await tracesOf("dan", `/${id}`)).status).toBe(404);
  expect((await tracesOf("cleo", `/${id}`)).status).toBe(404);
});

it.each(["/traces", "/traces/health", "/metrics", "/threads/search"])(
  "nobody reads %s without a login, and the page's own files need none",
  async (path) => {
    expect((await fetch(`${server.url}${path}`)).status).toBe(401);
    expect((await fetch(`${server.url}/chat`)).status).not.toBe(401);
  },
);

it("a user's metrics are of their own runs alone; all are for a login with the permission", async () => {
  const eve = clientOf("eve");
  const { thread_id: thread } = await eve.threads.create();
  await eve.runs.create(thread, "worker", { input: question("Later?"), afterSeconds: 3_600 });
  const metricsOf = async (user: string) => {
    const headers = { authorization: `Bearer ${user}` };
    const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    return new Map(lines.map((line) => [line.split(" ")[0] ?? "", Number(line.split(" ")[1])]));
  };
  const [own, other, all] = await Promise.all(["eve", "dan", "operator"].map(metricsOf));
  expect(own?.get("plangraph_runs_scheduled")).toBe(1);
  expect(other?.get("plangraph_runs_scheduled")).toBe(0);
  expect(all?.get("plangraph_runs_scheduled")).toBeGreaterThanOrEqual(1);
  for (const one of [own, other]) {
    expect(one?.get("plangraph_up")).toBe(1);
    expect([...(one?.keys() ?? [])].filter((name) => /_total$|_held$/.test(name))).toEqual([]);
  }
  expect(all?.get("plangraph_runs_claimed_total")).toBeGreaterThan(0);
  await eve.threads.delete(thread);
});
