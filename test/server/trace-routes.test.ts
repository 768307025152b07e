import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { MemorySaver } from "@langchain/langgraph";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { calculator, createRewooGraph } from "../../src/index.js";
import type { MaySee } from "../../src/server/pages/may-see.js";
import { traceRoutes } from "../../src/server/pages/trace-routes.js";
import { openTraces } from "../../src/server/pages/traces.js";
import { TraceFile, traceStore } from "../../src/tracing/index.js";

const folder = mkdtempSync(join(tmpdir(), "plangraph-routes-"));
const file = join(folder, "traces.db");
const traces = openTraces(file);

/** Who asks is in a header, as the owner of the only thread that it may see. */
const maySee: MaySee = (request, { threadId }) =>
  Promise.resolve(request.headers.get("x-user") === threadId);
const seeing = () => maySee;
const routes = traceRoutes(() => traces, seeing);

beforeAll(async () => {
  const store = await traceStore({ file });
  const graph = createRewooGraph({
    models: "offline",
    tools: [calculator],
    observers: [store],
    checkpointer: new MemorySaver(),
  });
  for (const thread_id of ["ann", "ben"]) {
    const messages = [{ role: "user" as const, content: "What is the square of 12?" }];
    await graph.invoke({ messages }, { configurable: { thread_id } });
  }
  store.close();
});
afterAll(() => {
  traces.close();
  rmSync(folder, { recursive: true });
});

const as = (user: string, rest: RequestInit = {}) => ({ ...rest, headers: { "x-user": user } });
const Runs = z.object({ runs: z.array(z.looseObject({ id: z.string(), threadId: z.string() })) });

async function runsOf(user: string, query = "") {
  const response = await routes.request(`/traces${query}`, as(user));
  return Runs.parse(await response.json()).runs;
}

async function idOf(user: string): Promise<string> {
  return (await runsOf(user))[0]?.id ?? "";
}

describe("traces", () => {
  it("are listed for who may see their threads, and for nobody else", async () => {
    expect((await runsOf("ann")).map(({ threadId }) => threadId)).toEqual(["ann"]);
    expect(await runsOf("carl")).toEqual([]);
    expect(await runsOf("ann", "?thread=ben")).toEqual([]);
  });

  it.each(["", "/test", "/workflow"])("of others are not there: RUN%s", async (part) => {
    const id = await idOf("ann");
    const response = await routes.request(`/traces/${id}${part}`, as("ben"));
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ message: `There is no run "${id}".` });
  });

  it("are not found by the beginning of an id", async () => {
    const id = await idOf("ann");
    expect((await routes.request(`/traces/${id.slice(0, 8)}`, as("ann"))).status).toBe(404);
  });

  it("come as many as were asked for, however many others have", async () => {
    expect(await runsOf("ann", "?limit=1")).toHaveLength(1);
    expect(await runsOf("ben", "?limit=1")).toHaveLength(1);
  });

  it("are looked through for a tool as far back as figures go, and no further", async () => {
    const name = join(folder, "many.db");
    const many = await TraceFile.open(name, { create: true });
    const callers = [0, 5, 499, 500, 640];
    many.transaction(() => {
      for (let back = 0; back < 700; back += 1) {
        const origin = { runId: `run-${back}`, node: "tools", at: 1_000 - back };
        const started = {
          ...origin,
          type: "run_started",
          graph: "react",
          threadId: "ann",
        } as const;
        many.add(origin.runId, { event: started });
        if (!callers.includes(back)) continue;
        const call = { callId: "c", tool: "rare", ok: true, ms: 1, attempts: 1 } as const;
        many.add(origin.runId, { event: { ...origin, ...call, type: "tool_finished" } });
      }
    });
    many.close();
    const kept = openTraces(name);
    const of = traceRoutes(() => kept, seeing);
    const response = await of.request("/traces?called=rare", as("ann"));
    const { runs } = Runs.parse(await response.json());
    expect(runs.map(({ id }) => id)).toEqual(["run-0", "run-5", "run-499"]);
    kept.close();
  });

  it("of others cannot be judged", async () => {
    const id = await idOf("ann");
    const body = JSON.stringify({ verdict: "bad" });
    const response = await routes.request(`/traces/${id}/mark`, as("ben", { method: "PUT", body }));
    expect(response.status).toBe(404);
    expect((await runsOf("ann"))[0]).not.toHaveProperty("mark");
  });

  it("have their events, and can be judged", async () => {
    const id = await idOf("ann");
    const response = await routes.request(`/traces/${id}`, as("ann"));
    expect(await response.json()).toMatchObject({ run: { id, status: "answered" } });
    const body = JSON.stringify({ verdict: "good", why: "144" });
    const marked = await routes.request(`/traces/${id}/mark`, as("ann", { method: "PUT", body }));
    expect(await marked.json()).toMatchObject({ run: { mark: { verdict: "good", why: "144" } } });
  });

  it.each([
    { part: "test", begins: "import { tool }" },
    { part: "workflow", begins: "#" },
  ])("become a $part", async ({ part, begins }) => {
    const response = await routes.request(`/traces/${await idOf("ann")}/${part}`, as("ann"));
    expect(await response.text()).toMatch(new RegExp(`^${begins}`));
  });

  it("have figures, of the runs that the caller may see", async () => {
    const response = await routes.request("/traces/health", as("ann"));
    expect(await response.json()).toMatchObject({
      runs: 1,
      statuses: { answered: 1 },
      models: [{ name: "offline", calls: 2, failed: 0 }],
      tools: [{ name: "calculator", calls: 1, failed: 0, errors: {} }],
      retrieval: [],
      isWhole: true,
    });
    const others = await routes.request("/traces/health", as("carl"));
    expect(await others.json()).toMatchObject({ runs: 0, models: [], costUsd: 0 });
  });

  it.each([
    { name: "a status that there is not", path: "/traces?status=great", status: 422 },
    { name: "a limit of nothing", path: "/traces?limit=0", status: 422 },
    { name: "a run that there is not", path: "/traces/nothing", status: 404 },
  ])("refuse $name", async ({ path, status }) => {
    const response = await routes.request(path, as("ann"));
    expect(response.status).toBe(status);
    expect(await response.json()).toHaveProperty("message");
  });

  it("refuse a judgement that is none", async () => {
    const path = `/traces/${await idOf("ann")}/mark`;
    for (const body of ['{"verdict":"great"}', "{", ""]) {
      expect((await routes.request(path, as("ann", { method: "PUT", body }))).status).toBe(422);
    }
  });

  it("say where there are none", async () => {
    const none = traceRoutes(() => undefined, seeing);
    const response = await none.request("/traces", as("ann"));
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      message: "This server keeps no traces: start it with --trace FILE.db.",
    });
  });

  it("are found once their file is there", async () => {
    const later = traceRoutes(() => openTraces(join(folder, "later.db")), seeing);
    expect((await later.request("/traces", as("ann"))).status).toBe(404);
  });
});
