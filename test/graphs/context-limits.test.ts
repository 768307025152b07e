import { describe, expect, it } from "vitest";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { question } from "../support/middleware.js";

const createRoute = (options: object) => {
  const { models, ...rest } = { models: scriptedModel(["Done."]), ...options };
  const graph = createReactGraph({ models });
  return createRouterGraph({ ...rest, models, routes: { all: { description: "All.", graph } } });
};
const graphs = [
  { name: "react", create: createReactGraph },
  { name: "rewoo", create: createRewooGraph },
  { name: "plan-execute", create: createPlanExecuteGraph },
  { name: "llm-compiler", create: createLlmCompilerGraph },
  { name: "router", create: createRoute },
];

describe.each(graphs)("the limits in a context of $name", ({ create }) => {
  it.each([
    {
      name: "a higher number",
      own: { modelCalls: 3 },
      given: { modelCalls: 4 },
      of: "4 is more than the graph's 3",
    },
    {
      name: "none",
      own: { seconds: 60 },
      given: { seconds: null },
      of: "null is more than the graph's 60",
    },
    {
      name: "more than a default",
      own: {},
      given: { modelCalls: 101 },
      of: "101 is more than the graph's 100",
    },
    { name: "no default", own: {}, given: { tokens: null }, of: "null is more than" },
  ])("may not be $name, and no model is asked", async ({ own, given, of }) => {
    const models = scriptedModel([]);
    const graph = create({ models, limits: own });
    const run = graph.invoke(question, { context: { limits: given } });
    await expect(run).rejects.toThrow(of);
    await expect(run).rejects.toMatchObject({ code: "invalid_context" });
    expect(models.calls).toEqual([]);
  });
});

it.each([
  { own: { modelCalls: 3 }, given: { modelCalls: 3 }, name: "the same" },
  { own: { modelCalls: null }, given: { modelCalls: 9 }, name: "one where there is none" },
  { own: {}, given: { costUsd: 1 }, name: "one without a default" },
  { own: { modelCalls: 3 }, given: { modelCalls: undefined }, name: "nothing" },
])("a context may say $name", async ({ own, given }) => {
  const prices = { scripted: { input: 1, output: 1 } };
  const models = scriptedModel(["Done."], { model: "scripted" });
  const graph = createReactGraph({ models, limits: own, prices });
  const { outcome } = await graph.invoke(question, { context: { limits: given } });
  expect(outcome).toEqual({ status: "answered" });
});
