import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";

import { createReactGraph } from "../../src/index.js";
import {
  fault,
  type ScriptedServer,
  type ServerReply,
  startScriptedServer,
} from "../../src/testing/index.js";
import { planningGraphs } from "../support/planning-graphs.js";
import { countingTools } from "../support/counting-tools.js";
import { timesOf } from "../support/rows.js";
import { planText } from "../support/plans.js";

const ask = { messages: [{ role: "user" as const, content: "go" }] };
const thread = { configurable: { thread_id: "1" } };
const names = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.close();
  vi.restoreAllMocks();
});

/** Nothing that every object has was added, taken away or changed. */
function expectCleanObjects() {
  expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(names);
  expect({}).not.toHaveProperty("polluted");
  expect([]).not.toHaveProperty("polluted");
}

/** The options of a graph whose model is a scripted server with these replies, through the real client. */
async function serving(...replies: readonly ServerReply[]) {
  server = await startScriptedServer({ replies, strictPairing: true });
  const environment = { OPENAI_API_KEY: "key-of-a-test", OPENAI_BASE_URL: server.url };
  return { models: "openai:scripted", environment };
}

const pollutions = [
  '{"item": "tea", "__proto__": {"polluted": true}}',
  '{"item": "tea", "constructor": {"prototype": {"polluted": true}}}',
  '{"item": {"__proto__": {"polluted": true}}}',
  '{"__proto__": null, "item": "tea"}',
  '{"item": "tea", "toString": 1, "hasOwnProperty": 2, "valueOf": null}',
  "{'item': 'tea', '__proto__': {'polluted': True},}",
];

describe("arguments that reach for the prototype", () => {
  it.each(pollutions)("harm nothing: %s", async (args) => {
    // LangChain's own message prints advice about packages when a call cannot be read.
    vi.spyOn(console, "warn").mockReturnValue();
    const { tools } = countingTools("price");
    const seen: unknown[] = [];
    const open = tool((given) => (seen.push(given), "ok"), {
      name: "open",
      description: "Takes anything.",
      schema: { type: "object", properties: {}, additionalProperties: true },
    });
    const calls = ["price", "open"].map((name) => fault.malformedArguments(args, name));
    const options = await serving(...calls, "done");
    const graph = createReactGraph({
      ...options,
      tools: [...tools, open],
      checkpointer: new MemorySaver(),
    });
    const result = await graph.invoke(ask, thread);
    expect(result.outcome).toEqual({ status: "answered" });
    expectCleanObjects();
    for (const given of seen) expect(given).not.toHaveProperty("polluted");
    const kept = await graph.getState(thread);
    expect(kept.next).toEqual([]);
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "harm nothing as names of tools and ids of calls: %s",
    async (name) => {
      const { tools, runs } = countingTools("price");
      const options = await serving(
        { toolCalls: [{ name, args: { item: "tea" }, id: name }] },
        { toolCalls: [{ name: "price", args: { item: "tea" }, id: name }] },
        "done",
      );
      const result = await createReactGraph({ ...options, tools }).invoke(ask);
      expect(result.outcome).toEqual({ status: "answered" });
      expect(runs).toEqual(["price tea"]);
      expect(result.observations.map(({ error }) => error?.kind)).toEqual([
        "unknown_tool",
        undefined,
      ]);
      expectCleanObjects();
    },
  );
});

describe.each(planningGraphs)("a plan of $name", ({ create }) => {
  it.each([
    { name: "ids that every object has", ids: ["__proto__", "constructor"], item: "{{__proto__}}" },
    { name: "a path to the prototype", ids: ["E1", "E2"], item: "{{E1.__proto__.polluted}}" },
    { name: "a path to the constructor", ids: ["E1", "E2"], item: "{{E1.constructor.name}}" },
  ])("comes to a stated end with $name", async ({ ids: [first = "", second = ""], item }) => {
    const { tools } = countingTools("price");
    const plan = planText(
      { id: first, tool: "price", args: { item: "tea" } },
      { id: second, tool: "price", args: { item } },
    );
    server = await startScriptedServer({
      replies: ({ messages }) => {
        const asked = JSON.stringify(messages.at(-1)?.content);
        return asked.includes("in the form above") && !asked.includes("finish") ? plan : "done";
      },
    });
    const environment = { OPENAI_API_KEY: "key-of-a-test", OPENAI_BASE_URL: server.url };
    const graph = create({ models: "openai:scripted", environment, tools });
    const { outcome, observations } = await graph.invoke(ask);
    expect(["answered", "failed", "limit"]).toContain(outcome?.status);
    expect(observations.map(({ content }) => content).join()).not.toMatch(/function|\[object/);
    expectCleanObjects();
  });
});

const size = timesOf({ all: 200_000, usually: 25_000 });

/** JSON of objects in one another. */
const deep = (levels: number) => `${'{"item":'.repeat(levels)}1${"}".repeat(levels)}`;

describe("huge arguments", () => {
  it.each([
    {
      name: "a long text",
      args: JSON.stringify({ item: "x".repeat(5 * size) }),
    },
    { name: "objects 20,000 deep", args: deep(20_000) },
    { name: "lists 50,000 deep", args: `{"item": ${"[".repeat(50_000)}${"]".repeat(50_000)}}` },
    {
      name: "many keys",
      args: JSON.stringify(
        Object.fromEntries(Array.from({ length: size }, (_, at) => [`key ${at}`, at])),
      ),
    },
    {
      name: "a number beyond all numbers, whose digits are a text",
      args: `{"item": 1${"0".repeat(400)}}`,
      reached: [401],
    },
    { name: "nothing but opening braces", args: "{".repeat(200_000) },
    { name: "nothing but quotes", args: '"'.repeat(200_000) },
  ])("come to a stated end: $name", async ({ args, reached = [] }) => {
    vi.spyOn(console, "warn").mockReturnValue();
    const lengths: number[] = [];
    const price = tool(
      ({ item }) => {
        lengths.push(item.length);
        return "3";
      },
      {
        name: "price",
        description: "Gives a price.",
        schema: z.object({ item: z.string().max(100_000) }),
      },
    );
    const options = await serving(fault.malformedArguments(args, "price"), "done");
    const result = await createReactGraph({
      ...options,
      tools: [price],
      checkpointer: new MemorySaver(),
    }).invoke(ask, thread);
    expect(result.outcome?.status).toBe("answered");
    expect(lengths).toEqual(reached);
    // What goes back to the model stays short, however much came.
    const [, again] = server?.requests ?? [];
    const told = JSON.stringify(again?.body).length - args.length;
    expect(told).toBeLessThan(args.length + 20_000);
  });
});
