import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  asTool,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type ReactOptions,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { question } from "../support/middleware.js";
import { finishWith, planText, stepOf } from "../support/plans.js";
import { continueWith, respondWith, taskPlanText } from "../support/task-plans.js";

const contextFields = ["systemPrompt", "prompts", "tools"] as const;
const callOf = (name: string, item = "tea") => ({
  toolCalls: [{ name, args: { item }, id: `${name}-1` }],
});

const graphs = [
  { name: "react", create: createReactGraph },
  { name: "rewoo", create: createRewooGraph },
  { name: "llm-compiler", create: createLlmCompilerGraph },
  { name: "plan-execute", create: createPlanExecuteGraph },
];

describe.each(graphs)("what a context may not set in $name", ({ create }) => {
  it.each<{
    listed: ReactOptions["contextFields"];
    context: Record<string, unknown>;
    problem: string;
  }>([
    { listed: [], context: { systemPrompt: "Obey." }, problem: "context.systemPrompt: this graph" },
    { listed: [], context: { prompts: { agent: "Obey." } }, problem: "context.prompts: this" },
    { listed: [], context: { tools: [] }, problem: "context.tools: this graph does not let" },
    {
      listed: ["prompts"],
      context: { prompts: {}, tools: ["price"] },
      problem: "context.tools: this graph",
    },
    { listed: contextFields, context: { tools: ["order"] }, problem: 'expected "price"' },
    { listed: contextFields, context: { tools: "price" }, problem: "context.tools" },
    { listed: contextFields, context: { tools: [{ name: "own" }] }, problem: "context.tools" },
    { listed: contextFields, context: { tools: null }, problem: "context.tools" },
    { listed: contextFields, context: { systemPrompt: 5 }, problem: "context.systemPrompt" },
    {
      listed: contextFields,
      context: { prompts: { router: "Obey." } },
      problem: "context.prompts.router: there is no such field",
    },
    {
      listed: contextFields,
      context: { prompts: { toString: "Obey." } },
      problem: "context.prompts.toString",
    },
  ])("$context, where it lists $listed", async ({ listed, context, problem }) => {
    const models = scriptedModel([]);
    const { tools } = countingTools("price");
    const graph = create({ models, tools, contextFields: listed });
    const run = graph.invoke(question, { context });
    await expect(run).rejects.toThrow(problem);
    await expect(run).rejects.toMatchObject({ code: "invalid_context" });
    expect(models.calls).toEqual([]);
  });

  it.each([
    { listed: ["limits"], got: '"limits"' },
    { listed: "tools", got: '"tools"' },
    { listed: [5], got: "5" },
    { listed: null, got: "null" },
  ])("contextFields $listed is no list of them", ({ listed, got }) => {
    const options: object = { contextFields: listed };
    expect(() => create(options)).toThrow(`contextFields: expected a list of`);
    expect(() => create(options)).toThrow(`got ${got}.`);
  });
});

it.each(contextFields)("contextSchema may not have a field %s of its own", (name) => {
  const contextSchema = z.object({ [name]: z.string() });
  expect(() => createReactGraph({ contextSchema })).toThrow(`contextSchema.${name}`);
});

it("a router's context is refused before any route runs", async () => {
  const models = scriptedModel([]);
  const graph = createReactGraph({ models, contextFields });
  const router = createRouterGraph({ models, routes: { all: { description: "All.", graph } } });
  const run = router.invoke(question, { context: { systemPrompt: "Obey." } });
  await expect(run).rejects.toMatchObject({ code: "invalid_context" });
});

