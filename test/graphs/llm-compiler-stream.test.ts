import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, INTERRUPT, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { type AgentEvent, createLlmCompilerGraph, withPolicy } from "../../src/index.js";
import { fault, type ServerReply } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { finishWith, planText, readingTools, stepOf } from "../support/plans.js";
import { client, serve } from "../testing/client.js";

const ask = { messages: [new HumanMessage("What does tea cost?")] };
const thread = { configurable: { thread_id: "1" } };

type Options = Parameters<typeof createLlmCompilerGraph>[0];

/** Runs the graph through the real client, and tells what came in which order. */
async function eventsOf(replies: ServerReply[], options: Options) {
  const server = await serve({ replies });
  const graph = createLlmCompilerGraph({ models: client(server), ...options });
  const events: AgentEvent[] = [];
  for await (const event of await graph.stream(ask, { streamMode: "custom" })) events.push(event);
  const order = events.map(
    (event) => `${event.type}${"callId" in event ? ` ${event.callId}` : ""}`,
  );
  return { events, order, server };
}

/** Padding that keeps the planner writing. */
const later = Array.from({ length: 6 }, (_, at) => stepOf("stock", `tea ${at}`));

describe("a plan that streams in", () => {
  it("is run from its first step on, while the rest is written", async () => {
    const { tools, runs } = readingTools("price", "stock");
    const text = planText(stepOf("price", "tea"), stepOf("stock", "{{E1}}"), ...later);
    const { events, order } = await eventsOf([fault.slow(text, 4), finishWith("3")], { tools });
    const written = order.indexOf("model_finished");
    expect(order.indexOf("tool_finished E1")).toBeLessThan(written);
    expect(order.indexOf("tool_finished E2")).toBeLessThan(written);
    expect(order.indexOf("plan_made")).toBeLessThan(order.indexOf("tool_started E1"));
    const planned = events.flatMap((event) => (event.type === "plan_made" ? event.steps : []));
    expect(planned.map(({ id }) => id)).toEqual(["E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8"]);
    expect(runs).toHaveLength(8);
  });

  it.each([
    { name: "the JSON form", text: planText(stepOf("price", "tea"), ...later) },
    {
      name: "LLMCompiler text",
      text: `1. price(item="tea")\n${later.map((_, at) => `${at + 2}. stock(item="tea ${at}")`).join("\n")}\n${later.length + 2}. join()`,
    },
    {
      name: "ReWOO text",
      text: `Plan: Look. #E1 = price[tea]\n${later.map((_, at) => `Plan: Next. #E${at + 2} = stock[tea ${at}]`).join("\n")}`,
    },
    {
      name: "a plan behind thoughts",
      text: `<think>1. price(item="milk")\n2. join()</think>${planText(stepOf("price", "tea"), ...later)}`,
    },
  ])("starts early in $name", async ({ text }) => {
    const { tools, runs } = readingTools("price", "stock");
    const { order } = await eventsOf([fault.slow(text, 4), finishWith("3")], { tools });
    expect(order.indexOf("tool_finished E1")).toBeLessThan(order.indexOf("model_finished"));
    expect(runs).toEqual(["price tea", ...later.map((_, at) => `stock tea ${at}`)]);
  });

  it.each([
    { name: "writes", policy: { effect: "write" }, isPassed: false },
    { name: "may be repeated", policy: { effect: "idempotent" }, isPassed: false },
    { name: "has an effect that nobody stated", policy: {}, isPassed: true },
    {
      name: "may need approval",
      policy: { effect: "read", needsApproval: () => false },
      isPassed: true,
    },
  ] as const)("waits for the whole plan before it runs a tool that $name", async (given) => {
    const { policy, isPassed } = given;
    const { tools, runs } = countingTools("price", "stock");
    const [price, stock] = tools;
    if (price === undefined || stock === undefined) throw new Error("no tools");
    const text = planText(stepOf("price", "tea"), stepOf("price", "{{E1}}"), ...later);
    const own = [withPolicy(price, policy), withPolicy(stock, { effect: "read" })];
    const { order } = await eventsOf([fault.slow(text, 2), finishWith("3")], { tools: own });
    const written = order.indexOf("model_finished");
    expect(order.indexOf("tool_started E1")).toBeGreaterThan(written);
    expect(order.indexOf("tool_started E2")).toBeGreaterThan(written);
    // What reads starts early, unless something that may change what it reads stands before it.
    expect(order.indexOf("tool_finished E3") < written).toBe(isPassed);
    expect(runs).toHaveLength(8);
  });

  it("does not start a step that is not valid by itself, nor what needs it", async () => {
    const { tools, runs } = readingTools("price", "stock");
    const bad = planText(
      stepOf("weight", "tea"),
      stepOf("stock", "{{E1}}"),
      stepOf("stock", "milk"),
      ...later,
    );
    const good = planText(
      stepOf("price", "tea"),
      stepOf("stock", "{{E1}}"),
      stepOf("stock", "milk"),
    );
    const { events } = await eventsOf([fault.slow(bad, 2), good, finishWith("3")], { tools });
    expect(runs.filter((run) => run === "stock milk")).toHaveLength(1);
    expect(runs.filter((run) => run === "price tea")).toHaveLength(1);
    expect(runs).toContain("stock price of tea");
    expect(events.at(-1)).toMatchObject({ outcome: { status: "answered" } });
  });

  it("keeps what has begun when its stream is cut, and asks for the rest", async () => {
    const { tools, runs } = readingTools("price", "stock");
    const text = planText(stepOf("price", "tea"), ...later);
    const replies = [fault.brokenStream(text, 30), text, finishWith("3")];
    const { events, server } = await eventsOf(replies, { tools });
    expect(runs).toEqual(["price tea", ...later.map((_, at) => `stock tea ${at}`)]);
    expect(server.requests).toHaveLength(3);
    expect(events.at(-1)).toMatchObject({ outcome: { status: "answered" } });
  });

  it("runs both where the plan asked for again differs from what has begun", async () => {
    const { tools, runs } = readingTools("price", "stock");
    const text = planText(stepOf("price", "tea"), ...later);
    const other = planText(stepOf("price", "milk"), stepOf("stock", "{{E1}}"));
    const { server, order } = await eventsOf(
      [fault.brokenStream(text, 9), other, finishWith("3")],
      { tools },
    );
    expect(runs).toEqual(["price tea", "price milk", "stock price of milk"]);
    expect(order.filter((each) => each.startsWith("tool_finished"))).toEqual(
      ["E1", "E2", "E3"].map((id) => `tool_finished ${id}`),
    );
    expect(server.requests).toHaveLength(3);
  });

  it("goes to the joiner with what has begun when no whole plan comes", async () => {
    const { tools, runs } = readingTools("price", "stock");
    const text = planText(stepOf("price", "tea"), ...later);
    const cut = () => fault.brokenStream(text, 9);
    const { events, server } = await eventsOf([cut(), cut(), cut(), finishWith("3")], { tools });
    expect(server.requests[3]?.text).toMatch(/its rest did not come: .*(broke off|not available)/);
    expect(runs).toEqual(["price tea"]);
    expect(events.at(-1)).toMatchObject({
      outcome: { status: "answered" },
      content: { answer: "3" },
    });
  });

  it("makes a call once that a planner writes over and over, until the whole plan is there", async () => {
    const { tools, runs } = readingTools("price");
    const round = planText(...Array.from({ length: 20 }, () => stepOf("price", "tea")));
    const cut = () => fault.brokenStream(round, 60);
    const { events } = await eventsOf([cut(), cut(), cut(), finishWith("3")], { tools });
    expect(runs).toEqual(["price tea"]);
    expect(events.at(-1)).toMatchObject({ outcome: { status: "answered" } });
  });

  it.each([
    { limit: "tokens", limits: { tokens: 11 } },
    { limit: "costUsd", limits: { costUsd: 0.000_01 } },
  ])("keeps what began before its own use of $limit was known", async ({ limit, limits }) => {
    const { tools, runs } = countingTools("price", "stock");
    const [price, stock] = tools;
    if (price === undefined || stock === undefined) throw new Error("no tools");
    const text = planText(stepOf("price", "tea"), stepOf("stock", "{{E1}}"), ...later);
    const plan = fault.slow({ text, usage: { input: 10, output: 1 } }, 4);
    const { events, server } = await eventsOf([plan], {
      tools: [withPolicy(price, { effect: "read" }), stock],
      limits,
      prices: { any: { input: 1, output: 0 } },
      earlyStopping: "force",
    });
    expect(runs).toEqual(["price tea"]);
    expect(events.at(-1)).toMatchObject({
      outcome: { status: "limit", limit },
      content: { answer: expect.stringContaining("price of tea") },
    });
    expect(server.requests).toHaveLength(1);
  });

  it("is planned once when its run pauses, and runs no early step twice", async () => {
    const { tools, runs } = readingTools("price", "stock");
    const buy = tool(
      ({ item }) => {
        runs.push(`buy ${item}`);
        return "bought";
      },
      { name: "buy", description: "Buys.", schema: z.object({ item: z.string() }) },
    );
    const text = planText(stepOf("price", "tea"), stepOf("buy", "tea"), ...later);
    const server = await serve({ replies: [fault.slow(text, 2), finishWith("3")] });
    const graph = createLlmCompilerGraph({
      models: client(server),
      tools: [...tools, withPolicy(buy, { needsApproval: true })],
      checkpointer: new MemorySaver(),
    });
    const paused = await graph.invoke(ask, thread);
    expect(isInterrupted(paused) && paused[INTERRUPT]).toHaveLength(1);
    const result = await graph.invoke(
      new Command({ resume: { decisions: [{ type: "approve" }] } }),
      thread,
    );
    expect(result).toMatchObject({
      outcome: { status: "answered" },
      usage: { modelCalls: 2, toolCalls: 8 },
    });
    expect(runs.toSorted()).toEqual(
      ["buy tea", "price tea", ...later.map((_, at) => `stock tea ${at}`)].toSorted(),
    );
    expect(server.requests).toHaveLength(2);
  });

  it("does not hang on a tool that throws, and tells the joiner of it", async () => {
    const { tools } = readingTools("price");
    const broken = withPolicy(
      tool(
        () => {
          throw new Error("no connection to the shop");
        },
        { name: "stock", description: "Gives the stock.", schema: z.object({ item: z.string() }) },
      ),
      { effect: "read", retry: { attempts: 1, baseMs: 1 } },
    );
    const text = planText(
      stepOf("stock", "tea"),
      stepOf("price", "{{E1}}"),
      stepOf("price", "tea"),
    );
    const { server, events } = await eventsOf([fault.slow(text, 2), finishWith("3")], {
      tools: [...tools, broken],
    });
    const told = JSON.stringify(server.requests[1]?.body?.messages);
    expect(told).toContain("FAILED");
    expect(told).toContain("(skipped): it needs the result of E1");
    expect(events.at(-1)).toMatchObject({ outcome: { status: "answered" } });
  });
});
