import { once } from "node:events";

import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { type AgentEvent, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import {
  type CreatePlanning,
  planningGraphs,
  type PlanningOptions,
} from "../support/planning-graphs.js";
import { planText, type PlannedStep, stepOf } from "../support/plans.js";
import { requestText } from "../support/request-text.js";

const ask = { messages: [{ role: "user" as const, content: "What does tea cost?" }] };
const thread = { configurable: { thread_id: "1" } };
const schema = z.object({ item: z.string() });

/** A tool that throws, whatever it is. */
function throwing(thrown: unknown) {
  return tool(
    () => {
      throw thrown;
    },
    { name: "broken", description: "Fails.", schema },
  );
}

/** A tool that hears the signal it was given, and ends with nothing else. */
function listeningTool() {
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
  return { heard, listening };
}

/** Runs a plan of the tools `price`, `stock` and those given, and says what the model was told that answers. */
async function planned(
  create: CreatePlanning,
  steps: readonly PlannedStep[],
  { tools = [], ...options }: PlanningOptions,
) {
  const counting = countingTools("price", "stock");
  using models = scriptedModel([planText(...steps), "Told."]);
  const graph = create({ ...options, models, tools: [...counting.tools, ...tools] });
  const result = await graph.invoke(ask);
  return { result, runs: counting.runs, told: requestText(models.calls[1]) };
}

const skipped = (of: string) => `Error (skipped): it needs the result of ${of}, which has none.`;
const outOfOrder = "Error (internal): out of order";

const failing: readonly {
  name: string;
  steps: readonly PlannedStep[];
  contents: readonly string[];
}[] = [
  {
    name: "the last one",
    steps: [stepOf("price", "tea"), stepOf("broken", "{{E1}}")],
    contents: ["price of tea", outOfOrder],
  },
  {
    name: "one in the middle, with what needs it and what needs that",
    steps: [
      stepOf("price", "tea"),
      stepOf("broken", "{{E1}}"),
      stepOf("stock", "{{E2}}"),
      stepOf("stock", "{{E3}} of {{E1}}"),
      stepOf("stock", "{{E1}}"),
    ],
    contents: ["price of tea", outOfOrder, skipped("E2"), skipped("E3"), "stock of price of tea"],
  },
  {
    name: "one that another only waits for",
    steps: [stepOf("broken", "tea"), stepOf("price", "tea", "E1"), stepOf("stock", "tea")],
    contents: [outOfOrder, skipped("E1"), "stock of tea"],
  },
  {
    name: "all of them",
    steps: [stepOf("broken", "tea"), stepOf("broken", "milk"), stepOf("price", "{{E1}}{{E2}}")],
    contents: [outOfOrder, outOfOrder, skipped("E1")],
  },
];

describe.each(planningGraphs)("the graph $name", ({ create, running }) => {
  it.each(failing)(
    "a plan fails in $name: the rest is finished, and the model that answers is told",
    async (row) => {
      const tools = [throwing(new TypeError("out of order"))];
      const { result, told } = await planned(create, row.steps, { tools });
      expect(result).toMatchObject({ answer: "Told.", outcome: { status: "answered" } });
      expect(result.observations.map(({ content }) => content)).toEqual(row.contents);
      for (const [at, content] of row.contents.entries()) {
        const failed = content.startsWith("Error") ? "FAILED. " : "";
        expect(told).toContain(`\nE${at + 1}: ${failed}${content}`);
      }
    },
  );

  it("a step that is skipped is told of as one that ran", async () => {
    const { tools } = countingTools("price");
    using models = scriptedModel([
      planText(stepOf("broken", "tea"), stepOf("price", "{{E1}}")),
      "Told.",
    ]);
    const all = [...tools, throwing(new TypeError("out of order"))];
    const graph = create({ models, tools: all, checkpointer: new MemorySaver() });
    const events: AgentEvent[] = [];
    const config = { ...thread, streamMode: "custom" as const };
    for await (const event of await graph.stream(ask, config)) events.push(event);
    expect(events.filter((event) => "callId" in event && event.callId === "E2")).toMatchObject([
      { type: "tool_started", tool: "price", node: running },
      { type: "tool_finished", node: running, ok: false, attempts: 0, error: "skipped" },
    ]);
  });

  it("a path that a result does not have is told, with the step that was to use it", async () => {
    const stock = tool(() => ({ items: [] }), { name: "list", description: "Lists.", schema });
    const steps = [stepOf("list", "tea"), stepOf("price", "{{E1.items[0].name}}")];
    const { result, runs, told } = await planned(create, steps, { tools: [stock] });
    expect(result.observations[1]).toMatchObject({
      ok: false,
      error: { kind: "invalid_arguments" },
    });
    expect(told).toMatch(/E2: FAILED\. Error \(invalid_arguments\): .*items\[0\]/);
    expect(runs).toEqual([]);
  });

  it.each([
    { name: "a text", thrown: "out of tea", says: "out of tea" },
    { name: "null", thrown: null, says: "null" },
    { name: "undefined", thrown: undefined, says: "undefined" },
    { name: "an object", thrown: { code: 7, message: "out of tea" }, says: "out of tea" },
    { name: "an object without words", thrown: { code: 7 }, says: "an error without a message" },
    { name: "a number", thrown: 7, says: "7" },
  ])("a tool that throws $name fails its step alone", async ({ thrown, says }) => {
    const steps = [stepOf("broken", "tea"), stepOf("price", "{{E1}}"), stepOf("stock", "tea")];
    const { result, runs } = await planned(create, steps, { tools: [throwing(thrown)] });
    expect(result.observations.map(({ ok }) => ok)).toEqual([false, false, true]);
    expect(result.observations[0]?.content).toContain(says);
    expect(result.outcome).toEqual({ status: "answered" });
    expect(runs).toEqual(["stock tea"]);
  });

  it("a tool that never returns is given up after its time, and hears of it", async () => {
    const { heard, listening } = listeningTool();
    const steps = [stepOf("listening", "tea"), stepOf("price", "{{E1}}"), stepOf("stock", "tea")];
    const tools = [withPolicy(listening, { timeoutMs: 20 })];
    const { result, runs, told } = await planned(create, steps, { tools });
    expect(result.observations.map(({ error }) => error?.kind)).toEqual([
      "timeout",
      "skipped",
      undefined,
    ]);
    expect(told).toContain("E1: FAILED. Error (timeout): the tool did not answer in time");
    expect(heard).toEqual(["tea"]);
    expect(runs).toEqual(["stock tea"]);
  });

  describe.each([
    { name: "with a checkpointer", checkpointed: true },
    { name: "without one", checkpointed: false },
  ])("in the middle of a plan, $name,", ({ checkpointed }) => {
    const middle = [
      stepOf("price", "tea"),
      stepOf("listening", "milk"),
      stepOf("listening", "{{E1}}"),
      stepOf("stock", "{{E2}}"),
    ];
    const kept = () => (checkpointed ? { checkpointer: new MemorySaver() } : {});

    it("a deadline reaches every step that runs, and the results that were there are kept", async () => {
      const { heard, listening } = listeningTool();
      const { tools, runs } = countingTools("price", "stock");
      using models = scriptedModel([planText(...middle)]);
      const graph = create({
        models,
        tools: [...tools, listening],
        limits: { seconds: 1 },
        earlyStopping: "force",
        ...kept(),
      });
      const result = await graph.invoke(ask, thread);
      expect(result.outcome).toEqual({ status: "limit", limit: "seconds" });
      expect(heard).toEqual(["milk", "price of tea"]);
      expect(runs).toEqual(["price tea"]);
      expect(result.observations.map(({ ok, error }) => (ok ? "ok" : error?.kind))).toEqual([
        "ok",
        "timeout",
        "timeout",
        "skipped",
      ]);
      expect(result.answer).toContain('- price({"item":"tea"}): price of tea');
    });

    it("an abort reaches every step that runs, and ends the run", async () => {
      const { heard, listening } = listeningTool();
      const { tools, runs } = countingTools("price", "stock");
      const abort = new AbortController();
      const stop = tool(
        () => {
          abort.abort();
          return "stopped";
        },
        { name: "stop", description: "Calls the run off.", schema },
      );
      using models = scriptedModel([planText(...middle, stepOf("stop", "{{E1}}"))]);
      const graph = create({ models, tools: [...tools, listening, stop], ...kept() });
      const config = { ...thread, signal: abort.signal };
      await expect(graph.invoke(ask, config)).rejects.toThrow(/abort/i);
      expect(heard).toEqual(["milk", "price of tea"]);
      expect(runs).toEqual(["price tea"]);
    });
  });

  describe("a run that was called off", () => {
    /** A tool that calls its run off the first time. */
    const stopping = () => {
      const abort = new AbortController();
      const starts: string[] = [];
      const stop = tool(
        async ({ item }, { signal }) => {
          starts.push(item);
          if (starts.length > 1) return `stop of ${item}`;
          abort.abort();
          if (signal?.aborted === false) await once(signal, "abort");
          return "too late";
        },
        { name: "stop", description: "Calls the run off, once.", schema },
      );
      return { abort, starts, stop };
    };

    it.each([
      { name: "with the steps that had no result", needsApproval: false },
      { name: "without asking people once more", needsApproval: true },
    ])("goes on $name", async ({ needsApproval }) => {
      const { tools, runs } = countingTools("price", "stock");
      const { abort, starts, stop } = stopping();
      using models = scriptedModel([
        planText(stepOf("price", "tea"), stepOf("stop", "{{E1}}"), stepOf("stock", "{{E2}}")),
        "Done.",
      ]);
      const checkpointer = new MemorySaver();
      const toolPolicies = { price: { needsApproval } };
      const graph = create({ models, tools: [...tools, stop], toolPolicies, checkpointer });
      if (needsApproval) await graph.invoke(ask, thread);
      const resume = { decisions: [{ type: "approve" }] };
      const config = { ...thread, signal: abort.signal };
      const begun = needsApproval
        ? graph.invoke(new Command({ resume }), config)
        : graph.invoke(ask, config);
      await expect(begun).rejects.toThrow(/abort/i);
      const result = await graph.invoke(null, thread);
      expect(result).toMatchObject({ answer: "Done.", usage: { modelCalls: 2, toolCalls: 3 } });
      expect(starts).toEqual(["price of tea", "price of tea"]);
      expect(runs).toEqual(["price tea", "stock stop of price of tea"]);
    });
  });
});
