import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type ScriptedServer, startScriptedServer } from "../../src/testing/index.js";
import { until } from "../support/dev-server.js";
import { fillFolder } from "../support/embedded-folder.js";
import {
  bundledPlace,
  type ServerProcess,
  startServerProcess,
} from "../support/plangraph-server.js";
import { question } from "../support/served.js";

let folder: string;
let model: ScriptedServer;
let server: ServerProcess;
let receiver: Server;
let place: string;
const calls: { readonly path: string; readonly body: string }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plangraph-webhooks-"));
  model = await startScriptedServer({ replies: () => ({ text: "Three euros." }) });
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      const path = request.url ?? "";
      calls.push({ path, body });
      const isFirst = calls.filter((one) => one.path === path).length === 1;
      if (path === "/moved") response.writeHead(302, { location: "/elsewhere" });
      else if (path === "/busy" && isFirst) response.writeHead(503);
      response.end();
      return undefined;
    });
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const address = receiver.address();
  place = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const config = join(folder, "langgraph.json");
  await writeFile(
    config,
    JSON.stringify({
      graphs: { worker: await bundledPlace("worked-graphs.ts", "worker") },
      env: { OPENAI_API_KEY: "any", OPENAI_BASE_URL: model.url },
    }),
  );
  await fillFolder(join(folder, "data"));
  server = await startServerProcess({
    kind: "server",
    data: join(folder, "data"),
    cwd: folder,
    config,
    // With one worker: who stops it stops the server.
    slots: 1,
    webhookHosts: ["127.0.0.1"],
  });
}, 120_000);
afterAll(async () => {
  await server.kill();
  receiver.close();
  await model.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}, 20_000);

const ask = async (webhook: string, thread: string | null = null) =>
  thread === null
    ? server.client.runs.wait(null, "worker", { input: question("Tea?"), webhook })
    : server.client.runs.wait(thread, "worker", { input: question("Tea?"), webhook });
const called = (path: string) => calls.filter((one) => one.path === path);

describe("a webhook", () => {
  it("is told of the end of a run, with its values, and with nothing that the run was given", async () => {
    const { thread_id: thread } = await server.client.threads.create();
    await ask(`${place}/ended`, thread);
    expect(await until(async () => called("/ended").length === 1, 10)).toBe(true);
    const told: unknown = JSON.parse(called("/ended")[0]?.body ?? "");
    expect(told).toMatchObject({
      thread_id: thread,
      status: "success",
      values: { answer: "Three euros." },
      run_ended_at: expect.any(String),
      webhook_sent_at: expect.any(String),
    });
    expect(JSON.stringify(told)).not.toMatch(/"kwargs"|configurable|plangraph_lease/);
    await ask(`${place}/without`);
    expect(await until(async () => called("/without").length === 1, 10)).toBe(true);
    expect(called("/without")[0]?.body).toContain("Three euros.");
  }, 60_000);

  it("that cannot be called stops no worker", async () => {
    await ask("http://127.0.0.1:1/nowhere");
    expect(await ask("http://127.0.0.1:1/nowhere")).toMatchObject({ answer: "Three euros." });
    expect(await ask(`${place}/later`)).toMatchObject({ answer: "Three euros." });
    expect(await until(async () => called("/later").length === 1, 10)).toBe(true);
  }, 60_000);

  it("is called again where it failed, and not sent on to another place", async () => {
    await ask(`${place}/busy`);
    expect(await until(async () => called("/busy").length === 2, 10)).toBe(true);
    await ask(`${place}/moved`);
    expect(await until(async () => called("/moved").length === 3, 15)).toBe(true);
    expect(called("/elsewhere")).toEqual([]);
  }, 60_000);

  it.each([
    "http://localhost:2180/x",
    "http://169.254.169.254/latest/meta-data",
    "http://127.0.0.1.example/x",
    "http://ann:word@127.0.0.1/x",
    "ftp://127.0.0.1/x",
    "file:///etc/passwd",
    "/internal/truncate",
    "127.0.0.1/x",
    "",
  ])("at %j is refused before anything runs", async (webhook) => {
    await expect(ask(webhook)).rejects.toMatchObject({ status: 422 });
    const cron = { schedule: "0 0 1 1 *", webhook };
    await expect(server.client.crons.create("worker", cron)).rejects.toMatchObject({ status: 422 });
  });
});
