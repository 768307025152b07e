import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, expect, it } from "vitest";

import { forgetData, pruneDatabase, readDecisions } from "../../src/server/index.js";
import { type ScriptedServer, startScriptedServer } from "../../src/testing/index.js";
import { createConsole } from "../cli/console.js";
import { fillFolder } from "../support/embedded-folder.js";
import {
  bundledPlace,
  clientWith,
  type ServerProcess,
  startServerProcess,
} from "../support/plangraph-server.js";
import { question } from "../support/served.js";

let folder: string;
let data: string;
let model: ScriptedServer;
let server: ServerProcess | undefined;

/** Refunds when it is asked to, and says what it was asked. */
const replies: Parameters<typeof startScriptedServer>[0]["replies"] = ({ messages }) => {
  const last = messages.at(-1);
  const asked = JSON.stringify(last?.content);
  if (last?.role === "user" && asked.includes("Refund")) {
    return { toolCalls: [{ name: "refund", args: { thread: "17" } }] };
  }
  return `You said ${asked}.`;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plangraph-kept-"));
  data = join(folder, "data");
  model = await startScriptedServer({ replies });
  await writeFile(
    join(folder, "langgraph.json"),
    JSON.stringify({
      graphs: { worker: await bundledPlace("worked-graphs.ts", "worker") },
      auth: { path: await bundledPlace("tenants-auth.ts", "auth") },
      env: { OPENAI_API_KEY: "any", OPENAI_BASE_URL: model.url },
    }),
  );
  await fillFolder(data);
}, 120_000);
afterAll(async () => {
  await server?.kill();
  await model.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}, 20_000);

async function start(): Promise<void> {
  const config = join(folder, "langgraph.json");
  server = await startServerProcess({ kind: "server", data, cwd: folder, config });
}

async function stop(): Promise<void> {
  await server?.stop();
  server = undefined;
}

function clientOf(user: string): Client {
  return clientWith(server?.url ?? "", user);
}

/** A thread with two answers, and a refund that waits for a person. */
async function waitingThread(user: string): Promise<string> {
  const client = clientOf(user);
  const { thread_id: thread } = await client.threads.create();
  await client.runs.wait(thread, "worker", { input: question("Hello") });
  await client.runs.wait(thread, "worker", { input: question("Who are you?") });
  await client.runs.wait(thread, "worker", { input: question("Refund order 17") });
  return thread;
}

async function requestOf(user: string, thread: string): Promise<string> {
  const { tasks } = await clientOf(user).threads.getState(thread);
  const found = /"id":"(req_\w+)"/.exec(JSON.stringify(tasks));
  return found?.[1] ?? "";
}

async function decide(user: string, thread: string, decision: object) {
  const id = await requestOf(user, thread);
  const command = { resume: { decisions: [{ ...decision, id }] } };
  return clientOf(user).runs.wait(thread, "worker", { command });
}

async function decisions() {
  const all: Parameters<Parameters<typeof readDecisions>[1]>[0][] = [];
  await readDecisions({ data }, (one) => all.push(one));
  return all;
}

