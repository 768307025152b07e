import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import {
  Annotation,
  Command,
  INTERRUPT,
  interrupt,
  isInterrupted,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { type AgentEvent, createReactGraph, createRouterGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { ask, call, priceTool } from "../support/middleware.js";
import { choice } from "../support/two-routes.js";

const thread = { configurable: { thread_id: "1" } };
const other = () => ({
  description: "Physics.",
  graph: createReactGraph({ models: scriptedModel(["Fast."]) }),
});

/** A graph of LangGraph's alone whose node says what it is told to. */
function sayingGraph(say: (text: string) => AIMessage | Promise<AIMessage>) {
  return new StateGraph(MessagesAnnotation)
    .addNode("say", async ({ messages }) => ({
      messages: [await say(messages.at(-1)?.text ?? "")],
    }))
    .addEdge(START, "say")
    .compile();
}

/** A router between a graph and one of ours. */
function routed(
  graph: Parameters<typeof createRouterGraph>[0]["routes"][string]["graph"],
  rest = {},
) {
  return createRouterGraph({
    models: { router: scriptedModel([choice("shop"), choice("shop")]) },
    routes: { shop: { description: "Prices.", graph }, physics: other() },
    ...rest,
  });
}

describe("a route that is no graph of plangraph", () => {
  it("may be an agent of LangChain, whose calls count", async () => {
    const { price, runs } = priceTool();
    const model = scriptedModel([call("tea", "1"), "Tea costs 3 euros."]);
    const graph = routed(createAgent({ model, tools: [price] }));
    const { answer, outcome, messages, usage, route } = await graph.invoke(ask("Tea?"));
    expect({ answer, outcome, route, runs }).toEqual({
      answer: "Tea costs 3 euros.",
      outcome: { status: "answered" },
      route: "shop",
      runs: ["tea"],
    });
    expect(messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "ai"]);
    expect(usage).toMatchObject({ modelCalls: 3, toolCalls: 1 });
    expect(usage.byRole["route:shop"]?.modelCalls).toBe(2);
  });

  it("may be any graph with messages, and the next question goes on from them", async () => {
    const graph = routed(
      sayingGraph((text) => new AIMessage(`You said: ${text}`)),
      { checkpointer: new MemorySaver() },
    );
    await graph.invoke(ask("Tea?"), thread);
    const { messages } = await graph.invoke(ask("Coffee?"), thread);
    expect(messages.map(({ text }) => text)).toEqual([
      "Tea?",
      "You said: Tea?",
      "Coffee?",
      "You said: Coffee?",
    ]);
  });

  it("streams its answer as chat", async () => {
    const model = scriptedModel(["Three euros."]);
    const graph = routed(createAgent({ model, tools: [] }));
    const stream = await graph.stream(ask("Tea?"), { streamMode: "messages" });
    let chat = "";
    for await (const [message] of stream) if (AIMessage.isInstance(message)) chat += message.text;
    expect(chat).toContain("Three euros.");
  });

  it("pauses and goes on by itself", async () => {
    const graph = routed(
      sayingGraph(() => new AIMessage(`Hello ${String(interrupt("Who are you?"))}.`)),
      { checkpointer: new MemorySaver() },
    );
    const paused = await graph.invoke(ask("Hello!"), thread);
    expect(isInterrupted(paused) ? paused[INTERRUPT] : []).toMatchObject([
      { value: "Who are you?" },
    ]);
    const { answer } = await graph.invoke(new Command({ resume: "Ann" }), thread);
    expect(answer).toBe("Hello Ann.");
  });

  it.each([
    {
      name: "fails where the graph fails",
      graph: sayingGraph(() => {
        throw new Error("No shop today.");
      }),
      outcome: { status: "failed", reason: 'The route "shop" failed: No shop today.' },
    },
    {
      name: "fails where no answer is last",
      graph: new StateGraph(MessagesAnnotation)
        .addNode("say", () => ({ messages: [new HumanMessage("And you?")] }))
        .addEdge(START, "say")
        .compile(),
      outcome: { status: "failed" },
    },
    {
      name: "stops at the run's time",
      graph: sayingGraph(() => new Promise<AIMessage>(() => {})),
      outcome: { status: "limit", limit: "seconds" },
    },
  ])("$name", async ({ graph, outcome }) => {
    const result = await routed(graph, { limits: { seconds: 1 } }).invoke(ask("Tea?"));
    expect(result.outcome).toMatchObject(outcome);
    expect(result.answer).not.toBe("");
  });

  it("hears the caller's abort", async () => {
    const graph = routed(sayingGraph(() => new Promise<AIMessage>(() => {})));
    await expect(graph.invoke(ask("Tea?"), { signal: AbortSignal.timeout(50) })).rejects.toThrow(
      /abort|timeout/i,
    );
  });

  it("may have graphs of plangraph in its tools, which count once", async () => {
    const inner = createReactGraph({ models: scriptedModel(["Three."]) });
    const lookUp = tool(
      async ({ item }, config) => {
        const { answer } = await inner.invoke(ask(item), config);
        return answer ?? "";
      },
      { name: "price", description: "Gives a price.", schema: z.object({ item: z.string() }) },
    );
    const model = scriptedModel([call("tea", "1"), "Three euros."]);
    const graph = routed(createAgent({ model, tools: [lookUp] }));
    const { usage, answer } = await graph.invoke(ask("Tea?"));
    expect({ answer, modelCalls: usage.modelCalls }).toEqual({
      answer: "Three euros.",
      modelCalls: 4,
    });
  });

  it("ends with the run's events", async () => {
    const events: AgentEvent[] = [];
    const graph = routed(sayingGraph(() => new AIMessage("Three.")));
    const stream = await graph.stream(ask("Tea?"), { streamMode: "custom" });
    for await (const event of stream) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: "run_finished", outcome: { status: "answered" } });
  });
});

const NoMessages = Annotation.Root({ text: Annotation<string>() });
it.each([
  { name: "a function", graph: { invoke: async () => ({}) }, problem: "it is no graph" },
  {
    name: "a graph without messages",
    graph: new StateGraph(NoMessages)
      .addNode("say", () => ({ text: "" }))
      .addEdge(START, "say")
      .compile(),
    problem: 'its state has no "messages"',
  },
])("refuses $name as a route", ({ graph, problem }) => {
  expect(() => routed(graph)).toThrow(problem);
});

describe("a route that there is not", () => {
  const routes = {
    shop: { description: "Prices.", graph: sayingGraph(() => new AIMessage("Three.")) },
    physics: other(),
  };
  const nobody = [choice("nobody"), choice("nobody"), choice("nobody")];

  it("is asked about, and the answer decides", async () => {
    const router = scriptedModel([...nobody, choice("shop")]);
    const checkpointer = new MemorySaver();
    const graph = createRouterGraph({ models: { router }, routes, checkpointer });
    const paused = await graph.invoke(ask("Tea?"), thread);
    expect(JSON.stringify(isInterrupted(paused) ? paused[INTERRUPT] : [])).toContain(
      "What is your question about?",
    );
    const { answer, route } = await graph.invoke(new Command({ resume: "Prices." }), thread);
    expect({ answer, route }).toEqual({ answer: "Three.", route: "shop" });
  });

  it("still fails where the router's model cannot be reached", async () => {
    const router = scriptedModel([new Error("overloaded")]);
    const graph = createRouterGraph({ models: { router }, routes });
    const { outcome } = await graph.invoke(ask("Tea?"));
    expect(outcome?.status).toBe("failed");
  });
});
