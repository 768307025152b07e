import { tool } from "@langchain/core/tools";
import { Command, type LangGraphRunnableConfig, MemorySaver } from "@langchain/langgraph";
import { createMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  asTool,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { finishWith, planText, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const question = { messages: [{ role: "user" as const, content: "What does tea cost?" }] };
const contextSchema = z.object({
  tenant: z.string(),
  region: z.string().default("EU"),
  level: z.string().transform(Number).default(1),
});
const context = { tenant: "ann", level: "2", unlisted: true, limits: { modelCalls: 9 } };
/** The context as tools, hooks and middleware get it. */
const seenContext = { ...context, region: "EU", level: 2 };

/** A graph as a program without types calls it. */
type Untyped = { invoke(input: object, config: object): Promise<unknown> };

/** A tool that keeps the context it was called with. */
function contextTool() {
  const seen: unknown[] = [];
  const price = tool(
    (_, config: LangGraphRunnableConfig) => {
      seen.push(config.context);
      return "300";
    },
    { name: "price", description: "A price.", schema: z.object({ item: z.string() }) },
  );
  return { price, seen };
}

const calling = { toolCalls: [{ name: "price", args: { item: "tea" } }] };
const plan = planText(stepOf("price", "tea"));
const graphs = [
  { name: "react", create: createReactGraph, replies: [calling, "300"] },
  { name: "rewoo", create: createRewooGraph, replies: [plan, "300"] },
  { name: "llm-compiler", create: createLlmCompilerGraph, replies: [plan, finishWith("300")] },
  {
    name: "plan-execute",
    create: createPlanExecuteGraph,
    replies: [taskPlanText({ task: "Price it." }), calling, "300", respondWith("300")],
  },
];

describe("the fields of contextSchema", () => {
  it.each(graphs)("reach tools and hooks of $name with defaults", async ({ create, replies }) => {
    const { price, seen } = contextTool();
    const models = scriptedModel(replies);
    const atHooks: unknown[] = [];
    const graph = create({
      models,
      tools: [price],
      contextSchema,
      wrapModelCall: (request, handler) => {
        atHooks.push(request.runtime.context);
        return handler(request);
      },
      wrapToolCall: (request, handler) => {
        atHooks.push(request.runtime.context);
        return handler(request);
      },
    });
    const result = await graph.invoke(question, { context });
    expect(result.outcome).toMatchObject({ status: "answered" });
    expect(seen).toEqual([seenContext]);
    expect(atHooks).toEqual(Array.from({ length: replies.length + 1 }, () => seenContext));
  });

  it.each<{ name: string; given: object | undefined; problem: string }>([
    { name: "missing", given: {}, problem: "context.tenant: " },
    { name: "nothing", given: undefined, problem: "context.tenant: " },
    { name: "of another type", given: { tenant: 1 }, problem: "context.tenant: " },
    {
      name: "wrong behind a default",
      given: { tenant: "ann", region: 7 },
      problem: "context.region: ",
    },
    { name: "inherited by any object", given: { constructor: 1 }, problem: "context.tenant: " },
  ])("are refused before the first model call: $name", async ({ given, problem }) => {
    for (const { create } of graphs) {
      const models = scriptedModel([]);
      const graph: Untyped = create({ models, contextSchema });
      await expect(graph.invoke(question, { context: given })).rejects.toMatchObject({
        code: "invalid_context",
        message: expect.stringContaining(problem),
      });
      expect(models.calls).toEqual([]);
    }
  });

  it.each([
    {
      name: "one of ours",
      schema: z.object({ limits: z.string() }),
      problem: "contextSchema.limits:",
    },
    {
      name: "a misspelt one",
      schema: z.object({ modle: z.string() }),
      problem: "contextSchema.modle:",
    },
    { name: "no object", schema: z.string(), problem: "contextSchema: expected a zod object" },
    {
      name: "no schema",
      schema: { tenant: "text" },
      problem: "contextSchema: expected a zod object",
    },
    { name: "null", schema: null, problem: "contextSchema: expected a zod object, got null" },
  ])("are refused when a graph is made: $name", ({ schema, problem }) => {
    const models = scriptedModel([]);
    const routes = { only: { description: "All.", graph: createReactGraph({ models }) } };
    const options = { models, routes };
    Reflect.set(options, "contextSchema", schema);
    const { routes: _routes, ...rest } = options;
    const makers = [
      () => createRouterGraph(options),
      ...graphs.map(
        ({ create }) =>
          () =>
            create(rest),
      ),
    ];
    for (const make of makers) {
      expect(make).toThrow(problem);
      expect(make).toThrow(expect.objectContaining({ code: "invalid_option" }));
    }
  });

  it("reach the tools of a route and of a graph as a tool", async () => {
    const { price, seen } = contextTool();
    const models = scriptedModel([
      { toolCalls: [{ name: "expert", args: { question: "Price it." } }] },
      calling,
      "300",
      "300",
    ]);
    const expert = asTool(createReactGraph({ models, tools: [price] }), {
      name: "expert",
      description: "Knows prices.",
    });
    const graph = createRouterGraph({
      models,
      routes: {
        all: { description: "All.", graph: createReactGraph({ models, tools: [expert] }) },
      },
      contextSchema,
    });
    await graph.invoke(question, { context });
    expect(seen).toEqual([seenContext]);
  });

  it("reach the hooks of middleware by its own schema", async () => {
    const seen: unknown[] = [];
    const watch = createMiddleware({
      name: "watch",
      contextSchema: z.object({ region: z.string() }),
      beforeModel: (_state, runtime) => {
        seen.push(runtime.context);
      },
    });
    const graph = createReactGraph({
      models: scriptedModel(["300"]),
      contextSchema,
      middleware: [watch],
    });
    await graph.invoke(question, { context });
    expect(seen).toEqual([{ region: "EU" }]);
  });

  it("leave the context as it is where there is no schema", async () => {
    const { price, seen } = contextTool();
    const graph = createReactGraph({ models: scriptedModel([calling, "300"]), tools: [price] });
    await graph.invoke(question, { context });
    expect(seen).toEqual([context]);
  });
});

it("a context of withConfig is read like that of a call, which wins", async () => {
  const { price, seen } = contextTool();
  const models = scriptedModel([calling, "300", calling, "300"]);
  const graph = createReactGraph({ models, tools: [price], contextSchema });
  const bound: Untyped = graph.withConfig({ context: { tenant: "ann", region: "US" } });
  await bound.invoke(question, {});
  await bound.invoke(question, { context: { tenant: "bob" } });
  expect(seen).toEqual([
    { tenant: "ann", region: "US", level: 1 },
    { tenant: "bob", region: "US", level: 1 },
  ]);
});

it("limits of a context of withConfig count", async () => {
  const { price } = contextTool();
  const models = scriptedModel([calling, "300"]);
  const graph = createReactGraph({ models, tools: [price], earlyStopping: "force" });
  const bound = graph.withConfig({ context: { limits: { modelCalls: 1 } } });
  const { outcome } = await bound.invoke(question);
  expect(outcome).toMatchObject({ status: "limit", limit: "modelCalls" });
});

it("a paused run is resumed with the context of the resume", async () => {
  const { price, seen } = contextTool();
  const models = scriptedModel([calling, "300"]);
  const graph = createReactGraph({
    models,
    tools: [withPolicy(price, { needsApproval: true })],
    contextSchema,
    checkpointer: new MemorySaver(),
  });
  const thread = { configurable: { thread_id: "1" } };
  await graph.invoke(question, { ...thread, context: { tenant: "ann" } });
  const resume = new Command({ resume: { decisions: [{ type: "approve" }] } });
  const without: Untyped = graph;
  await expect(without.invoke(resume, thread)).rejects.toThrow("context.tenant");
  expect(seen).toEqual([]);
  const { outcome } = await graph.invoke(resume, { ...thread, context: { tenant: "bob" } });
  expect(outcome).toEqual({ status: "answered" });
  expect(seen).toEqual([{ tenant: "bob", region: "EU", level: 1 }]);
});
