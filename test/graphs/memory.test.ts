import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { type AgentEvent, createReactGraph, type Memory } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { counting, toldIn } from "../support/memory.js";
import { ask, call, priceTool, question } from "../support/middleware.js";

const userIn = (text: string) => /user\d+/.exec(text)?.[0];

describe("memory in a ReAct run", () => {
  it("is refreshed before every model call, at the end of the system message", async () => {
    const { price, runs } = priceTool();
    const model = scriptedModel([call("tea", "c1"), "3 euros."]);
    const order = counting("Order");
    const graph = createReactGraph({
      model,
      tools: [price],
      systemPrompt: "You are a shop.",
      memory: { profile: async () => "Member since 2021.", order: order.provide },
    });

    const { answer } = await graph.invoke(question);

    expect(answer).toBe("3 euros.");
    expect(runs).toEqual(["tea"]);
    expect(toldIn(model)).toEqual([
      "- profile: Member since 2021.\n- order: Order 1.",
      "- profile: Member since 2021.\n- order: Order 2.",
    ]);
    expect(model.calls[0]?.messages.filter(({ type }) => type === "system")).toHaveLength(1);
    expect(model.calls[0]?.messages[0]?.text).toMatch(/^You are a shop\./);
    expect(order.asked()).toBe(2);
  });

  it("says that a name is not known, never what was known before", async () => {
    const { price } = priceTool();
    const model = scriptedModel([call("tea", "c1"), call("milk", "c2"), "6 euros."]);
    const answers = ["Cake.", new Error("down"), "Milk."];
    const order = async () => {
      const next = answers.shift();
      if (typeof next === "string") return next;
      throw next;
    };
    const graph = createReactGraph({ model, tools: [price], memory: { order } });

    await graph.invoke(question);

    expect(toldIn(model)).toEqual([
      "- order: Cake.",
      "- order: unknown (the application could not look it up)",
      "- order: Milk.",
    ]);
  });

  it("waits for a slow provider no longer than memoryTimeoutMs", async () => {
    const model = scriptedModel(["Hello."]);
    const graph = createReactGraph({
      model,
      memory: { order: () => new Promise<string>(() => {}) },
      memoryTimeoutMs: 10,
    });

    await graph.invoke(question);

    expect(toldIn(model)).toEqual(["- order: unknown (the application could not look it up)"]);
  });

  it("ends with the caller's abort while it is read, and asks no model", async () => {
    const controller = new AbortController();
    const model = scriptedModel([]);
    const order = async () => {
      controller.abort(new Error("called off"));
      return new Promise<string>(() => {});
    };
    const graph = createReactGraph({ model, memory: { order } });

    await expect(graph.invoke(question, { signal: controller.signal })).rejects.toThrow(
      "called off",
    );
    expect(model.calls).toHaveLength(0);
  });

  it("tells its reading in an event, without ids", async () => {
    const model = scriptedModel(["Hello."]);
    const events: AgentEvent[] = [];
    const memory: Memory = {
      order: () => ({ text: "Cake.", ids: { orderId: "id-5521" } }),
      shop: () => {
        throw new Error("down");
      },
    };
    const graph = createReactGraph({
      model,
      memory,
      observers: [{ onEvent: (event) => events.push(event) }],
    });

    const { run } = await graph.invoke(question);

    const told = events.filter(({ type }) => type === "memory_read");
    expect(told).toMatchObject([
      {
        names: ["order", "shop"],
        failed: ["shop"],
        node: "agent",
        content: { texts: { order: "Cake." }, errors: { shop: "down" } },
      },
    ]);
    expect(JSON.stringify([events, model.calls])).not.toContain("id-5521");
    expect(run?.memory).toEqual({ order: { text: "Cake.", ids: { orderId: "id-5521" } } });
  });

  it("keeps content out of events at level metadata", async () => {
    const events: AgentEvent[] = [];
    const graph = createReactGraph({
      model: scriptedModel(["Hello."]),
      memory: { order: () => "Cake." },
      events: "metadata",
      observers: [{ onEvent: (event) => events.push(event) }],
    });

    await graph.invoke(question);

    expect(JSON.stringify(events)).not.toContain("Cake");
    expect(events.filter(({ type }) => type === "memory_read")).toHaveLength(1);
  });

  it("leaves requests and records as they are without providers", async () => {
    const ways = [{}, { memory: {} }];
    const seen = [];
    for (const way of ways) {
      const model = scriptedModel(["Hello."]);
      const { run } = await createReactGraph({ model, ...way }).invoke(question);
      expect(run).not.toHaveProperty("memory");
      seen.push(model.calls[0]?.messages.map(({ text }) => text));
    }
    expect(seen[0]).toEqual(seen[1]);
  });

  it("never mixes the users of one graph", async () => {
    const { price } = priceTool();
    const users = Array.from({ length: 20 }, (_, at) => `user${at}`);
    const model = scriptedModel(async (messages) => {
      const asked = messages.find(({ type }) => type === "human")?.text ?? "";
      const known = messages.find(({ type }) => type === "system")?.text ?? "";
      const [first, second] = [...known.matchAll(/user\d+/g)].map(([user]) => user);
      expect([first, second]).toEqual([userIn(asked), userIn(asked)]);
      return messages.at(-1)?.type === "tool" ? `Done, ${first}.` : call("tea", `c-${first}`);
    });
    const graph = createReactGraph({
      model,
      tools: [price],
      memory: {
        user: async ({ configurable }) => {
          await new Promise((done) => setTimeout(done, Math.random() * 5));
          return String(configurable["user"]);
        },
        context: ({ context }) => JSON.stringify(context),
      },
      contextSchema: z.object({ who: z.string() }),
    });

    const results = await Promise.all(
      users.map((user) =>
        graph.invoke(ask(`I am ${user}.`), { configurable: { user }, context: { who: user } }),
      ),
    );

    expect(results.map(({ answer }) => answer)).toEqual(users.map((user) => `Done, ${user}.`));
    expect(results.map(({ run }) => run?.memory?.["user"]?.text)).toEqual(users);
    expect(model.calls).toHaveLength(40);
  });
});

describe("grounded arguments", () => {
  it.each([
    { known: "The order is 5521.", ids: {}, runs: 1 },
    { known: "The order.", ids: { orderId: 5521 }, runs: 1 },
    { known: "The order is 5522.", ids: {}, runs: 0 },
  ])("may stand in the memory: $known $ids", async ({ known, ids, runs }) => {
    const refunded: string[] = [];
    const refund = tool(
      ({ orderId }) => {
        refunded.push(orderId);
        return "Refunded.";
      },
      { name: "refund", description: "Refunds.", schema: z.object({ orderId: z.string() }) },
    );
    const model = scriptedModel([
      { toolCalls: [{ name: "refund", args: { orderId: "5521" }, id: "c1" }] },
      "Done.",
    ]);
    const graph = createReactGraph({
      model,
      tools: [refund],
      toolPolicies: { refund: { grounded: ["orderId"] } },
      memory: { order: () => ({ text: known, ids }) },
    });

    await graph.invoke(question);

    expect(refunded).toHaveLength(runs);
  });
});
