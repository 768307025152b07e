import {
  Annotation,
  Command,
  END,
  type GraphNode,
  MemorySaver,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { createReflexionGraph } from "../../examples/reflexion/graph.js";
import { asTool, createReactGraph, createRouterGraph, withPolicy } from "../../src/index.js";
import {
  compileGraph,
  contextSchema,
  ConversationState,
  createFinalizer,
  createIntake,
} from "../../src/kit/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { priceTool } from "../support/middleware.js";

const ask = (content: string) => ({ messages: [{ role: "user" as const, content }] });
const question = ask("What do tea and milk cost?");
const call = (item: string) => ({ toolCalls: [{ name: "price", args: { item } }] });
const good = '{"good":true,"problem":""}';
const bad = (problem: string) => JSON.stringify({ good: false, problem });
const thread = { configurable: { thread_id: "1" } };

/** A run whose first answer lacks the milk. */
const replies = [call("tea"), "3 euros.", bad("No milk."), call("milk"), "3 and 3 euros.", good];

describe("a Reflexion graph from the kit", () => {
  it("tries again with what it learned, and drops the bad answer", async () => {
    using models = scriptedModel(replies);
    const { price, runs } = priceTool();
    const result = await createReflexionGraph({ models, tools: [price] }).invoke(question);
    expect(result).toMatchObject({
      answer: "3 and 3 euros.",
      outcome: { status: "answered" },
      reflections: ["Attempt 1: No milk."],
      usage: { modelCalls: 6, toolCalls: 2 },
    });
    expect(runs).toEqual(["tea", "milk"]);
    expect(models.calls[3]?.messages[0]?.text).toContain("Attempt 1: No milk.");
    expect(result.messages.map(({ text }) => text)).not.toContain("3 euros.");
  });

  it("answers after the last attempt, whatever the judge says", async () => {
    const models = scriptedModel(["1", bad("a"), "2", bad("b"), "3", bad("c"), "4", bad("d")]);
    const result = await createReflexionGraph({ models }).invoke(question);
    expect(result).toMatchObject({ answer: "4", outcome: { status: "answered" } });
    expect(result.reflections).toHaveLength(3);
  });

  it("begins each question without reflections", async () => {
    const models = scriptedModel(["1", bad("a"), "2", good, "3", good]);
    const graph = createReflexionGraph({ models, checkpointer: new MemorySaver() });
    expect((await graph.invoke(question, thread)).reflections).toEqual(["Attempt 1: a"]);
    expect((await graph.invoke(ask("And salt?"), thread)).reflections).toEqual([]);
    expect(models.calls[4]?.messages[0]?.text).not.toContain("Attempt");
  });

  it.each([
    { limits: { modelCalls: 4 }, name: "model calls" },
    { limits: { toolCalls: 1 }, name: "tool calls" },
  ])("ends at a limit of $name", async ({ limits }) => {
    const models = scriptedModel([...replies.slice(0, 4), "So far 3 euros."]);
    const { price } = priceTool();
    const graph = createReflexionGraph({ models, tools: [price], limits });
    expect((await graph.invoke(question)).outcome).toMatchObject({ status: "limit" });
  });

  it("pauses for an approval in the second attempt, and repeats nothing", async () => {
    using models = scriptedModel(replies);
    const { price, runs } = priceTool();
    const tools = [
      withPolicy(price, { needsApproval: (args) => JSON.stringify(args).includes("milk") }),
    ];
    const graph = createReflexionGraph({ models, tools, checkpointer: new MemorySaver() });
    const paused = await graph.invoke(question, thread);
    expect(asked(paused).action_requests).toMatchObject([{ args: { item: "milk" } }]);
    expect(runs).toEqual(["tea"]);
    const resume = { decisions: [{ type: "approve" }] };
    const result = await graph.invoke(new Command({ resume }), thread);
    expect(result).toMatchObject({
      answer: "3 and 3 euros.",
      reflections: ["Attempt 1: No milk."],
    });
    expect(runs).toEqual(["tea", "milk"]);
  });

  it("resumes after an interruption where it was", async () => {
    using models = scriptedModel(replies);
    const { price, runs } = priceTool();
    const graph = createReflexionGraph({ models, tools: [price], checkpointer: new MemorySaver() });
    await graph.invoke(question, { ...thread, interruptAfter: ["evaluator"] });
    expect(models.calls).toHaveLength(3);
    expect(await graph.invoke(null, thread)).toMatchObject({ answer: "3 and 3 euros." });
    expect(runs).toEqual(["tea", "milk"]);
  });

  it("reports its models and tools as events", async () => {
    const models = scriptedModel(replies);
    const { price } = priceTool();
    const graph = createReflexionGraph({ models, tools: [price] });
    const seen: string[] = [];
    for await (const event of await graph.stream(question, { streamMode: "custom" })) {
      const { type, node } = event;
      seen.push(`${node} ${type}`);
    }
    expect(seen.filter((each) => each.startsWith("evaluator"))).toEqual(
      Array.from({ length: 2 }, () => [
        "evaluator model_started",
        "evaluator model_finished",
      ]).flat(),
    );
    expect(seen.at(-1)).toBe("finalizer run_finished");
  });

  it("is a tool and a route like any graph of the package", async () => {
    const inner = createReflexionGraph({ models: scriptedModel(["3 euros.", good]) });
    const tool = asTool(inner, { name: "expert", description: "Knows prices." });
    const models = scriptedModel([
      { toolCalls: [{ name: "expert", args: { question: "Tea?" } }] },
      "3 euros.",
    ]);
    const outer = await createReactGraph({ models, tools: [tool] }).invoke(question);
    expect(outer.observations).toMatchObject([{ content: "3 euros.", usage: { modelCalls: 2 } }]);
    const graph = createReflexionGraph({ models: scriptedModel(["3 euros.", good]) });
    const router = createRouterGraph({ routes: { prices: { description: "Prices.", graph } } });
    expect((await router.invoke(question)).answer).toBe("3 euros.");
  });
});

const CountingState = Annotation.Root({ ...ConversationState.spec, count: Annotation<number>() });
const answering: GraphNode<typeof CountingState> = ({ count }) => ({
  outcome: { status: "answered" },
  answer: `Asked ${count}.`,
});

it("begins a run with values that follow from its input", async () => {
  const intake = createIntake({ roles: [], reset: ({ messages }) => ({ count: messages.length }) });
  const graph = compileGraph(
    new StateGraph(CountingState, contextSchema())
      .addNode("intake", intake)
      .addNode("answering", answering)
      .addNode("finalizer", createFinalizer({ instructions: "" }))
      .addEdge(START, "intake")
      .addEdge("intake", "answering")
      .addEdge("answering", "finalizer")
      .addEdge("finalizer", END),
    { name: "counting", run: {} },
  );
  expect((await graph.invoke(question)).answer).toBe("Asked 1.");
});
