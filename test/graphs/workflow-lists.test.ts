import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createWorkflowGraph } from "../../src/index.js";
import { shop } from "../support/workflow-shop.js";

describe("lists", () => {
  it("make a call for each item, with results in order", async () => {
    const { tools } = shop();
    const result = await createWorkflowGraph(
      {
        steps: {
          found: { tool: "find_order", args: { id: "A-1" } },
          sent: {
            tool: "send",
            args: { text: "{{item.name}} of {{found.id}}" },
            each: { list: "{{found.items}}", max: 5 },
          },
        },
        output: { all: "{{sent}}", second: "{{sent[1]}}" },
        returns: { all: { type: "list", of: "text" }, second: "text" },
      },
      { tools },
    ).invoke({ input: {} });
    expect(result.structuredResponse).toEqual({
      all: ["sent tea of A-1", "sent jam of A-1"],
      second: "sent jam of A-1",
    });
    expect(result.usage.toolCalls).toBe(3);
    expect(result.steps.map(({ id }) => id)).toEqual(["found", "sent", "sent-1", "sent-2"]);
  });

  const fifty = Array.from({ length: 50 }, (_, at) =>
    [6, 25, 49].includes(at) ? `X${at}` : `A${at}`,
  );

  it("keep 47 results of 50 with three failures, and fallbacks in their places", async () => {
    const { tools, done } = shop();
    const result = await createWorkflowGraph(
      {
        input: { ids: { type: "list", of: "text" } },
        steps: {
          found: {
            tool: "find_order",
            args: { id: "{{item}}" },
            each: { list: "{{input.ids}}", max: 50 },
            fallback: { id: "{{item}}", days: 0 },
          },
        },
        output: { found: "{{found}}" },
        returns: { found: "list" },
      },
      { tools },
    ).invoke({ input: { ids: fifty } });
    expect(result.outcome).toEqual({ status: "answered" });
    const { found } = z
      .object({ found: z.array(z.object({ id: z.string(), days: z.number() })) })
      .parse(result.structuredResponse);
    expect(found.map(({ id }) => id)).toEqual(fifty);
    expect(found.filter(({ days }) => days === 0)).toHaveLength(3);
    expect(done).toHaveLength(50);
  });

  it("fail with the failed items when there is no fallback, and lose no result", async () => {
    const result = await createWorkflowGraph(
      {
        input: { ids: "list" },
        steps: {
          found: {
            tool: "find_order",
            args: { id: "{{item}}" },
            each: { list: "{{input.ids}}", max: 50 },
          },
        },
      },
      { tools: shop().tools },
    ).invoke({ input: { ids: fifty } });
    expect(result.outcome).toEqual({
      status: "failed",
      reason:
        "A step failed: found: 3 of 50 failed: found-7, found-26, found-50. found-7: there is no order X6",
    });
    expect(result.observations.filter(({ ok }) => ok)).toHaveLength(47);
  });

  it.each([
    {
      name: "too many items",
      ids: ["a", "b", "c"],
      reason: "expected at most 2 items, got 3. None was begun.",
    },
    { name: "no list", ids: { a: 1 }, reason: "expected a list, got an object" },
  ])("begin nothing for $name", async ({ ids, reason }) => {
    const { tools, done } = shop();
    const add = tool(async () => ({ ids }), {
      name: "list",
      description: "Lists.",
      schema: z.object({}),
    });
    const result = await createWorkflowGraph(
      {
        steps: {
          all: { tool: "list" },
          found: {
            tool: "find_order",
            args: { id: "{{item}}" },
            each: { list: "{{all.ids}}", max: 2 },
          },
        },
      },
      { tools: [...tools, add] },
    ).invoke({ input: {} });
    expect(result.outcome?.reason).toContain(reason);
    expect(done).toEqual([]);
  });

  it("take a list in the file, and an empty one", async () => {
    const result = await createWorkflowGraph(
      {
        steps: {
          few: {
            tool: "send",
            args: { text: "{{item.to}}" },
            each: { list: [{ to: "a" }, { to: "b" }], max: 3 },
          },
          none: { tool: "send", args: { text: "{{item}}" }, each: { list: [], max: 3 } },
        },
        output: "{{few}} {{none}}",
      },
      { tools: shop().tools },
    ).invoke({ input: {} });
    expect(result.answer).toBe('["sent a","sent b"] []');
  });

  it("keep the order of writes around them", async () => {
    const { tools, done } = shop();
    await createWorkflowGraph(
      {
        steps: {
          found: { tool: "find_order", args: { id: "A-1" } },
          each: {
            tool: "send",
            args: { text: "{{item.name}}" },
            each: { list: "{{found.items}}", max: 5 },
          },
          last: { tool: "send", args: { text: "last" } },
        },
      },
      { tools },
    ).invoke({ input: {} });
    expect(done).toEqual(["find A-1", "send tea", "send jam", "send last"]);
  });
});

const counting = (max: number, more: object = {}) =>
  createWorkflowGraph(
    {
      steps: {
        count: {
          tool: "add",
          args: { to: "{{result.n}}" },
          repeat: {
            until: { value: "{{result.n}}", operator: ">=", target: 4 },
            max,
            start: { n: 0 },
          },
          ...more,
        },
      },
      output: "{{count.n}}",
    },
    { tools: shop().tools },
  ).invoke({ input: {} });

describe("repetitions", () => {
  it("end when their condition holds", async () => {
    expect(await counting(10)).toMatchObject({ answer: "4", usage: { toolCalls: 4 } });
  });

  it("fail when it never does", async () => {
    const { outcome, usage } = await counting(3);
    expect(outcome).toEqual({
      status: "failed",
      reason: "A step failed: count: what it waits for did not come: it was called 3 times.",
    });
    expect(usage.toolCalls).toBe(3);
  });

  it("may take their last result all the same", async () => {
    expect((await counting(3, { fallback: "{{result}}" })).answer).toBe("3");
  });

  it("wait between two rounds", async () => {
    const slept: number[] = [];
    const result = await createWorkflowGraph(
      {
        steps: {
          poll: {
            tool: "find_order",
            args: { id: "A" },
            repeat: { until: { value: 1, operator: "==", target: 2 }, max: 3, seconds: 5 },
            fallback: "gave up",
          },
        },
      },
      {
        tools: shop().tools,
        clock: { now: () => 0, random: () => 0, sleep: async (ms) => void slept.push(ms) },
      },
    ).invoke({ input: {} });
    expect(result.answer).toBe("gave up");
    expect(slept).toEqual([5_000, 5_000]);
  });
});
