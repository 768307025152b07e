import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createWorkflowGraph, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { shop } from "../support/workflow-shop.js";

const thread = { configurable: { thread_id: "1" } };

/** A write with a result that is too large to keep. */
function largeWrite() {
  let calls = 0;
  const large = withPolicy(
    tool(
      async () => {
        calls += 1;
        return { done: true, text: "x".repeat(1_100_000) };
      },
      { name: "large", description: "Writes much.", schema: z.object({}) },
    ),
    { effect: "write" },
  );
  return { large, calls: () => calls };
}

describe("a result that is too large to keep", () => {
  it.each([
    { in: "an output", output: "Report: {{b.text}}." },
    { in: "an output as it is", output: "{{b}}" },
  ])("is told, and never empty, in $in", async ({ output }) => {
    const { large } = largeWrite();
    const result = await createWorkflowGraph(
      { steps: { b: { tool: "large" } }, output },
      { tools: [large] },
    ).invoke({ input: {} });
    expect(result.outcome?.status).toBe("failed");
    expect(result.outcome?.reason).toMatch(/b has 11\d{5} characters/);
  });

  it("does not make a write run again", async () => {
    const { large, calls } = largeWrite();
    const result = await createWorkflowGraph(
      {
        steps: {
          b: {
            tool: "large",
            repeat: { until: { value: "{{result.done}}", target: true }, max: 4 },
          },
        },
      },
      { tools: [large] },
    ).invoke({ input: {} });
    expect(calls()).toBe(1);
    expect(result.outcome?.status).toBe("failed");
  });
});

describe("limits", () => {
  it("that end a pause end the run with that limit", async () => {
    const { tools, done } = shop();
    const result = await createWorkflowGraph(
      {
        steps: {
          sent: { tool: "send", args: { text: "x" } },
          poll: {
            tool: "find_order",
            args: { id: "A" },
            after: "sent",
            repeat: { until: { value: 1, target: 2 }, max: 3, seconds: 5 },
          },
        },
      },
      { tools, limits: { seconds: 1 } },
    ).invoke({ input: {} });
    expect(result.outcome).toMatchObject({ status: "limit", limit: "seconds" });
    expect(done).toEqual(["send x", "find A"]);
  });

  it("let no fallback stand for what they forbid, and nothing is written from it", async () => {
    const { tools, done } = shop();
    using models = scriptedModel(["one"]);
    const result = await createWorkflowGraph(
      {
        steps: {
          a: { prompt: "A" },
          b: { prompt: "B {{a}}", fallback: "sorry" },
          sent: { tool: "send", args: { text: "{{b}}" } },
        },
      },
      { tools, models, limits: { modelCalls: 1 } },
    ).invoke({ input: {} });
    expect(result.outcome).toMatchObject({ status: "limit", limit: "modelCalls" });
    expect(done).toEqual([]);
  });
});

describe("what stays as it is", () => {
  it.each(["1.10", "007", "true", "[1,2]", '{"a":1}', "null"])(
    "the text %s of a model",
    async (text) => {
      const { tools, done } = shop();
      using models = scriptedModel([text]);
      await createWorkflowGraph(
        { steps: { a: { prompt: "A" }, sent: { tool: "send", args: { text: "{{a}}" } } } },
        { tools, models },
      ).invoke({ input: {} });
      expect(done).toEqual([`send ${text}`]);
    },
  );

  it.each(["otherwise", "fallback"] as const)("null as %s", async (rule) => {
    const { tools, done } = shop();
    const left = {
      tool: "send",
      args: { text: "x" },
      when: { value: 1, target: 2 },
      otherwise: null,
    };
    const gone = { tool: "find_order", args: { id: "X" }, fallback: null };
    await createWorkflowGraph(
      {
        steps: {
          a: rule === "otherwise" ? left : gone,
          sent: {
            tool: "send",
            args: { text: "null it is" },
            when: { value: "{{a}}", target: null },
            otherwise: "",
          },
        },
      },
      { tools },
    ).invoke({ input: {} });
    expect(done).toContain("send null it is");
  });
});

describe("a run without anything new", () => {
  it.each([{ input: null }, { input: undefined }, {}, { messages: [] }])(
    "is refused and writes nothing: %j",
    async (again) => {
      const { tools, done } = shop();
      const graph = createWorkflowGraph(
        {
          input: { text: "text" },
          steps: { sent: { tool: "send", args: { text: "{{input.text}}" } } },
        },
        { tools, checkpointer: new MemorySaver() },
      );
      await graph.invoke({ input: { text: "once" } }, thread);
      const second: object = again;
      await expect(graph.invoke(second, thread)).rejects.toThrow(
        expect.objectContaining({ code: "invalid_input" }),
      );
      expect(done).toEqual(["send once"]);
    },
  );

  it.each(["hello", 7, ["x"]])("is refused for an input that is no object: %j", async (input) => {
    const graph = createWorkflowGraph({
      input: { text: "text" },
      steps: { a: { person: "{{input.text}}" } },
    });
    const given: object = { input };
    await expect(graph.invoke(given)).rejects.toThrow(/expected an object with the values by name/);
  });
});

it("pauses of one repetition hold up no other step", async () => {
  const slept: number[] = [];
  const { tools, done } = shop();
  const result = await createWorkflowGraph(
    {
      steps: {
        slow: {
          tool: "find_order",
          args: { id: "S" },
          repeat: { until: { value: 1, target: 2 }, max: 2, seconds: 30 },
          fallback: 0,
        },
        quick: {
          tool: "find_order",
          args: { id: "Q" },
          repeat: { until: { value: 1, target: 2 }, max: 4 },
          fallback: 0,
        },
      },
      output: "{{slow}} {{quick}}",
    },
    { tools, clock: { now: () => 0, random: () => 0, sleep: async (ms) => void slept.push(ms) } },
  ).invoke({ input: {} });
  expect(result.answer).toBe("0 0");
  expect(slept).toEqual([30_000]);
  expect(done.at(-1)).toBe("find S");
});
