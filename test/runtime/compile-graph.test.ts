import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { asTool, createReactGraph, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { asRunnable, hosts } from "../support/hosts.js";
import { someOf } from "../support/rows.js";

const Result = z.object({ messages: z.array(z.looseObject({ text: z.string() })) });

const question = { messages: [{ role: "user" as const, content: "price and stock of tea?" }] };
const thread = () => ({ configurable: { thread_id: crypto.randomUUID() } });
const approve = new Command({ resume: { decisions: [{ type: "approve" }] } });

/** First a price, then in one turn stock and an order that needs approval, then the answer. */
function orderingAgent() {
  const { runs, tools } = countingTools("price", "stock", "order");
  const model = scriptedModel([
    { toolCalls: [{ name: "price", args: { item: "tea" } }] },
    {
      toolCalls: [
        { name: "stock", args: { item: "tea" } },
        { name: "order", args: { item: "tea" } },
        { name: "stock", args: { item: "milk" } },
      ],
    },
    "Ordered.",
  ]);
  const toolPolicies = { order: { needsApproval: true } };
  return { runs, model, options: { models: model, tools, toolPolicies } };
}

const places = { "at top level": undefined, ...hosts };

describe.each(someOf(Object.entries(places), 2))("a run %s", (_, host) => {
  it("pauses between two calls and makes each of them once", async () => {
    const { runs, model, options } = orderingAgent();
    const checkpointer = new MemorySaver();
    const graph = asRunnable(
      host === undefined
        ? createReactGraph({ ...options, checkpointer })
        : host(createReactGraph(options), checkpointer),
    );
    const config = thread();

    const paused = await graph.invoke(question, config);
    expect(paused).toHaveProperty("__interrupt__");
    expect(runs).toEqual(["price tea", "stock tea"]);

    const done = await graph.invoke(approve, config);
    expect(done.messages.at(-1)?.text).toBe("Ordered.");
    expect(runs).toEqual(["price tea", "stock tea", "order tea", "stock milk"]);
    model.assertExhausted();
  });

  it("takes 120 supersteps whatever recursion limit surrounds it", async () => {
    const { tools } = countingTools("price");
    const replies = Array.from({ length: 60 }, (_item, at) => ({
      toolCalls: [{ name: "price", args: { item: `item ${at}` } }],
    }));
    const models = scriptedModel([...replies, "All priced."]);
    const react = createReactGraph({ models, tools });
    const graph = asRunnable(host === undefined ? react : host(react, new MemorySaver()));
    const done = Result.parse(await graph.invoke(question, { ...thread(), recursionLimit: 25 }));
    expect(done.messages.at(-1)?.text).toBe("All priced.");
  });
});

it("a graph with a config, and one in a chain at top level, are still plangraph's", async () => {
  const { tools } = countingTools("price");
  const replies = Array.from({ length: 30 }, (_item, at) => ({
    toolCalls: [{ name: "price", args: { item: `item ${at}` } }],
  }));
  const graph = createReactGraph({
    models: scriptedModel([...replies, "Priced.", ...replies, "Again."]),
    tools,
  });
  const configured = graph.withConfig({ tags: ["shop"] });
  expect((await configured.invoke(question)).answer).toBe("Priced.");
  const chain = RunnableLambda.from((input: typeof question) => input).pipe(asRunnable(graph));
  expect((await chain.invoke(question)).answer).toBe("Again.");
});

it("streamEvents goes through it too", async () => {
  const { runs, tools } = countingTools("price");
  const replies = Array.from({ length: 30 }, (_item, at) => ({
    toolCalls: [{ name: "price", args: { item: `item ${at}` } }],
  }));
  const graph = createReactGraph({ models: scriptedModel([...replies, "Priced."]), tools });
  for await (const event of graph.streamEvents(question, { version: "v2" })) void event;
  expect(runs).toHaveLength(30);
});

it("a write is under durability sync, with its start on record before it runs", async () => {
  const { runs, tools } = countingTools("order");
  const saver = new MemorySaver();
  const seen: string[] = [];
  const put = saver.put.bind(saver);
  saver.put = async (...args) => {
    const values: Record<string, unknown> = args[1].channel_values;
    if (values["pending"] !== undefined) seen.push(`on record, ${runs.length} runs`);
    return put(...args);
  };
  const graph = createReactGraph({
    models: scriptedModel([{ toolCalls: [{ name: "order", args: { item: "tea" } }] }, "Ordered."]),
    tools: tools.map((one) => withPolicy(one, { effect: "write" })),
    checkpointer: saver,
  });
  expect((await graph.invoke(question, thread())).answer).toBe("Ordered.");
  expect(seen[0]).toBe("on record, 0 runs");
  expect(runs).toEqual(["order tea"]);
});

it("a write inside a graph that is a tool is not begun before the calling run is on record", async () => {
  const saver = new MemorySaver();
  const put = saver.put.bind(saver);
  let open = 0;
  saver.put = async (...args) => {
    open += 1;
    // Slower than the graph that is the tool.
    if (args[0].configurable?.["checkpoint_ns"] === "") {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const config = await put(...args);
    open -= 1;
    return config;
  };
  const seen: number[] = [];
  const order = tool(
    () => {
      seen.push(open);
      return "ordered";
    },
    { name: "order", description: "Orders.", schema: z.object({}) },
  );
  const inner = createReactGraph({
    models: scriptedModel([{ toolCalls: [{ name: "order", args: {} }] }, "Ordered."]),
    tools: [withPolicy(order, { effect: "write" })],
  });
  const graph = createReactGraph({
    models: scriptedModel([{ toolCalls: [{ name: "expert", args: { question: "?" } }] }, "Done."]),
    tools: [asTool(inner, { name: "expert", description: "Orders." })],
    checkpointer: saver,
  });
  expect((await graph.invoke(question, thread())).answer).toBe("Done.");
  expect(seen).toEqual([0]);
});

describe("a run that is to stop after nodes", () => {
  it.each([
    { name: "one of them", interruptAfter: ["tools" as const], parts: 2 },
    { name: "every one", interruptAfter: "*" as const, parts: 5 },
  ])("stops after $name, and makes each call once", async ({ interruptAfter, parts }) => {
    const { runs, tools } = countingTools("price");
    const call = { name: "price", args: { item: "tea" } };
    const models = scriptedModel([{ toolCalls: [call] }, "Tea costs 3."]);
    const graph = createReactGraph({ models, tools, checkpointer: new MemorySaver() });
    const config = { ...thread(), interruptAfter };
    await graph.invoke(question, config);
    let begun = 1;
    for (; (await graph.getState(config)).next.length > 0; begun += 1) {
      await graph.invoke(null, config);
    }
    const { values } = await graph.getState(config);
    expect(values).toMatchObject({ answer: "Tea costs 3.", observations: [{ ok: true }] });
    expect(runs).toEqual(["price tea"]);
    expect(begun).toBe(parts);
    models.assertExhausted();
  });
});
