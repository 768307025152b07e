import { SystemMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
} from "../../src/index.js";
import { settableIn } from "../../src/run/context-fields.js";
import { contextSchema } from "../../src/runtime/options.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { question } from "../support/middleware.js";
import { finishWith, planText, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const contextFields = ["systemPrompt", "prompts", "tools"] as const;
const call = { toolCalls: [{ name: "price", args: { item: "tea" } }] };
const plan = planText(stepOf("price", "tea"));

/** Each graph with what its models say in a run, and the prompt of each request. */
const graphs = [
  { name: "react", create: createReactGraph, replies: [call, "3."], asked: ["agent", "agent"] },
  {
    name: "rewoo",
    create: createRewooGraph,
    replies: [plan, "3."],
    asked: ["planner", "solver"],
  },
  {
    name: "llm-compiler",
    create: createLlmCompilerGraph,
    replies: [plan, finishWith("3.")],
    asked: ["planner", "joiner"],
  },
  {
    name: "plan-execute",
    create: createPlanExecuteGraph,
    replies: [taskPlanText({ task: "Price it." }), call, "3", respondWith("3.")],
    asked: ["planner", "executor", "executor", "replanner"],
  },
];

const routeTo = (graph: ReturnType<typeof createReactGraph>) => ({ description: "All.", graph });

/** The beginning of each request's system message. */
function begins({ calls }: ReturnType<typeof scriptedModel>) {
  return calls.map(({ messages }) => messages[0]?.text.split("\n")[0]);
}

describe.each(graphs)("the context of $name", ({ create, replies, asked }) => {
  it("sets the prompts of one run, and the options hold in the next", async () => {
    const models = scriptedModel([...replies, ...replies]);
    const { tools } = countingTools("price");
    const optionsOf = Object.fromEntries(asked.map((role) => [role, `The option of ${role}.`]));
    const graph = create({ models, tools, contextFields, prompts: optionsOf });
    const prompts = Object.fromEntries(asked.map((role) => [role, `The context of ${role}.`]));
    await graph.invoke(question, { context: { prompts } });
    await graph.invoke(question);
    expect(begins(models)).toEqual([
      ...asked.map((role) => `The context of ${role}.`),
      ...asked.map((role) => `The option of ${role}.`),
    ]);
  });

  it("sets the system prompt of one run in every request", async () => {
    const models = scriptedModel(replies);
    const { tools } = countingTools("price");
    const systemPrompt = new SystemMessage("The option.");
    const graph = create({ models, tools, contextFields, systemPrompt });
    const { outcome } = await graph.invoke(question, { context: { systemPrompt: "For once." } });
    expect(outcome).toEqual({ status: "answered" });
    expect(begins(models)).toEqual(replies.map(() => "For once."));
  });

  it("narrows the tools that models are offered or read of", async () => {
    const models = scriptedModel([...replies, ...replies]);
    const { tools } = countingTools("price", "stockpile");
    const graph = create({ models, tools, contextFields });
    await graph.invoke(question, { context: { tools: ["price"] } });
    expect(JSON.stringify(models.calls)).toContain("price");
    expect(JSON.stringify(models.calls)).not.toContain("stockpile");
    await graph.invoke(question);
    expect(JSON.stringify(models.calls)).toContain("stockpile");
  });
});

it("an agent without a remaining tool is not told of tools", async () => {
  const models = scriptedModel(["Hello."]);
  const { tools } = countingTools("price");
  const graph = createReactGraph({ models, tools, contextFields });
  await graph.invoke(question, { context: { tools: [] } });
  expect(models.calls[0]?.messages[0]?.text).not.toMatch(/tool/i);
  expect(models.calls[0]?.tools).toEqual([]);
});

it("a router passes them to the routes that list them, and to no other", async () => {
  const models = scriptedModel(['{"route":"open","reason":"It fits."}', "3.", "3."]);
  const { tools } = countingTools("price");
  const other = createReactGraph({ models });
  const open = createReactGraph({ models, tools, contextFields });
  const shut = createReactGraph({ models, tools });
  const context = { systemPrompt: "For once.", tools: [], prompts: { router: "Choose." } };
  const routes = { open: routeTo(open), other: routeTo(other) };
  await createRouterGraph({ models, contextFields, routes }).invoke(question, { context });
  expect(begins(models)).toEqual(["For once.", "For once."]);
  expect(models.calls[0]?.messages[0]?.text).toContain("Choose.");
  expect(models.calls[1]?.tools).toEqual([]);
  const single = createRouterGraph({ models, contextFields, routes: { shut: routeTo(shut) } });
  await single.invoke(question, { context });
  expect(begins(models)[2]).not.toBe("For once.");
  expect(models.calls[2]?.tools).toHaveLength(1);
});

it.each([
  { listed: [], shown: [] },
  { listed: ["tools"], shown: ["tools"] },
  { listed: ["systemPrompt", "prompts"], shown: ["systemPrompt", "prompts"] },
] as const)("LangGraph Studio shows $listed", ({ listed, shown }) => {
  const { shape } = contextSchema(["executor"], undefined, settableIn(listed));
  expect(Object.keys(shape).filter((name) => contextFields.some((one) => one === name))).toEqual(
    shown,
  );
});
