import { describe, expect, it } from "vitest";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  type PlanExample,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { question } from "../support/middleware.js";
import { finishWith, planText, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const call = { toolCalls: [{ name: "price", args: { item: "tea" } }] };
const shopping: PlanExample = {
  question: "What do milk and a cup cost?",
  steps: [
    { thought: "The milk.", tool: "price", args: { item: "milk" } },
    { tool: "llm", args: { prompt: "Add a cup to {{E1}}." } },
  ],
};
const written =
  'An example. "What do milk and a cup cost?" is planned as\n' +
  '{"steps":[{"id":"E1","thought":"The milk.","tool":"price","args":{"item":"milk"}},' +
  '{"id":"E2","tool":"llm","args":{"prompt":"Add a cup to {{E1}}."}}]}';
const cup = {
  question: "What does a cup cost?",
  calls: [{ tool: "price", args: { item: "cup" }, result: "2 euros" }],
  answer: "A cup is 2 euros.",
};

const plan = (...steps: readonly object[]) => ({ planner: [{ question: "What?", steps }] });

describe.each([
  { name: "rewoo", create: createRewooGraph, last: "3." },
  { name: "llm-compiler", create: createLlmCompilerGraph, last: finishWith("3.") },
])("examples of plans in $name", ({ create, last }) => {
  it("stand in the planner's prompt in the requested form", async () => {
    const models = scriptedModel([planText(stepOf("price", "tea")), last]);
    const { tools } = countingTools("price");
    const graph = create({ models, tools, examples: { planner: [shopping] } });
    await graph.invoke(question);
    expect(models.calls[0]?.messages[0]?.text).toContain(written);
    expect(models.calls[0]?.messages[0]?.text.match(/An example/g)).toHaveLength(1);
  });

  it("are left out where the run may not use their tools", async () => {
    const models = scriptedModel([
      planText({ tool: "llm", args: { prompt: "Guess." } }),
      "3",
      last,
    ]);
    const { tools } = countingTools("price", "stock");
    const examples = { planner: [shopping] };
    const graph = create({ models, tools, examples, contextFields: ["tools"] });
    await graph.invoke(question, { context: { tools: ["stock"] } });
    expect(models.calls[0]?.messages[0]?.text).not.toContain("An example");
  });
});

it("an empty list takes the built-in example away", async () => {
  const models = scriptedModel([taskPlanText({ task: "Price it." }), "3", respondWith("3.")]);
  await createPlanExecuteGraph({ models, examples: { planner: [] } }).invoke(question);
  expect(models.calls[0]?.messages[0]?.text).not.toContain("An example");
});

it("plan-execute shows tasks to its planner, and turns to its executor", async () => {
  const models = scriptedModel([taskPlanText({ task: "Price it." }), call, "3", respondWith("3.")]);
  const { tools } = countingTools("price");
  const steps = [{ task: "Find the price." }, { task: "Add it.", after: ["S1"], final: true }];
  const examples = { planner: [{ question: "What do two cups cost?", steps }], executor: [cup] };
  await createPlanExecuteGraph({ models, tools, examples }).invoke(question);
  const [planner, executor] = models.calls;
  expect(planner?.messages[0]?.text).toContain(
    '{"steps":[{"id":"S1","task":"Find the price.","after":[]},{"id":"S2","task":"Add it.","after":["S1"],"final":true}]}',
  );
  expect(executor?.messages.map(({ text }) => text).slice(1, 5)).toEqual([
    cup.question,
    "",
    "2 euros",
    cup.answer,
  ]);
});

describe("examples of an agent", () => {
  it("are earlier turns for the model, and in neither result nor state", async () => {
    const models = scriptedModel([call, "3."]);
    const { tools } = countingTools("price");
    const graph = createReactGraph({ models, tools, examples: { agent: [cup] } });
    const { messages } = await graph.invoke(question);
    expect(models.calls.map((each) => each.messages.map(({ type }) => type))).toEqual([
      ["system", "human", "ai", "tool", "ai", "human"],
      ["system", "human", "ai", "tool", "ai", "human", "ai", "tool"],
    ]);
    expect(messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "ai"]);
  });

  it("are calls in JSON where the model has no tool calls", async () => {
    const models = scriptedModel(["3."]);
    const { tools } = countingTools("price");
    const examples = { agent: [cup] };
    await createReactGraph({ models, tools, examples, protocol: "json" }).invoke(question);
    expect(models.calls[0]?.messages.map(({ type }) => type)).not.toContain("tool");
    expect(JSON.stringify(models.calls[0]?.messages)).toContain("2 euros");
  });

  it("ground no arguments", async () => {
    const models = scriptedModel([
      { toolCalls: [{ name: "price", args: { item: "cup" } }] },
      "I do not know.",
    ]);
    const { tools, runs } = countingTools("price");
    const toolPolicies = { price: { grounded: ["item"] } };
    const graph = createReactGraph({ models, tools, toolPolicies, examples: { agent: [cup] } });
    await graph.invoke(question);
    expect(runs).toEqual([]);
  });

  it("are left out where the run may not use their tools", async () => {
    const models = scriptedModel(["3."]);
    const { tools } = countingTools("price", "stock");
    const examples = { agent: [cup] };
    const graph = createReactGraph({ models, tools, examples, contextFields: ["tools"] });
    await graph.invoke(question, { context: { tools: ["stock"] } });
    expect(models.calls[0]?.messages).toHaveLength(2);
  });
});

describe("examples that would teach a mistake", () => {
  const { tools } = countingTools("price");
  it.each([
    { name: "an unknown tool", examples: plan({ tool: "cost", args: {} }), problem: 'tool "cost"' },
    {
      name: "a reference to a later step",
      examples: plan(
        { tool: "price", args: { item: "{{E2}}" } },
        { tool: "price", args: { item: "tea" } },
      ),
      problem: "examples.planner.0: ",
    },
    { name: "no steps", examples: plan(), problem: "at least one step" },
    { name: "a task", examples: plan({ task: "Do it." }), problem: "planner.0.steps.0" },
    { name: "a text", examples: { planner: "Plan." }, problem: "examples.planner" },
    {
      name: "an agent's call of an unknown tool",
      examples: { agent: [{ ...cup, calls: [{ tool: "cost", args: {}, result: "2" }] }] },
      problem: 'examples.agent.0: there is no tool "cost"; the tools are price',
    },
    { name: "no answer", examples: { agent: [{ question: "What?" }] }, problem: "agent.0.answer" },
    { name: "an unknown role", examples: { solver: [] }, problem: 'there is no "solver"' },
    { name: "a list", examples: [cup], problem: "createRewooGraph: examples: expected an object" },
  ])("$name are refused when the graph is made", ({ examples, problem }) => {
    const options: object = { tools, examples };
    expect(() => createRewooGraph(options)).toThrow(problem);
    expect(() => createRewooGraph(options)).toThrow(
      expect.objectContaining({ code: "invalid_option" }),
    );
  });

  it.each([
    { name: "an unknown task", steps: [{ task: "Add.", after: ["S7"] }] },
    {
      name: "a circle",
      steps: [
        { task: "A.", after: ["S2"] },
        { task: "B.", after: ["S1"] },
      ],
    },
  ])("tasks that wait for $name are refused", ({ steps }) => {
    const examples = { planner: [{ question: "What?", steps }] };
    expect(() => createPlanExecuteGraph({ examples })).toThrow("examples.planner.0: ");
  });
});
