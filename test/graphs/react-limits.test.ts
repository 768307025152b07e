import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph, type Limits } from "../../src/index.js";
import { type ModelAnswer, scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";

const question = { messages: [{ role: "user" as const, content: "go" }] };

/** A model that asks for ever new calls, and answers when it has no tools. */
function restless(perTurn = 1, answer = "What I know.") {
  let at = 0;
  return scriptedModel((_, { tools }): ModelAnswer => {
    if (tools.length === 0) return { text: answer, usage: { input: 10, output: 1 } };
    const toolCalls = Array.from({ length: perTurn }, () => ({
      name: "price",
      args: { item: `item ${(at += 1)}` },
    }));
    return { toolCalls, usage: { input: 10, output: 1 } };
  });
}

const cases: { limits: Limits; limit: string; models: number; tools: number; perTurn?: number }[] =
  [
    { limits: { modelCalls: 3 }, limit: "modelCalls", models: 3, tools: 3 },
    { limits: { toolCalls: 3 }, limit: "toolCalls", models: 4, tools: 3 },
    { limits: { toolCalls: 3 }, limit: "toolCalls", models: 2, tools: 3, perTurn: 2 },
    { limits: { tokens: 33 }, limit: "tokens", models: 3, tools: 2 },
    { limits: { modelCalls: 0 }, limit: "modelCalls", models: 0, tools: 0 },
  ];

describe.each(cases)(
  "limits $limits with $perTurn calls a turn",
  ({ limits, limit, models, tools, perTurn }) => {
    it("end the run with an answer from what is known, and one call more for it", async () => {
      const model = restless(perTurn);
      const counting = countingTools("price");
      const graph = createReactGraph({ models: model, tools: counting.tools, limits });
      const result = await graph.invoke(question);
      expect(result.outcome).toEqual({ status: "limit", limit });
      expect(result.answer).toBe("What I know.");
      expect(result.messages.at(-1)).toMatchObject({ type: "ai", text: "What I know." });
      expect(counting.runs).toHaveLength(tools);
      expect(model.calls).toHaveLength(models + 1);
      expect(result.usage.modelCalls).toBe(models + 1);
      expect(result.observations.filter(({ ok }) => ok)).toHaveLength(tools);
    });

    it("with early stopping by force say so with the results, and make no further call", async () => {
      const model = restless(perTurn);
      const counting = countingTools("price");
      const graph = createReactGraph({
        models: model,
        tools: counting.tools,
        limits,
        earlyStopping: "force",
      });
      const result = await graph.invoke(question);
      expect(result.outcome).toEqual({ status: "limit", limit });
      expect(model.calls).toHaveLength(models);
      expect(result.answer).toMatch(/I had to stop before I was done/);
      for (const run of counting.runs) expect(result.answer).toContain(`price of ${run.slice(6)}`);
      expect(result.messages.at(-1)?.type).toBe("ai");
    });
  },
);

it("a run that needs exactly its limits is answered", async () => {
  const { tools } = countingTools("price");
  const models = scriptedModel([
    { toolCalls: [{ name: "price", args: { item: "tea" } }] },
    { toolCalls: [{ name: "price", args: { item: "milk" } }] },
    "Both.",
  ]);
  const graph = createReactGraph({ models, tools, limits: { modelCalls: 3, toolCalls: 2 } });
  expect((await graph.invoke(question)).outcome).toEqual({ status: "answered" });
});

it("time is over also inside a tool that does not listen, and finished work is kept", async () => {
  const { tools } = countingTools("price");
  const deaf = tool(() => new Promise<string>(() => undefined), {
    name: "deaf",
    description: "Deaf.",
    schema: z.object({}),
  });
  const models = scriptedModel([
    {
      toolCalls: [
        { name: "price", args: { item: "tea" } },
        { name: "deaf", args: {} },
      ],
    },
    "Tea costs something.",
  ]);
  const graph = createReactGraph({ models, tools: [...tools, deaf], limits: { seconds: 1 } });
  const result = await graph.invoke(question);
  expect(result.outcome).toEqual({ status: "limit", limit: "seconds" });
  expect(result.answer).toBe("Tea costs something.");
  expect(result.observations).toMatchObject([
    { ok: true },
    { ok: false, error: { kind: "timeout" } },
  ]);
});

it("time is over also inside a model call", async () => {
  const models = scriptedModel([{ text: "late", delayMs: 30_000 }]);
  const graph = createReactGraph({ models, limits: { seconds: 0.3 }, earlyStopping: "force" });
  const result = await graph.invoke(question);
  expect(result.outcome).toEqual({ status: "limit", limit: "seconds" });
});

it("a cost limit needs prices, and holds with them", async () => {
  const { tools } = countingTools("price");
  const limits = { costUsd: 0.000_025 };
  const unpriced = createReactGraph({ models: restless(), tools, limits });
  await expect(unpriced.invoke(question)).rejects.toThrow(/limits.costUsd needs the price of/);
  const model = restless();
  const prices = { [model.model]: { input: 1, output: 0 } };
  const result = await createReactGraph({ models: model, tools, limits, prices }).invoke(question);
  expect(result.outcome).toEqual({ status: "limit", limit: "costUsd" });
  expect(result.usage.costUsd).toBeCloseTo(0.000_04, 9);
});

it("limits from the run's context win over the graph's options", async () => {
  const { tools } = countingTools("price");
  const graph = createReactGraph({ models: restless(), tools, limits: { modelCalls: 50 } });
  const result = await graph.invoke(question, { context: { limits: { modelCalls: 2 } } });
  expect(result.outcome).toEqual({ status: "limit", limit: "modelCalls" });
});

it("a wrong context is refused with its path", async () => {
  const graph = createReactGraph({ models: restless() });
  const context = { limits: { modelCalls: "many" } };
  await expect(graph.invoke(question, { context })).rejects.toThrow(/context\.limits\.modelCalls/);
});

it("sixty tool steps fit into the default limits", async () => {
  const { runs, tools } = countingTools("price");
  let at = 0;
  const models = scriptedModel((): ModelAnswer =>
    at < 60
      ? { toolCalls: [{ name: "price", args: { item: `item ${(at += 1)}` } }] }
      : "All sixty.",
  );
  const result = await createReactGraph({ models, tools }).invoke(question);
  expect(result).toMatchObject({ answer: "All sixty.", outcome: { status: "answered" } });
  expect(runs).toHaveLength(60);
});
