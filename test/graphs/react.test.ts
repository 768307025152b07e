import { tool } from "@langchain/core/tools";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { askUser, createReactGraph, handOff, ToolError, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";

const ask = (content: string) => ({ messages: [{ role: "user" as const, content }] });

const sameCall = (item: string) => ({ name: "price", args: { item }, id: "same" });

const direct = (work: () => string) =>
  withPolicy(tool(work, { name: "direct", description: "Direct.", schema: z.object({}) }), {
    returnDirect: true,
  });

describe("a ReAct run", () => {
  it("thinks, acts, observes and answers, with exactly the calls it needs", async () => {
    const { runs, tools } = countingTools("price");
    const models = scriptedModel([
      {
        toolCalls: [{ name: "price", args: { item: "tea" }, id: "a" }],
        usage: { input: 50, output: 5 },
      },
      {
        toolCalls: [{ name: "price", args: { item: "milk" }, id: "b" }],
        usage: { input: 60, output: 6 },
      },
      { text: "Tea and milk.", usage: { input: 70, output: 7 } },
    ]);
    const result = await createReactGraph({ models, tools }).invoke(ask("prices?"));
    expect(result.answer).toBe("Tea and milk.");
    expect(result.outcome).toEqual({ status: "answered" });
    expect(result.messages.map(({ type, text }) => `${type}: ${text}`)).toEqual([
      "human: prices?",
      "ai: ",
      "tool: price of tea",
      "ai: ",
      "tool: price of milk",
      "ai: Tea and milk.",
    ]);
    expect(result.observations).toMatchObject([
      {
        callId: "a",
        tool: "price",
        args: { item: "tea" },
        ok: true,
        content: "price of tea",
        attempts: 1,
      },
      { callId: "b", tool: "price", args: { item: "milk" }, ok: true, content: "price of milk" },
    ]);
    expect(result.usage).toMatchObject({
      modelCalls: 3,
      toolCalls: 2,
      tokensIn: 180,
      tokensOut: 18,
    });
    expect(result.usage.byRole).toHaveProperty("executor");
    expect(runs).toHaveLength(2);
    models.assertExhausted();
  });

  it("answers every call of a turn, in the order called, whatever fails", async () => {
    const sometimes = tool(
      async ({ n }) => {
        await new Promise((resolve) => setTimeout(resolve, 10 * (10 - n)));
        if (n % 3 === 0) throw new ToolError("rejected", `no ${n}`);
        return `did ${n}`;
      },
      { name: "work", description: "Works.", schema: z.object({ n: z.number() }) },
    );
    const models = scriptedModel([
      {
        toolCalls: Array.from({ length: 10 }, (_, n) => ({
          name: "work",
          args: { n },
          id: `c${n}`,
        })),
      },
      "Some failed.",
    ]);
    const result = await createReactGraph({ models, tools: [sometimes] }).invoke(ask("work"));
    const tools = result.messages.filter(({ type }) => type === "tool");
    expect(tools.map(({ text }) => text)).toEqual(
      Array.from({ length: 10 }, (_, n) =>
        n % 3 === 0 ? `Error (rejected): no ${n}` : `did ${n}`,
      ),
    );
    expect(result.observations.map(({ callId }) => callId)).toEqual(
      Array.from({ length: 10 }, (_, n) => `c${n}`),
    );
  });

  it("runs reads side by side and writes in the order called, each after what stands before it", async () => {
    const order: string[] = [];
    const slow = (name: string, ms: number) =>
      tool(
        async () => {
          order.push(`${name} starts`);
          await new Promise((resolve) => setTimeout(resolve, ms));
          order.push(`${name} ends`);
          return name;
        },
        { name, description: name, schema: z.object({}) },
      );
    const writes = [slow("write_a", 30), slow("write_b", 5)].map((one) =>
      withPolicy(one, { effect: "write" }),
    );
    const models = scriptedModel([
      { toolCalls: ["write_a", "read_a", "read_b", "write_b"].map((name) => ({ name, args: {} })) },
      "Done.",
    ]);
    const tools = [...writes, slow("read_a", 30), slow("read_b", 5)];
    const result = await createReactGraph({ models, tools }).invoke(ask("go"));
    expect(order).toEqual([
      "write_a starts",
      "write_a ends",
      "read_a starts",
      "read_b starts",
      "read_b ends",
      "read_a ends",
      "write_b starts",
      "write_b ends",
    ]);
    expect(result.observations.map(({ tool: name }) => name)).toEqual([
      "write_a",
      "read_a",
      "read_b",
      "write_b",
    ]);
  });

  it("at most `concurrency` calls run at once", async () => {
    let now = 0;
    let most = 0;
    const busy = tool(
      async ({ n }) => {
        most = Math.max(most, (now += 1));
        await new Promise((resolve) => setTimeout(resolve, 5));
        now -= 1;
        return String(n);
      },
      { name: "busy", description: "Busy.", schema: z.object({ n: z.number() }) },
    );
    const toolCalls = Array.from({ length: 12 }, (_, n) => ({ name: "busy", args: { n } }));
    const models = scriptedModel([{ toolCalls }, "Done."]);
    await createReactGraph({ models, tools: [busy], concurrency: 3 }).invoke(ask("go"));
    expect(most).toBe(3);
  });

  it("makes empty and doubled call ids unique", async () => {
    const { tools } = countingTools("price");
    const models = scriptedModel([
      { toolCalls: [sameCall("tea"), sameCall("milk")] },
      { toolCalls: [sameCall("salt")] },
      "Done.",
    ]);
    const result = await createReactGraph({ models, tools }).invoke(ask("go"));
    expect(new Set(result.observations.map(({ callId }) => callId)).size).toBe(3);
    expect(result.messages.filter(({ type }) => type === "tool").map(({ text }) => text)).toEqual([
      "price of tea",
      "price of milk",
      "price of salt",
    ]);
  });
});

describe("return-direct tools", () => {
  it("end the run with their result, without another model call", async () => {
    const models = scriptedModel([{ toolCalls: [{ name: "direct", args: {} }] }]);
    const result = await createReactGraph({ models, tools: [direct(() => "42")] }).invoke(
      ask("go"),
    );
    expect(result).toMatchObject({ answer: "42", outcome: { status: "answered" } });
    expect(result.messages.at(-1)).toMatchObject({ type: "ai", text: "42" });
  });

  it("do not end it when they failed, or were called beside others", async () => {
    const failing = direct(() => {
      throw new Error("broken");
    });
    const once = scriptedModel([{ toolCalls: [{ name: "direct", args: {} }] }, "It is broken."]);
    const first = await createReactGraph({ models: once, tools: [failing] }).invoke(ask("go"));
    expect(first.answer).toBe("It is broken.");
    const { tools } = countingTools("price");
    const toolCalls = [
      { name: "direct", args: {} },
      { name: "price", args: { item: "tea" } },
    ];
    const twice = scriptedModel([{ toolCalls }, "Both."]);
    const second = await createReactGraph({
      models: twice,
      tools: [direct(() => "42"), ...tools],
    }).invoke(ask("go"));
    expect(second.answer).toBe("Both.");
  });
});

it("hand_off ends the run with its reason and summary", async () => {
  const args = { reason: "The customer wants a person.", summary: "Order 7 is late." };
  const models = scriptedModel([{ toolCalls: [{ name: "hand_off", args }] }]);
  const result = await createReactGraph({ models, tools: [handOff] }).invoke(
    ask("a person, please"),
  );
  expect(result.outcome).toEqual({
    status: "handed_off",
    reason: "The customer wants a person.",
    summary: "Order 7 is late.",
  });
  expect(result.messages.at(-1)?.type).toBe("ai");
});

it("gives the answer in the caller's form as structuredResponse", async () => {
  const responseFormat = z.object({ city: z.string(), people: z.number() });
  const models = scriptedModel(["Nairobi has 4.4 million.", '{"city":"Nairobi","people":4400000}']);
  const result = await createReactGraph({ models, responseFormat }).invoke(ask("Nairobi?"));
  expect(result.structuredResponse).toEqual({ city: "Nairobi", people: 4_400_000 });
  expect(result.answer).toBe("Nairobi has 4.4 million.");
});

it("the prompt carries the caller's words and one date line from the run's clock and zone", async () => {
  const models = scriptedModel(["Hello."]);
  const now = Date.parse("2026-03-01T23:30:00Z");
  const clock = { now: () => now, sleep: async () => {}, random: () => 0 };
  const graph = createReactGraph({
    models,
    clock,
    timeZone: "Asia/Tokyo",
    prompts: { agent: "Be brief." },
  });
  await graph.invoke({
    messages: [
      { role: "system", content: "Speak French." },
      { role: "user", content: "hi" },
    ],
  });
  const sent = models.calls[0]?.messages ?? [];
  expect(sent[0]?.text).toBe(
    "Be brief.\n\nSpeak French.\n\nToday is Monday, 2026-03-02 (Asia/Tokyo).",
  );
  expect(sent.map(({ type }) => type)).toEqual(["system", "human"]);
});

it("hand_off ends the run although another call of the turn asks the user", async () => {
  const toolCalls = [
    { name: "ask_user", args: { question: "Who are you?" } },
    { name: "hand_off", args: { reason: "A person is needed." } },
  ];
  const models = scriptedModel([{ toolCalls }]);
  const result = await createReactGraph({ models, tools: [askUser, handOff] }).invoke(ask("help"));
  expect(result.outcome).toMatchObject({ status: "handed_off", reason: "A person is needed." });
});

it.each([
  { name: "a model of its own", context: { model: "claude-sonnet" } },
  { name: "what is none of ours", context: { model: { name: "x" }, protocol: "https", limits: 3 } },
])("a host graph's own context is not taken for ours: $name", async ({ context }) => {
  const react = createReactGraph({ models: scriptedModel(["Hello.", "Hello again."]) });
  const host = new StateGraph(MessagesAnnotation, z.looseObject({}))
    .addNode("react", react)
    .addNode("caller", ({ messages }, config) => react.invoke({ messages }, config))
    .addEdge(START, "react")
    .addEdge("react", "caller")
    .addEdge("caller", END)
    .compile();
  const result = await host.invoke(ask("hi"), { context });
  expect(result.messages.at(-1)?.text).toBe("Hello again.");
});
