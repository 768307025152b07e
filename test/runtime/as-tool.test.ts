import { tool } from "@langchain/core/tools";
import { Command, type LangGraphRunnableConfig, MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { asRunnable, type HostedGraph } from "../support/hosts.js";

/** A tool that anyone might write around a graph. */
function expertTool(graph: HostedGraph) {
  return tool(
    async ({ question }, config: LangGraphRunnableConfig) => {
      const result = await graph.invoke(
        { messages: [{ role: "user", content: question }] },
        config,
      );
      return result.answer ?? "";
    },
    {
      name: "ask_expert",
      description: "Asks an expert.",
      schema: z.object({ question: z.string() }),
    },
  );
}

function expert() {
  const { runs, tools } = countingTools("price", "order");
  const models = scriptedModel([
    { toolCalls: [{ name: "price", args: { item: "tea" } }] },
    {
      toolCalls: [
        { name: "price", args: { item: "milk" } },
        { name: "order", args: { item: "tea" } },
      ],
    },
    "Ordered tea.",
  ]);
  const graph = createReactGraph({
    models,
    tools,
    toolPolicies: { order: { needsApproval: true } },
  });
  return { runs, graph, models };
}

const asksExpert = () =>
  scriptedModel([
    { toolCalls: [{ name: "ask_expert", args: { question: "order tea" } }] },
    "Done.",
  ]);
const parents = {
  "LangChain's createAgent": (graph: HostedGraph) =>
    asRunnable(
      createAgent({
        model: asksExpert(),
        tools: [expertTool(graph)],
        checkpointer: new MemorySaver(),
      }).graph,
    ),
  "another graph of ours": (graph: HostedGraph) =>
    asRunnable(
      createReactGraph({
        models: asksExpert(),
        tools: [expertTool(graph)],
        checkpointer: new MemorySaver(),
      }),
    ),
};

describe.each(Object.entries(parents))("a graph as a tool of %s", (_, parent) => {
  const question = { messages: [{ role: "user", content: "tea, please" }] };

  it("pauses inside, and no finished call of it is made twice", async () => {
    const { runs, graph, models } = expert();
    const agent = parent(graph);
    const config = { configurable: { thread_id: "1" } };
    const paused: unknown = await agent.invoke(question, config);
    expect(paused).toHaveProperty("__interrupt__");
    expect(runs).toEqual(["price tea", "price milk"]);
    const done = await agent.invoke(
      new Command({ resume: { decisions: [{ type: "approve" }] } }),
      config,
    );
    expect(done.messages.at(-1)?.text).toBe("Done.");
    expect(runs).toEqual(["price tea", "price milk", "order tea"]);
    models.assertExhausted();
  });
});

it("usage of a graph inside a tool counts in the run that called it", async () => {
  const { runs, tools } = countingTools("price");
  const inner = createReactGraph({
    models: scriptedModel([
      { toolCalls: [{ name: "price", args: { item: "tea" } }], usage: { input: 10, output: 1 } },
      { text: "3 euros", usage: { input: 20, output: 2 } },
    ]),
    tools,
  });
  const models = scriptedModel([
    {
      toolCalls: [{ name: "ask_expert", args: { question: "tea?" } }],
      usage: { input: 100, output: 10 },
    },
    { text: "3 euros.", usage: { input: 200, output: 20 } },
  ]);
  const graph = createReactGraph({ models, tools: [expertTool(inner)] });
  const { usage, answer } = await graph.invoke({ messages: [{ role: "user", content: "tea?" }] });
  expect(answer).toBe("3 euros.");
  expect(runs).toEqual(["price tea"]);
  expect(usage).toMatchObject({ modelCalls: 4, toolCalls: 2, tokensIn: 330, tokensOut: 33 });
});

it("a limit of the run holds inside the graphs it calls", async () => {
  const { tools } = countingTools("price");
  const inner = createReactGraph({
    models: scriptedModel(() => ({
      toolCalls: [{ name: "price", args: { item: crypto.randomUUID() } }],
    })),
    tools,
    earlyStopping: "force",
  });
  const models = scriptedModel([
    { toolCalls: [{ name: "ask_expert", args: { question: "tea?" } }] },
    "I could not find out.",
  ]);
  const graph = createReactGraph({ models, tools: [expertTool(inner)], limits: { modelCalls: 5 } });
  const { usage, outcome } = await graph.invoke({ messages: [{ role: "user", content: "tea?" }] });
  expect(outcome).toEqual({ status: "limit", limit: "modelCalls" });
  expect(usage.byRole["executor"]?.modelCalls).toBe(6);
});

it("usage of a graph inside a tool from before a pause counts as well", async () => {
  const { graph } = expert();
  const parent = createReactGraph({
    models: asksExpert(),
    tools: [expertTool(graph)],
    checkpointer: new MemorySaver(),
  });
  const config = { configurable: { thread_id: "1" } };
  await parent.invoke({ messages: [{ role: "user", content: "tea" }] }, config);
  const resume = { decisions: [{ type: "approve" }] };
  const { usage } = await parent.invoke(new Command({ resume }), config);
  expect(usage).toMatchObject({ modelCalls: 2 + 3, toolCalls: 1 + 3 });
});
