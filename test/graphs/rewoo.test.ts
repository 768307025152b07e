import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, INTERRUPT, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { type AgentEvent, createRewooGraph, type PersonRequests } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";

const ask = { messages: [new HumanMessage("What does tea cost?")] };
const thread = { configurable: { thread_id: "1" } };

type Planned = { tool: string; args: Record<string, unknown>; after?: string[] };

/** A plan as a planner writes it, with ids in order. */
const plan = (...steps: Planned[]) =>
  JSON.stringify({
    steps: steps.map((step, at) => ({ id: `E${at + 1}`, thought: "Next.", ...step })),
  });
const step = (name: string, item: string): Planned => ({ tool: name, args: { item } });

describe("the graph rewoo", () => {
  it("makes two model calls, however many steps the plan has", async () => {
    const { tools, runs } = countingTools("price", "stock");
    using models = scriptedModel([
      plan(step("price", "tea"), step("stock", "tea"), step("stock", "{{E1}} and {{E2}}")),
      "Tea costs 3.",
    ]);
    const result = await createRewooGraph({ models, tools }).invoke(ask);

    expect(result).toMatchObject({
      answer: "Tea costs 3.",
      outcome: { status: "answered" },
      usage: { modelCalls: 2, toolCalls: 3 },
    });
    expect(runs).toEqual(["price tea", "stock tea", "stock price of tea and stock of tea"]);
    expect(result.observations.map(({ callId }) => callId)).toEqual(["E1", "E2", "E3"]);
    expect(result.steps.map(({ id }) => id)).toEqual(["E1", "E2", "E3"]);
    const told = models.calls[1]?.messages.at(-1)?.text;
    expect(told).toContain("E3: stock of price of tea and stock of tea");
  });

  it("runs steps side by side that do not need one another, and keeps a reference's type", async () => {
    const order: string[] = [];
    const wait = tool(
      async ({ ms }) => {
        order.push(`start ${ms}`);
        await new Promise((resolve) => setTimeout(resolve, ms));
        order.push(`end ${ms}`);
        return { ms, next: ms + 1 };
      },
      { name: "wait", description: "Waits.", schema: z.object({ ms: z.number() }) },
    );
    using models = scriptedModel([
      plan(
        { tool: "wait", args: { ms: 600 } },
        { tool: "wait", args: { ms: 5 } },
        { tool: "wait", args: { ms: "{{E2.next}}" }, after: [] },
      ),
      "Done.",
    ]);
    await createRewooGraph({ models, tools: [wait] }).invoke(ask);
    expect(order).toEqual(["start 600", "start 5", "end 5", "start 6", "end 6", "end 600"]);
  });

  it("skips what a failed step was needed for, and finishes the rest", async () => {
    const { tools, runs } = countingTools("price", "stock");
    const broken = tool(
      () => {
        throw new Error("out of order");
      },
      { name: "broken", description: "Fails.", schema: z.object({ item: z.string() }) },
    );
    using models = scriptedModel([
      plan(step("broken", "tea"), step("price", "{{E1}}"), step("stock", "tea")),
      "I do not know the price.",
    ]);
    const result = await createRewooGraph({ models, tools: [...tools, broken] }).invoke(ask);
    expect(runs).toEqual(["stock tea"]);
    expect(result.observations.map(({ ok, error }) => [ok, error?.kind])).toEqual([
      [false, "rejected"],
      [false, "skipped"],
      [true, undefined],
    ]);
    expect(models.calls[1]?.messages.at(-1)?.text).toContain(
      "E1: FAILED. Error (rejected): out of",
    );
  });

  it("sends a plan back that cannot run, and goes on as ReAct does when none comes", async () => {
    const { tools, runs } = countingTools("price");
    const wrong = plan(step("weight", "tea"));
    using models = scriptedModel([
      wrong,
      wrong,
      wrong,
      { toolCalls: [{ name: "price", args: { item: "tea" } }] },
      "Tea costs 3.",
    ]);
    const events: AgentEvent[] = [];
    const graph = createRewooGraph({ models, tools });
    for await (const event of await graph.stream(ask, { streamMode: "custom" })) events.push(event);
    expect(models.calls[1]?.messages.at(-1)?.text).toContain(
      'E1: expected one of the tools price, llm, got "weight"',
    );
    expect(events).toContainEqual(expect.objectContaining({ type: "degraded", to: "react" }));
    expect(events.at(-1)).toMatchObject({ content: { answer: "Tea costs 3." } });
    expect(runs).toEqual(["price tea"]);
  });

  it("ends with the answer of a planner that answers", async () => {
    const { tools, runs } = countingTools("price");
    using models = scriptedModel(['{"answer":"Tea costs 3, as everybody knows."}']);
    const { answer, usage } = await createRewooGraph({ models, tools }).invoke(ask);
    expect([answer, usage.modelCalls]).toEqual(["Tea costs 3, as everybody knows.", 1]);
    expect(runs).toEqual([]);
  });

  it("reads a plan in the paper's own text", async () => {
    const { tools, runs } = countingTools("price", "stock");
    using models = scriptedModel([
      "Plan: Look up the price. #E1 = price[tea]\nPlan: Look up the stock. #E2 = stock[#E1]",
      "Tea costs 3.",
    ]);
    await createRewooGraph({ models, tools }).invoke(ask);
    expect(runs).toEqual(["price tea", "stock price of tea"]);
  });

  it("lets a step reason over earlier results", async () => {
    const { tools } = countingTools("price");
    using models = scriptedModel([
      plan(step("price", "tea"), { tool: "llm", args: { prompt: "Is {{E1}} much?" } }),
      "Not much.",
      "Tea is cheap.",
    ]);
    const result = await createRewooGraph({ models, tools }).invoke(ask);
    expect(result).toMatchObject({ answer: "Tea is cheap.", usage: { modelCalls: 3 } });
    expect(models.calls[1]?.messages.at(-1)?.text).toBe("Is price of tea much?");
    expect(result.observations[1]).toMatchObject({
      content: "Not much.",
      usage: { modelCalls: 1 },
    });
  });

  it("has arguments written anew once that a result does not fit", async () => {
    const { tools } = countingTools("price");
    const count = tool(({ amount }) => `${amount * 2}`, {
      name: "double",
      description: "Doubles an amount.",
      schema: z.object({ amount: z.number() }),
    });
    using models = scriptedModel([
      plan(step("price", "tea"), { tool: "double", args: { amount: "{{E1}}" } }),
      '{"amount":3}',
      "Twice the price is 6.",
    ]);
    const result = await createRewooGraph({ models, tools: [...tools, count] }).invoke(ask);
    expect(result.observations[1]).toMatchObject({ args: { amount: 3 }, content: "6", ok: true });
    expect(result.usage).toMatchObject({ modelCalls: 3, toolCalls: 2 });
    const asked = models.calls[1]?.messages.map(({ text }) => text).join("\n");
    expect(asked).toContain("E1: price of tea");
    expect(asked).toContain('The arguments were meant to be {"amount":"<E1>"}');
  });
});