it("what a server keeps is pruned, exported and forgotten, and nothing else is lost", async () => {
  await start();
  const ann = await waitingThread("ann");
  const bob = await waitingThread("bob");
  const eve = await waitingThread("eve");
  await decide("bob", bob, { type: "approve", by: "the boss" });
  await decide("eve", eve, { type: "reject", message: "Not in our shop." });
  await stop();

  // Who decided what.
  expect(await decisions()).toMatchObject([
    { type: "approve", identity: "bob", by: "the boss", tool: "refund", args: { thread: "17" } },
    { type: "reject", identity: "eve", by: null, message: "Not in our shop.", threadId: eve },
  ]);
  const printed = createConsole();
  await printed.run("decisions", "--data", data, "--thread", bob);
  expect(printed.written.stdout).toMatch(
    /^\S+Z approve refund\(thread: "17"\) by bob, says "the boss" \(thread \S+\)\n$/,
  );
  const none = createConsole();
  await none.run("decisions", "--data", data, "--since", "2999-01-01");
  expect(none.written.stdout).toBe("");

  // Only what nobody needs goes.
  expect(await pruneDatabase({ data }, { keep: 1, olderThanMs: 3_600_000 })).toMatchObject({
    threads: 0,
  });
  const pruned = await pruneDatabase({ data }, { keep: 1 });
  expect(pruned).toMatchObject({ threads: 3, busy: 0 });
  expect(pruned.removed).toBeGreaterThan(20);
  const again = createConsole();
  await again.run("prune", "--data", data, "--keep", "1", "--json");
  expect(JSON.parse(again.written.stdout)).toMatchObject({ threads: 3, removed: 0 });
  await start();
  expect(await decide("ann", ann, { type: "approve" })).toMatchObject({
    outcome: { status: "answered" },
    observations: [{ tool: "refund", ok: true, content: "refunded" }],
  });
  const { values } = await clientOf("bob").threads.getState<{ messages: unknown[] }>(bob);
  expect(JSON.stringify(values.messages)).toContain("Who are you?");
  await stop();

  // What is forgotten of one user is gone, and nobody else's is.
  const nothing = { threads: [], left: [] };
  expect(await forgetData({ data }, { user: "ann", tenant: "another" })).toEqual(nothing);
  const forgetting = createConsole();
  await forgetting.run("forget", "--user", "ann", "--data", data);
  expect(forgetting.written.stdout).toBe(`${data}: 1 thread and what the user told deleted.\n`);
  expect((await decisions()).map(({ identity, type, args }) => ({ identity, type, args }))).toEqual(
    [
      { identity: "bob", type: "approve", args: { thread: "17" } },
      { identity: "eve", type: "reject", args: { thread: "17" } },
      { identity: "ann", type: "approve", args: null },
    ],
  );
  expect(await forgetData({ data }, { thread: eve })).toEqual({ threads: [eve], left: [] });
  await start();
  await expect(clientOf("ann").threads.get(ann)).rejects.toMatchObject({ status: 404 });
  await expect(clientOf("eve").threads.get(eve)).rejects.toMatchObject({ status: 404 });
  expect((await clientOf("bob").runs.list(bob)).length).toBe(1);
  await stop();
}, 240_000);

it.each([
  { args: ["prune", "--data", "DATA", "--keep", "0"], told: /--keep 0: expected a whole number/ },
  { args: ["prune", "--data", "nowhere", "--keep", "1"], told: /nowhere: expected the data of a/ },
  { args: ["prune", "--data", "DATA", "--keep", "1", "--older-than", "soon"], told: /30d, 12h/ },
  { args: ["prune", "--data", "DATA", "--keep", "1", "--thread", "x"], told: /id of a thread/ },
  { args: ["prune", "--keep", "1"], told: /prune needs --checkpoint FILE\.db.*--database URL/ },
  {
    args: ["prune", "--data", "a", "--database", "b", "--keep", "1"],
    told: /expected one of them/,
  },
  { args: ["forget", "--data", "DATA"], told: /expected either --user or --thread/ },
  { args: ["forget", "--user", "ann"], told: /forget needs --database, --data, --checkpoint or/ },
  { args: ["forget", "--user", " ", "--data", "DATA"], told: /user: expected a name/ },
  { args: ["forget", "--user", "ann", "--trace", "t.db"], told: /--trace says no users/ },
  {
    args: ["forget", "--thread", "x", "--tenant", "a", "--data", "DATA"],
    told: /--tenant: expected/,
  },
  { args: ["decisions"], told: /decisions needs --database URL/ },
  { args: ["decisions", "--data", "DATA", "--since", "monday"], told: /--since monday: expected/ },
])("$args is refused", async ({ args, told }) => {
  const { run, written } = createConsole();
  expect(await run(...args.map((each) => (each === "DATA" ? data : each)))).toBe(2);
  expect(written.stderr).toMatch(told);
});
