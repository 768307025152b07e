import { once } from "node:events";

import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createLlmCompilerGraph, type Limits, withPolicy } from "../../src/index.js";
import { fault } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { finishWith, planText, readingTools, stepOf } from "../support/plans.js";
import { client, serve } from "../testing/client.js";

const ask = { messages: [{ role: "user" as const, content: "What does tea cost?" }] };
const thread = { configurable: { thread_id: "1" } };
const schema = z.object({ item: z.string() });

const planOf = (item: string) =>
  planText(stepOf("price", item), stepOf("stop", "{{E1}}"), stepOf("stock", "{{E2}}"));

/** A graph whose planner falls silent in the middle of its plan, and what its tools did and heard. */
async function silenced({ limits, kept }: { readonly limits?: Limits; readonly kept: boolean }) {
  const { tools: reading, runs } = readingTools("price");
  const { tools: others, runs: late } = countingTools("stock");
  const heard: string[] = [];
  const listening = tool(
    async ({ item }, { signal }) => {
      if (signal === undefined) throw new Error("no signal");
      if (!signal.aborted) await once(signal, "abort");
      heard.push(item);
      return "too late";
    },
    { name: "listening", description: "Waits for its end.", schema },
  );
  const abort = new AbortController();
  const stop = tool(
    () => {
      abort.abort();
      return "stopped";
    },
    { name: "stop", description: "Calls the run off.", schema },
  );
  const begun = [stepOf("price", "tea"), stepOf("listening", "{{E1}}")];
  const last = limits === undefined ? stepOf("stop", "{{E1}}") : stepOf("price", "{{E2}}");
  const unwritten = Array.from({ length: 8 }, (_, at) => stepOf("stock", `tea ${at}`));
  const server = await serve({
    replies: [fault.stalledStream(planText(...begun, last, ...unwritten))],
  });
  const graph = createLlmCompilerGraph({
    models: client(server),
    tools: [
      ...reading,
      ...others,
      withPolicy(listening, { effect: "read" }),
      withPolicy(stop, { effect: "read" }),
    ],
    limits,
    earlyStopping: "force",
    ...(kept ? { checkpointer: new MemorySaver() } : {}),
  });
  return { graph, server, runs, late, heard, signal: abort.signal };
}

describe.each([
  { name: "with a checkpointer", kept: true },
  { name: "without one", kept: false },
])("while a plan is written, $name,", ({ kept }) => {
  it("a deadline reaches every step that runs, and the results that were there are kept", async () => {
    const { graph, server, runs, late, heard } = await silenced({ limits: { seconds: 1 }, kept });
    const result = await graph.invoke(ask, thread);
    expect(result.outcome).toEqual({ status: "limit", limit: "seconds" });
    expect(heard).toEqual(["price of tea"]);
    expect([runs, late]).toEqual([["price tea"], []]);
    expect(result.observations.map(({ ok, error }) => (ok ? "ok" : error?.kind))).toEqual([
      "ok",
      "timeout",
      "skipped",
    ]);
    expect(result.steps.map(({ id }) => id)).toEqual(["E1", "E2", "E3"]);
    expect(result.answer).toContain('- price({"item":"tea"}): price of tea');
    expect(server.requests).toHaveLength(1);
  });

  it("an abort reaches every step that runs, and ends the run", async () => {
    const { graph, server, runs, late, heard, signal } = await silenced({ kept });
    await expect(graph.invoke(ask, { ...thread, signal })).rejects.toThrow(/abort/i);
    expect(heard).toEqual(["price of tea"]);
    expect([runs, late]).toEqual([["price tea"], []]);
    expect(server.requests).toHaveLength(1);
  });
});

describe("a run that was called off while its plan was written goes on", () => {
  it.each([
    {
      name: "with what was done, where the planner plans the same again",
      again: planOf("tea"),
      runs: ["price tea"],
      starts: ["price of tea", "price of tea"],
      result: "stock of stop of price of tea",
    },
    {
      name: "with another plan, where the planner writes one, and no result of the first",
      again: planOf("milk"),
      runs: ["price tea", "price milk"],
      starts: ["price of tea", "price of milk"],
      result: "stock of stop of price of milk",
    },
  ])("$name", async ({ again, runs, starts, result }) => {
    const { tools: reading, runs: made } = readingTools("price");
    const { tools: others, runs: late } = countingTools("stock");
    const abort = new AbortController();
    const begun: string[] = [];
    const stop = tool(
      async ({ item }, { signal }) => {
        begun.push(item);
        if (begun.length > 1) return `stop of ${item}`;
        abort.abort();
        if (signal?.aborted === false) await once(signal, "abort");
        return "too late";
      },
      { name: "stop", description: "Calls the run off, once.", schema },
    );
    const unwritten = Array.from({ length: 8 }, (_, at) => stepOf("stock", `tea ${at}`));
    const first = planText(stepOf("price", "tea"), stepOf("stop", "{{E1}}"), ...unwritten);
    const server = await serve({ replies: [fault.stalledStream(first), again, finishWith("3")] });
    const graph = createLlmCompilerGraph({
      models: client(server),
      tools: [...reading, ...others, withPolicy(stop, { effect: "read" })],
      checkpointer: new MemorySaver(),
    });
    await expect(graph.invoke(ask, { ...thread, signal: abort.signal })).rejects.toThrow(/abort/i);
    const done = await graph.invoke(null, thread);
    expect(done).toMatchObject({ answer: "3", outcome: { status: "answered" } });
    expect(done.observations.map(({ callId }) => callId)).toEqual(["E1", "E2", "E3"]);
    expect(done.observations[2]?.content).toBe(result);
    expect([made, begun, late]).toEqual([runs, starts, [result.replace("stock of", "stock")]]);
    expect(server.requests).toHaveLength(3);
  });
});
