import { HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { type AgentEvent, createLlmCompilerGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { finishWith, planText, readingTools, replanFor, stepOf } from "../support/plans.js";

const ask = { messages: [new HumanMessage("What does tea cost?")] };

describe("the graph llm-compiler", () => {
  it("plans, runs the steps and joins them, with two model calls", async () => {
    const { tools, runs } = readingTools("price", "stock");
    using models = scriptedModel([
      planText(stepOf("price", "tea"), stepOf("stock", "{{E1}}")),
      finishWith("Tea costs 3."),
    ]);
    const result = await createLlmCompilerGraph({ models, tools }).invoke(ask);

    expect(result).toMatchObject({
      answer: "Tea costs 3.",
      outcome: { status: "answered" },
      usage: { modelCalls: 2, toolCalls: 2 },
      replans: 0,
    });
    expect(runs).toEqual(["price tea", "stock price of tea"]);
    expect(result.messages.at(-1)?.text).toBe("Tea costs 3.");
    expect(models.calls[1]?.messages.at(-2)?.text).toContain("E2: stock of price of tea");
  });

  it("goes on with the numbering when the joiner wants more, and refers to earlier results", async () => {
    const { tools, runs } = readingTools("price", "stock");
    using models = scriptedModel([
      planText(stepOf("price", "tea")),
      replanFor("The stock is missing."),
      planText(stepOf("stock", "tea"), stepOf("stock", "{{E1}}")),
      finishWith("Tea costs 3."),
    ]);
    const result = await createLlmCompilerGraph({ models, tools }).invoke(ask);

    expect(result).toMatchObject({ outcome: { status: "answered" }, replans: 1 });
    expect(runs).toEqual(["price tea", "stock tea", "stock stock of tea"]);
    expect(result.steps.map(({ id }) => id)).toEqual(["E1", "E2", "E3"]);
    const asked = models.calls[2]?.messages.map(({ text }) => text).join("\n");
    expect(asked).toContain("The stock is missing.");
    expect(asked).toContain("from the id E2 on");
    expect(asked).toContain("write {{E1}}");
  });

  it("takes a step that a new plan names again for the one that is done", async () => {
    const { tools, runs } = readingTools("price", "stock");
    using models = scriptedModel([
      planText(stepOf("price", "tea")),
      replanFor("The stock is missing."),
      planText(stepOf("price", "tea"), stepOf("stock", "{{E1}}")),
      finishWith("Tea costs 3."),
    ]);
    const result = await createLlmCompilerGraph({ models, tools }).invoke(ask);
    expect(runs).toEqual(["price tea", "stock price of tea"]);
    expect(result.steps.map(({ id }) => id)).toEqual(["E1", "E2"]);
  });

  it("runs a failed step again under a new id", async () => {
    const { tools, runs } = readingTools("price");
    using models = scriptedModel([
      planText(stepOf("price", "tea"), {
        tool: "price",
        args: { item: "{{E1.none}}" },
      }),
      "I cannot tell.",
      replanFor("E2 failed."),
      planText({ ...stepOf("price", "{{E1}}"), id: "E2" }),
      finishWith("Tea costs 3."),
    ]);
    const result = await createLlmCompilerGraph({ models, tools }).invoke(ask);
    expect(runs).toEqual(["price tea", "price price of tea"]);
    expect(result.observations.map(({ callId, ok }) => [callId, ok])).toEqual([
      ["E1", true],
      ["E2", false],
      ["E3", true],
    ]);
  });

  it.each([
    { name: "is the same", second: planText(stepOf("price", "milk")) },
    { name: "names nothing but what is done", second: planText(stepOf("price", "tea")) },
    { name: "cannot run", second: planText(stepOf("weight", "tea")), replies: 3 },
  ])("ends with what is known when the new plan $name", async ({ second, replies = 1 }) => {
    const { tools, runs } = readingTools("price");
    const first = planText(stepOf("price", "tea"));
    using models = scriptedModel([
      first,
      replanFor("Milk is missing."),
      ...(replies === 3
        ? []
        : [planText({ ...stepOf("price", "milk"), id: "E2" }), replanFor("Again.")]),
      ...Array.from({ length: replies }, () => second),
      "Tea costs 3, more is not known.",
    ]);
    const result = await createLlmCompilerGraph({ models, tools }).invoke(ask);
    expect(result).toMatchObject({
      outcome: { status: "limit", limit: "replans", reason: expect.any(String) },
      answer: "Tea costs 3, more is not known.",
    });
    expect(runs.filter((run) => run === "price tea")).toHaveLength(1);
  });

  it.each([
    { limit: 0, plans: 1 },
    { limit: 1, plans: 2 },
    { limit: 2, plans: 3 },
  ])("replaces the plan $limit times at most where that is the limit", async ({ limit, plans }) => {
    const { tools, runs } = readingTools("price");
    const planned = Array.from({ length: plans }, (_, at) => [
      planText(stepOf("price", `tea ${at}`)),
      replanFor("More."),
    ]);
    using models = scriptedModel([...planned.flat(), "That is all I know."]);
    const graph = createLlmCompilerGraph({ models, tools, limits: { replans: limit } });
    const result = await graph.invoke(ask);
    expect(result.outcome).toMatchObject({ status: "limit", limit: "replans" });
    expect(result.answer).toBe("That is all I know.");
    expect(runs).toHaveLength(plans);
  });

  it("goes on as ReAct does when no plan comes that can run, and tells of it", async () => {
    const { tools } = readingTools("price");
    using models = scriptedModel([
      ...Array.from({ length: 3 }, () => planText(stepOf("weight", "tea"))),
      { toolCalls: [{ name: "price", args: { item: "tea" } }] },
      "Tea costs 3.",
    ]);
    const events: AgentEvent[] = [];
    const graph = createLlmCompilerGraph({ models, tools });
    for await (const event of await graph.stream(ask, { streamMode: "custom" })) events.push(event);
    expect(events.filter(({ type }) => type === "degraded")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ outcome: { status: "answered" } });
  });

  it("ends with the answer of a planner that plans nothing", async () => {
    using models = scriptedModel(['{"steps":[],"answer":"Tea costs 3."}']);
    const { tools } = readingTools("price");
    const result = await createLlmCompilerGraph({ models, tools }).invoke(ask);
    expect(result).toMatchObject({ answer: "Tea costs 3.", outcome: { status: "answered" } });
    expect(result.steps).toEqual([]);
  });

  it("makes a plan of its own for the second question on a thread", async () => {
    const { tools, runs } = readingTools("price");
    using models = scriptedModel([
      planText(stepOf("price", "tea")),
      replanFor("Milk is missing."),
      planText({ ...stepOf("price", "milk"), id: "E2" }),
      finishWith("3 and 4."),
      planText(stepOf("price", "tea")),
      finishWith("Still 3."),
    ]);
    const checkpointer = new MemorySaver();
    const graph = createLlmCompilerGraph({ models, tools, checkpointer });
    const thread = { configurable: { thread_id: "1" } };
    await graph.invoke(ask, thread);
    const second = await graph.invoke({ messages: [new HumanMessage("And now?")] }, thread);
    expect(second).toMatchObject({ answer: "Still 3.", replans: 0, objective: "And now?" });
    expect(second.steps.map(({ id }) => id)).toEqual(["E1"]);
    expect(runs).toEqual(["price tea", "price milk", "price tea"]);
  });
});
