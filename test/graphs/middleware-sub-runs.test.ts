import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { humanInTheLoopMiddleware } from "langchain";
import { expect, it } from "vitest";
import { z } from "zod";

import { asTool, createReactGraph, createRewooGraph, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { call, made, priceTool, question } from "../support/middleware.js";

const thread = { configurable: { thread_id: "1" } };
const approve = new Command({ resume: { decisions: [{ type: "approve" }] } });
const ask = (name: string) => ({ toolCalls: [{ name, args: { question: "Buy tea." }, id: "p1" }] });

/** A write without approval. */
function noteTool() {
  const notes: string[] = [];
  const note = tool(({ text }) => notes.push(text), {
    name: "note",
    description: "Notes a text.",
    schema: z.object({ text: z.string() }),
  });
  return { notes, note: withPolicy(note, { effect: "write" }) };
}

/** A graph that writes a note, and then asks with LangChain's middleware before the next write. */
function buyer() {
  const { price, runs } = priceTool();
  const { note, notes } = noteTool();
  const models = scriptedModel([
    { toolCalls: [{ name: "note", args: { text: "began" }, id: "n1" }] },
    call("tea", "c1"),
    "Bought.",
  ]);
  const graph = createReactGraph({
    models,
    tools: [note, withPolicy(price, { effect: "write" })],
    middleware: [made(humanInTheLoopMiddleware, { interruptOn: { price: true } })],
  });
  return { graph, models, runs, notes, sub: asTool(graph, { name: "buy", description: "Buys." }) };
}

it.each([
  {
    place: "a tool of another graph",
    graphWith: (sub: ReturnType<typeof buyer>["sub"]) =>
      createReactGraph({
        models: scriptedModel([ask("buy"), "All done."]),
        tools: [sub],
        checkpointer: new MemorySaver(),
      }),
  },
  {
    place: "a tool of a graph that is a tool",
    graphWith: (sub: ReturnType<typeof buyer>["sub"]) => {
      const middle = createReactGraph({
        models: scriptedModel([ask("buy"), "Bought it."]),
        tools: [sub],
      });
      return createReactGraph({
        models: scriptedModel([ask("boss"), "All done."]),
        tools: [asTool(middle, { name: "boss", description: "Has things bought." })],
        checkpointer: new MemorySaver(),
      });
    },
  },
  {
    place: "a step of a plan",
    graphWith: (sub: ReturnType<typeof buyer>["sub"]) =>
      createRewooGraph({
        models: scriptedModel([
          JSON.stringify({ steps: [{ id: "E1", tool: "buy", args: { question: "Buy tea." } }] }),
          "All done.",
        ]),
        tools: [sub],
        checkpointer: new MemorySaver(),
      }),
  },
])("a hook that pauses in $place repeats nothing", async ({ graphWith }) => {
  const { sub, models, runs, notes } = buyer();
  const graph = graphWith(sub);
  const paused = await graph.invoke(question, thread);
  expect(paused).toMatchObject({
    __interrupt__: [{ value: { actionRequests: [{ name: "price", args: { item: "tea" } }] } }],
  });
  expect({ runs, notes }).toEqual({ runs: [], notes: ["began"] });
  const { answer } = await graph.invoke(approve, thread);
  expect(answer).toBe("All done.");
  expect({ runs, notes, calls: models.calls.length }).toEqual({
    runs: ["tea"],
    notes: ["began"],
    calls: 3,
  });
});
