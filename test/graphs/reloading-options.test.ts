import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph, createReloadingGraph, createRewooGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";

const pay = { messages: [{ role: "user" as const, content: "Pay it." }] };

const foreignGraph = () => ({ invoke: async () => ({ usage: undefined }) });

describe("options", () => {
  it.each([
    {
      name: "no read",
      options: { create: () => createReactGraph() },
      told: /read: expected a fun/,
    },
    { name: "no create", options: { read: () => 1 }, told: /create: expected a function/ },
    {
      name: "a release that is none",
      options: { read: () => 1, create: () => createReactGraph(), release: "now" },
      told: /release: expected a function, got "now"/,
    },
    {
      name: "a misspelt name",
      options: { read: () => 1, create: () => createReactGraph(), chekpointer: true },
      told: /Did you mean checkpointer/,
    },
  ])("are refused: $name", ({ options, told }) => {
    expect(() => Reflect.apply(createReloadingGraph, undefined, [options])).toThrow(told);
  });

  it.each([
    {
      name: "functions",
      read: () => ({ run: () => 1 }),
      told: /expected definitions in plain JSON/,
    },
    { name: "nothing", read: () => undefined, told: /plain JSON, got undefined/ },
    { name: "a map", read: () => new Map([["a", 1]]), told: /plain JSON/ },
  ])("definitions that are $name are refused", async ({ read, told }) => {
    const graph = createReloadingGraph<unknown>({ read, create: () => createReactGraph() });
    await expect(graph.invoke(pay)).rejects.toThrow(told);
  });

  it("a graph of somebody else is refused", async () => {
    const graph = Reflect.apply(createReloadingGraph, undefined, [
      { read: () => 1, create: foreignGraph },
    ]);
    await expect(graph.invoke(pay)).rejects.toMatchObject({ code: "not_a_plangraph" });
  });
});

describe("the graph that is made", () => {
  it("has its own limits, which a context lowers", async () => {
    let n = 0;
    const models = scriptedModel(() => ({ toolCalls: [{ name: "count", args: { n: (n += 1) } }] }));
    const count = tool(() => "1", {
      name: "count",
      description: "Counts.",
      schema: z.object({ n: z.number() }),
    });
    const graph = createReloadingGraph({
      read: () => 1,
      create: () =>
        createReactGraph({
          models,
          tools: [count],
          limits: { modelCalls: 150, toolCalls: 500 },
        }),
    });
    const most = await graph.invoke(pay);
    expect(most.outcome).toMatchObject({ status: "limit", limit: "modelCalls" });
    expect(most.usage.modelCalls).toBeGreaterThanOrEqual(150);
    const few = await graph.invoke(pay, { context: { limits: { modelCalls: 3 } } });
    expect(few.usage.modelCalls).toBeLessThanOrEqual(4);
  });

  it("may plan: its steps and usage are those of the run", async () => {
    const plan = ["Plan: add", "#E1 = add[1]"].join("\n");
    const add = tool(() => "2", {
      name: "add",
      description: "Adds one.",
      schema: z.object({ n: z.string() }),
    });
    const graph = createReloadingGraph({
      read: () => 1,
      create: () => createRewooGraph({ models: scriptedModel([plan, "It is 2."]), tools: [add] }),
    });
    const { answer, steps, usage, observations } = await graph.invoke(pay);
    expect(answer).toBe("It is 2.");
    expect(steps).toHaveLength(1);
    expect(observations).toHaveLength(1);
    expect(usage.modelCalls).toBe(2);
  });
});