describe("a tool that the context leaves out", () => {
  const plan = planText(stepOf("order", "tea"));
  it.each([
    { name: "react", create: createReactGraph, replies: [callOf("order"), "No."] },
    { name: "rewoo", create: createRewooGraph, replies: [plan, plan, plan, "No."] },
    { name: "llm-compiler", create: createLlmCompilerGraph, replies: [plan, plan, plan, "No."] },
    {
      name: "plan-execute",
      create: createPlanExecuteGraph,
      replies: [
        taskPlanText({ task: "Order it." }),
        callOf("order"),
        "No.",
        continueWith({ id: "S2", task: "Order it still." }),
        callOf("order"),
        "No.",
        respondWith("No."),
      ],
    },
  ])("does not run in $name when a model calls it anyway", async ({ create, replies }) => {
    const models = scriptedModel(replies);
    const { tools, runs } = countingTools("price", "order");
    const graph = create({ models, tools, contextFields });
    const result = await graph.invoke(question, { context: { tools: ["price"] } });
    expect(runs).toEqual([]);
    expect(result.usage.toolCalls).toBe(0);
    expect(result.outcome?.status).toBe("answered");
  });

  it("does not run after an approval, where the run goes on with fewer tools", async () => {
    const models = scriptedModel([callOf("order"), "It was not ordered."]);
    const { tools, runs } = countingTools("price", "order");
    const toolPolicies = { order: { needsApproval: true } };
    const checkpointer = new MemorySaver();
    const graph = createReactGraph({ models, tools, toolPolicies, contextFields, checkpointer });
    const thread = { configurable: { thread_id: "1" } };
    await graph.invoke(question, thread);
    const approve = new Command({ resume: { decisions: [{ type: "approve" }] } });
    const config = { ...thread, context: { tools: ["price"] } };
    const { outcome, observations } = await graph.invoke(approve, config);
    expect(runs).toEqual([]);
    expect(outcome).toEqual({ status: "answered" });
    expect(observations).toMatchObject([{ ok: false, error: { kind: "unknown_tool" } }]);
  });

  it("is not sent as a provider's tool", async () => {
    const models = scriptedModel(["Hello."]);
    const tools = [{ type: "web_search" }, ...countingTools("price").tools];
    const graph = createReactGraph({ models, tools, contextFields });
    await graph.invoke(question, { context: { tools: ["price"] } });
    expect(JSON.stringify(models.calls[0]?.tools)).not.toContain("web_search");
  });
});

describe("a graph that a tool runs", () => {
  /** A research graph that lists every field, and what its model was asked. */
  function research(options: ReactOptions = {}) {
    const models = scriptedModel([callOf("search"), "Found."]);
    const { tools, runs } = countingTools("search");
    return { graph: createReactGraph({ models, tools, contextFields, ...options }), models, runs };
  }
  const context = { systemPrompt: "Only for the outer.", tools: ["inner"] };
  const calling = { toolCalls: [{ name: "inner", args: { question: "Tea?" } }] };

  it("gets nothing of the calling run's context as a graph tool", async () => {
    const { graph: inner, models: innerModels, runs } = research();
    const models = scriptedModel([calling, "Done."]);
    const tools = [asTool(inner, { name: "inner", description: "Finds things." })];
    const graph = createReactGraph({ models, tools, contextFields });
    await graph.invoke(question, { context });
    expect(runs).toEqual(["search tea"]);
    expect(innerModels.calls[0]?.messages[0]?.text).not.toContain("outer");
  });

  it.each([
    { name: "inherits nothing", given: undefined, begins: "You answer" },
    { name: "gets what the tool's code sets", given: "By the tool.", begins: "By the tool." },
  ])("$name where a tool's code calls it", async ({ given, begins }) => {
    const { graph: inner, models: innerModels, runs } = research();
    const models = scriptedModel([calling, "Done."]);
    const own = tool(
      async (args, config) => {
        const set = given === undefined ? {} : { context: { systemPrompt: given } };
        const messages = [{ role: "user", content: args.question }];
        const { answer } = await inner.invoke({ messages }, { ...config, ...set });
        return answer;
      },
      { name: "inner", description: "Finds.", schema: z.object({ question: z.string() }) },
    );
    const graph = createReactGraph({ models, tools: [own], contextFields });
    const { outcome } = await graph.invoke(question, { context });
    expect(outcome).toEqual({ status: "answered" });
    expect(runs).toEqual(["search tea"]);
    expect(innerModels.calls[0]?.messages[0]?.text.startsWith(begins)).toBe(true);
  });
});

it("a withheld tool's step of a plan in the state does not run when the run goes on", async () => {
  const { tools, runs } = countingTools("price", "order");
  const guarded = tools.map((each) =>
    each.name === "price" ? withPolicy(each, { needsApproval: true }) : each,
  );
  const plan = planText(stepOf("price", "tea"), stepOf("order", "tea", "E1"));
  const models = scriptedModel([plan, finishWith("Done.")]);
  const checkpointer = new MemorySaver();
  const graph = createLlmCompilerGraph({ models, tools: guarded, contextFields, checkpointer });
  const thread = { configurable: { thread_id: "1" } };
  await graph.invoke(question, thread);
  const approve = new Command({ resume: { decisions: [{ type: "approve" }] } });
  await graph.invoke(approve, { ...thread, context: { tools: ["price"] } });
  expect(runs).toEqual(["price tea"]);
});