describe("people in a plan", () => {
  const policies = { toolPolicies: { price: { needsApproval: true } } };
  const script = () =>
    scriptedModel([
      plan(
        step("stock", "tea"),
        step("price", "tea"),
        step("price", "oats"),
        step("stock", "{{E2}}"),
      ),
      "Done.",
    ]);

  it("are asked together, when nothing else can run, and finished steps are not run again", async () => {
    const { tools, runs } = countingTools("price", "stock");
    using models = script();
    const checkpointer = new MemorySaver();
    const graph = createRewooGraph({ models, tools, ...policies, checkpointer });
    const paused = await graph.invoke(ask, thread);
    const requests = isInterrupted<PersonRequests>(paused)
      ? paused[INTERRUPT][0]?.value
      : undefined;
    expect(requests?.action_requests.map(({ args }) => args)).toEqual([
      { item: "tea" },
      { item: "oats" },
    ]);
    expect(runs).toEqual(["stock tea"]);

    const resume = { decisions: [{ type: "approve" }, { type: "reject", message: "no oats" }] };
    const done = await graph.invoke(new Command({ resume }), thread);
    expect(done).toMatchObject({ answer: "Done.", usage: { modelCalls: 2, toolCalls: 3 } });
    expect(runs).toEqual(["stock tea", "price tea", "stock price of tea"]);
    expect(done.observations[2]).toMatchObject({ callId: "E3", ok: false });
  });

  it("are asked by the outcome where nothing can pause, and the run goes on with their decisions", async () => {
    const { tools, runs } = countingTools("price", "stock");
    using models = script();
    const graph = createRewooGraph({ models, tools, ...policies });
    const asked = await graph.invoke(ask);
    expect(asked.outcome?.status).toBe("needs_input");
    const decisions = [{ type: "approve" as const }, { type: "approve" as const }];
    const done = await graph.invoke({ ...asked, decisions });
    expect(done.answer).toBe("Done.");
    expect(runs).toEqual(["stock tea", "price tea", "price oats", "stock price of tea"]);
  });
});

it("runs writes one after another, in plan order, on record before they start", async () => {
  const { tools, runs } = countingTools("order", "price");
  using models = scriptedModel([
    plan(
      step("order", "tea"),
      step("price", "tea"),
      step("order", "{{E1}}"),
      step("order", "oats"),
    ),
    "Done.",
  ]);
  const toolPolicies = { order: { effect: "write" as const } };
  const graph = createRewooGraph({ models, tools, toolPolicies, checkpointer: new MemorySaver() });
  expect((await graph.invoke(ask, thread)).answer).toBe("Done.");
  expect(runs).toEqual(["order tea", "price tea", "order order of tea", "order oats"]);
});

it("starts anew with the second question of a thread", async () => {
  const { tools, runs } = countingTools("price");
  using models = scriptedModel([
    plan(step("price", "tea")),
    "Tea costs 3.",
    plan(step("price", "oats")),
    "Oats cost 2.",
  ]);
  const graph = createRewooGraph({ models, tools, checkpointer: new MemorySaver() });
  await graph.invoke(ask, thread);
  const second = await graph.invoke({ messages: [new HumanMessage("And oats?")] }, thread);
  expect(second).toMatchObject({ answer: "Oats cost 2.", usage: { modelCalls: 2, toolCalls: 1 } });
  expect(second.observations).toHaveLength(1);
  expect(runs).toEqual(["price tea", "price oats"]);
});

it("ends at a limit with what is known", async () => {
  const { tools, runs } = countingTools("price");
  using models = scriptedModel([plan(step("price", "tea"), step("price", "oats"))]);
  const graph = createRewooGraph({
    models,
    tools,
    limits: { toolCalls: 1 },
    earlyStopping: "force",
    concurrency: 1,
  });
  const { outcome, answer } = await graph.invoke(ask);
  expect(outcome).toEqual({ status: "limit", limit: "toolCalls" });
  expect(answer).toContain("price of tea");
  expect(runs).toEqual(["price tea"]);
});
