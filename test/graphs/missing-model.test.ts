import { expect, it } from "vitest";

import {
  calculator,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";

const environment = {};
const messages = [{ role: "user", content: "What is 12 * 12?" }];
const route = { description: "Sums.", graph: createReactGraph({ environment }) };
// Null and an empty object come from configuration files.
const none: object[] = [{}, { models: undefined }, { models: null }, { models: {} }];
const graphs = [
  { name: "react", create: createReactGraph },
  { name: "rewoo", create: createRewooGraph },
  { name: "plan-execute", create: createPlanExecuteGraph },
  { name: "llm-compiler", create: createLlmCompilerGraph },
  {
    name: "router",
    // A router has no tools of its own.
    create: ({ tools: _tools, ...options }: { readonly tools?: unknown }) =>
      createRouterGraph({ ...options, routes: { one: route, two: route } }),
  },
  {
    name: "a route of a router",
    create: () => createRouterGraph({ models: scriptedModel(["one"]), routes: { one: route } }),
  },
];

it.each(graphs.flatMap((graph) => none.map((options) => ({ ...graph, options }))))(
  "throws missing_model from $name with $options",
  async ({ create, options }) => {
    const run = create({ ...options, environment, tools: [calculator] }).invoke({ messages });

    await expect(run).rejects.toMatchObject({ code: "missing_model" });
  },
);

it("asks no model where another role has none", async () => {
  const model = scriptedModel(["Never asked."]);
  const graph = createRewooGraph({ models: { solver: model }, environment, tools: [calculator] });

  await expect(graph.invoke({ messages })).rejects.toMatchObject({ code: "missing_model" });
  expect(model.calls).toHaveLength(0);
});

it.each([
  { name: "the options", options: { models: "offline" }, config: {} },
  { name: "a run's context", options: {}, config: { context: { model: "offline" } } },
  { name: "the environment", options: { environment: { PLANGRAPH_MODEL: "offline" } }, config: {} },
])("answers offline where $name say so", async ({ options, config }) => {
  const graph = createReactGraph({ environment, tools: [calculator], ...options });
  const { answer } = await graph.invoke({ messages }, config);

  expect(answer).toBe("The result is 144.");
});
