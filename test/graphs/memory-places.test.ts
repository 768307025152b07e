import { describe, expect, it } from "vitest";

import {
  asTool,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type ReactOptions,
} from "../../src/index.js";
import { type ModelReply, scriptedModel } from "../../src/testing/index.js";
import { counting, toldIn } from "../support/memory.js";
import { call, priceTool, question } from "../support/middleware.js";
import { finishWith, planText, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";
import { choice } from "../support/two-routes.js";

/** The options that all graphs have. */
const planning = ({ prompts: _prompts, examples: _examples, ...options }: ReactOptions) => options;
type Invocable = { invoke(input: typeof question): Promise<unknown> };

const rounds: readonly {
  readonly name: string;
  readonly create: (options: ReactOptions) => Invocable;
  readonly replies: readonly ModelReply[];
  readonly told: readonly string[];
}[] = [
  {
    name: "rewoo: planner, solver",
    create: (options) => createRewooGraph(planning(options)),
    replies: [planText(stepOf("price", "tea")), "3 euros."],
    told: ["- order: Order 1.", "- order: Order 2."],
  },
  {
    name: "llm-compiler: planner, joiner",
    create: (options) => createLlmCompilerGraph(planning(options)),
    replies: [planText(stepOf("price", "tea")), finishWith("3 euros.")],
    told: ["- order: Order 1.", "- order: Order 2."],
  },
  {
    name: "plan-execute: planner, the step's two calls, replanner",
    create: (options) => createPlanExecuteGraph(planning(options)),
    replies: [
      taskPlanText({ task: "Price tea." }),
      call("tea", "c1"),
      "3.",
      respondWith("3 euros."),
    ],
    told: [1, 2, 3, 4].map((round) => `- order: Order ${round}.`),
  },
];

describe("memory of a graph that plans", () => {
  it.each(rounds)("is told to $name", async ({ create, replies, told }) => {
    const { price } = priceTool();
    const model = scriptedModel(replies);
    const order = counting("Order");

    const graph = create({ model, tools: [price], memory: { order: order.provide } });
    await graph.invoke(question);

    expect(toldIn(model)).toEqual(told);
    expect(order.asked()).toBe(told.length);
    model.assertExhausted();
  });

  it("leaves what the planner knew for the calls of the plan, while a step asks a model", async () => {
    const { price } = priceTool();
    const plan = planText(
      { tool: "llm", args: { prompt: "Which?" } },
      { tool: "price", args: { item: "{{E1}}" } },
    );
    const model = scriptedModel([plan, "tea", "3 euros."]);
    const order = counting("Order");
    const graph = createRewooGraph({
      model,
      tools: [price],
      memory: { order: order.provide },
    });

    const { run } = await graph.invoke(question);

    expect(toldIn(model)).toEqual(["- order: Order 1.", "- order: Order 2.", "- order: Order 3."]);
    expect(run?.memory).toEqual({ order: { text: "Order 3." } });
  });
});

describe("memory of a run inside another one", () => {
  it("is inherited by a route, and its own names win", async () => {
    const router = scriptedModel([choice("physics")]);
    const model = scriptedModel(["42."]);
    const order = counting("Order");
    const shop = counting("Shop");
    const expert = createReactGraph({ model, memory: { profile: () => "Its own profile." } });
    const graph = createRouterGraph({
      models: router,
      memory: {
        profile: () => "Member.",
        order: order.provide,
        shop: { provide: shop.provide, keep: true },
      },
      routes: {
        physics: { description: "Nature.", graph: expert },
        other: { description: "The rest.", graph: createReactGraph({ model }) },
      },
    });

    await graph.invoke(question);

    expect(toldIn(router)).toEqual(["- profile: Member.\n- order: Order 1.\n- shop: Shop 1."]);
    expect(toldIn(model)).toEqual([
      "- profile: Its own profile.\n- order: Order 2.\n- shop: Shop 1.",
    ]);
    expect(shop.asked()).toBe(1);
  });

  it("is inherited by a graph as a tool, and what that learns stays in it", async () => {
    const inner = scriptedModel(["Four."]);
    const expert = asTool(createReactGraph({ model: inner }), {
      name: "expert",
      description: "An expert.",
    });
    const model = scriptedModel([
      { toolCalls: [{ name: "expert", args: { question: "2 + 2?" }, id: "c1" }] },
      "It is four.",
    ]);
    const order = counting("Order");
    const graph = createReactGraph({ model, tools: [expert], memory: { order: order.provide } });

    await graph.invoke(question);

    expect(toldIn(inner)).toEqual(["- order: Order 2."]);
    expect(toldIn(model)).toEqual(["- order: Order 1.", "- order: Order 3."]);
  });
});
