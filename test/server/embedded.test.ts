import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

import type { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { until } from "../support/dev-server.js";
import type { ServerProcess } from "../support/plangraph-server.js";
import { question, told } from "../support/served.js";
import { approvalOf, looks, openWorked, type Worked } from "../support/worked.js";

/** Where a web page may come from. */
const page = "https://chat.example";

let worked: Worked;
let server: ServerProcess;
beforeAll(async () => {
  worked = await openWorked({ leaseMs: 1_500 });
  server = await worked.server({ allowOrigins: [page] });
}, 120_000);
afterAll(() => worked.close(), 20_000);

/** A thread and the question that leads its run. */
async function begin(client: Client, verb: string) {
  const { thread_id: thread } = await client.threads.create();
  return { thread, input: question(`${verb} ${thread}`) };
}

function callsOf(thread: string) {
  return async (name: string) => {
    const calls = await worked.calls();
    return calls.filter((call) => call.startsWith(`${name} ${thread}`) && !call.endsWith("begins"));
  };
}

describe("a server with its data in a folder", () => {
  it("serves a client of LangGraph: run, stream, join, state, history and search", async () => {
    const { client } = server;
    const { thread, input } = await begin(client, "pay");
    const streamed = [];
    const stream = client.runs.stream(thread, "worker", {
      input,
      streamMode: ["values", "updates"],
    });
    for await (const { id, event } of stream) streamed.push({ id, event });
    expect(streamed[0]?.event).toBe("metadata");
    const [run] = await client.runs.list(thread);
    expect(run).toMatchObject({ status: "success", thread_id: thread });
    const again = [];
    for await (const { id, event } of client.runs.joinStream(thread, run?.run_id ?? "", {
      lastEventId: streamed[2]?.id ?? "",
    })) {
      again.push({ id, event });
    }
    expect(again).toEqual(streamed.slice(3));
    const { values, next } = await client.threads.getState(thread);
    expect(next).toEqual([]);
    expect(told(values).at(-1)).toBe(`ai: done ${thread}`);
    expect(told(await client.runs.join(thread, run?.run_id ?? "")).at(-1)).toBe(
      `ai: done ${thread}`,
    );
    const history = await client.threads.getHistory(thread, { limit: 100 });
    expect(history.length).toBeGreaterThan(looks);
    const found = await client.threads.search({ metadata: { graph_id: "worker" }, status: "idle" });
    expect(found.map(({ thread_id }) => thread_id)).toContain(thread);
    expect(await callsOf(thread)("pay")).toHaveLength(1);
  });

  it("carries out an approval once, however often it comes", async () => {
    const { client } = server;
    const { thread, input } = await begin(client, "refund");
    await client.runs.wait(thread, "worker", { input });
    const paused = await client.threads.get(thread);
    expect(paused.status).toBe("interrupted");
    expect(await callsOf(thread)("refund")).toEqual([]);
    const nameless = { command: { resume: { decisions: [{ type: "approve" }] } } };
    await expect(client.runs.wait(thread, "worker", nameless)).rejects.toThrow(
      /HTTP 422.*names no/s,
    );
    const approval = approvalOf(paused);
    expect(told(await client.runs.wait(thread, "worker", approval)).at(-1)).toBe("ai: refunded");
    await expect(client.runs.wait(thread, "worker", approval)).rejects.toThrow(
      /waits for a decision|Decisions came/,
    );
    expect(await callsOf(thread)("refund")).toHaveLength(1);
  });

  it("stops a run that is cancelled", async () => {
    const { client } = server;
    const { thread, input } = await begin(client, "pay");
    const { run_id } = await client.runs.create(thread, "worker", { input });
    await until(async () => (await callsOf(thread)("look")).length > 0, 20);
    await client.runs.cancel(thread, run_id, true);
    expect(await client.runs.get(thread, run_id)).toMatchObject({ status: "interrupted" });
    expect(await client.threads.get(thread)).toMatchObject({ status: "idle" });
    expect(await callsOf(thread)("pay")).toEqual([]);
  });

  it.each([
    { strategy: "enqueue", first: "success", asked: ["pay", "refund"] },
    { strategy: "interrupt", first: "interrupted", asked: ["pay", "refund"] },
    { strategy: "rollback", first: undefined, asked: ["refund"] },
  ] as const)(
    "does $strategy with a second run of a thread",
    async ({ strategy, first, asked }) => {
      const { client } = server;
      const { thread, input } = await begin(client, "pay");
      const { run_id } = await client.runs.create(thread, "worker", { input });
      await until(async () => (await callsOf(thread)("look")).length > 0, 20);
      const next = { input: question(`refund ${thread}`) };
      await expect(client.runs.create(thread, "worker", next)).rejects.toThrow(
        /HTTP 422.*already running/s,
      );
      const options = { ...next, multitaskStrategy: strategy };
      const second = await client.runs.create(thread, "worker", options);
      await client.runs.join(thread, second.run_id);
      expect(await client.threads.get(thread)).toMatchObject({ status: "interrupted" });
      const runs = await client.runs.list(thread);
      expect(runs.find((each) => each.run_id === run_id)?.status).toBe(first);
      const { values } = await client.threads.getState(thread);
      const questions = told(values).filter((line) => line.startsWith("human: "));
      expect(questions).toEqual(asked.map((verb) => `human: ${verb} ${thread}`));
      const isPaid = first === "success";
      expect(await callsOf(thread)("pay")).toHaveLength(isPaid ? 1 : 0);
    },
  );

  it("keeps away another process from the folder", async () => {
    await expect(worked.server()).rejects.toThrow(
      /another process has it open\. One process at a time can use a folder/,
    );
  }, 60_000);

  it("refuses to delete everything, and pages and names that are not its own", async () => {
    const post = (path: string, headers: Readonly<Record<string, string>>) =>
      fetch(`${server.url}${path}`, { method: "POST", body: "{}", headers });
    const json = { "content-type": "application/json" };
    expect((await post("/internal/truncate", json)).status).toBe(403);
    expect((await post("/threads/search", json)).status).toBe(200);
    const foreign = await post("/threads", { ...json, origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    const asked = await fetch(`${server.url}/threads`, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    });
    for (const { headers } of [foreign, asked]) {
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${server.url}/info`, { headers: { host: "evil.example" } });
      sent.on("response", ({ statusCode }) => resolve(statusCode)).on("error", reject);
      sent.end();
    });
    expect(status).toBe(403);
  });

  it("tells pages of an allowed origin where their runs are", async () => {
    const { thread_id: thread } = await server.client.threads.create();
    const run = await fetch(`${server.url}/threads/${thread}/runs/stream`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: page },
      body: JSON.stringify({ assistant_id: "worker", input: question("peek at it") }),
    });
    expect(run.headers.get("access-control-allow-origin")).toBe(page);
    const exposed = run.headers.get("access-control-expose-headers")?.toLowerCase().split(",");
    expect(exposed).toEqual(expect.arrayContaining(["content-location", "x-pagination-total"]));
    expect(run.headers.get("content-location")).toMatch(`/threads/${thread}/runs/`);
    await run.text();
  });

  it("goes on with its runs after it was killed", async () => {
    const { thread, input } = await begin(server.client, "pay");
    const waiting = await begin(server.client, "refund");
    await server.client.runs.wait(waiting.thread, "worker", { input: waiting.input });
    const { run_id } = await server.client.runs.create(thread, "worker", { input });
    await until(async () => (await callsOf(thread)("look")).length > 1, 20);
    await server.kill();
    expect(await callsOf(thread)("pay")).toEqual([]);
    server = await worked.server();
    const { client } = server;
    expect(told(await client.runs.join(thread, run_id)).at(-1)).toBe(`ai: done ${thread}`);
    expect(await callsOf(thread)("pay")).toHaveLength(1);
    expect((await callsOf(thread)("look")).length).toBeLessThanOrEqual(looks + 1);
    // What waited for a person waits as before.
    const approval = approvalOf(await client.threads.get(waiting.thread));
    expect(told(await client.runs.wait(waiting.thread, "worker", approval)).at(-1)).toBe(
      "ai: refunded",
    );
  }, 90_000);

  it("gives its runs back when it is stopped, and goes on with them at its next start", async () => {
    await server.stop();
    server = await worked.server({ drainMs: 300, leaseMs: 600_000 });
    const { thread, input } = await begin(server.client, "pay");
    const { run_id } = await server.client.runs.create(thread, "worker", { input });
    await until(async () => (await callsOf(thread)("look")).length > 1, 20);
    await server.stop();
    expect(await callsOf(thread)("pay")).toEqual([]);
    await sleep(100);
    server = await worked.server();
    expect(told(await server.client.runs.join(thread, run_id)).at(-1)).toBe(`ai: done ${thread}`);
    expect(await callsOf(thread)("pay")).toHaveLength(1);
  }, 90_000);
});
