import { describe, expect, it } from "vitest";

import {
  type AgentEvent,
  createLlmCompilerGraph,
  createRewooGraph,
  type Limits,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { planningGraphs } from "../support/planning-graphs.js";
import { planText, readingTools, stepOf } from "../support/plans.js";

const ask = { messages: [{ role: "user" as const, content: "What does tea cost?" }] };

const good = planText(stepOf("price", "tea"));

const hard: readonly { name: string; plan: string; told: string; limits?: Limits }[] = [
  {
    name: "of no steps",
    plan: '{"steps":[]}',
    told: "expected a plan with at least one step, got none",
  },
  {
    name: "whose steps wait for each other",
    plan: planText(stepOf("price", "{{E2}}"), stepOf("stock", "{{E1}}")),
    told: "expected steps in an order, got steps that wait for each other: E1 → E2 → E1",
  },
  {
    name: "with a step that waits for itself",
    plan: planText(stepOf("price", "{{E1}}")),
    told: "E1: expected an earlier step, got the step itself",
  },
  {
    name: "with a reference to a later step",
    plan: planText(stepOf("price", "tea", "E2"), stepOf("stock", "tea")),
    told: "E1: expected an earlier step, got E2, which comes later",
  },
  {
    name: "with a reference to no step",
    plan: planText(stepOf("price", "tea"), stepOf("stock", "{{E7}}")),
    told: 'E2: expected E1, got "E7", which is no step',
  },
  {
    name: "with an id twice",
    plan: planText(stepOf("price", "tea"), { ...stepOf("stock", "tea"), id: "E1" }),
    told: 'expected an id of its own, got "E1": another step has it; E2 is free',
  },
  {
    name: "with an unknown tool",
    plan: planText(stepOf("weight", "tea")),
    told: 'E1: expected one of the tools price, stock, llm, got "weight"',
  },
  {
    name: "with arguments that the tool does not take",
    plan: planText({ tool: "price", args: { thing: "tea" } }),
    told: "E1, price: ",
  },
  {
    name: "of more steps than the limit",
    plan: planText(stepOf("price", "tea"), stepOf("price", "milk"), stepOf("price", "oats")),
    told: "expected at most 2 steps, got 3",
    limits: { planSteps: 2 },
  },
];

describe.each(planningGraphs)("the graph $name", ({ create, planning }) => {
  describe.each(hard)("a plan $name", ({ plan, told, limits }) => {
    it.each([
      { name: "once", wrong: [plan], modelCalls: 3 },
      { name: "twice", wrong: [plan, plan], modelCalls: 4 },
    ])("goes back with what is wrong, $name, and the next one runs", async (row) => {
      const { tools, runs } = countingTools("price", "stock");
      using models = scriptedModel([...row.wrong, good, "Tea costs 3."]);
      const result = await create({ models, tools, limits }).invoke(ask);
      for (const at of row.wrong.keys()) {
        expect(models.calls[at + 1]?.messages.at(-1)?.text).toContain(told);
      }
      expect(result).toMatchObject({
        answer: "Tea costs 3.",
        usage: { modelCalls: row.modelCalls, toolCalls: 1 },
      });
      expect(runs).toEqual(["price tea"]);
    });

    it("that comes three times makes the run go on as ReAct does", async () => {
      const { tools, runs } = countingTools("price", "stock");
      using models = scriptedModel([
        plan,
        plan,
        plan,
        { toolCalls: [{ name: "price", args: { item: "milk" } }] },
        "Milk costs 2.",
      ]);
      const events: AgentEvent[] = [];
      const graph = create({ models, tools, limits });
      for await (const event of await graph.stream(ask, { streamMode: "custom" }))
        events.push(event);
      const types = events.map(({ type }) => type);
      expect(types.filter((type) => type === "degraded")).toHaveLength(1);
      expect(types).not.toContain("plan_made");
      expect(events.find(({ type }) => type === "degraded")).toMatchObject({
        to: "react",
        node: planning,
        reason: expect.stringContaining(told),
      });
      expect(events.at(-1)).toMatchObject({
        type: "run_finished",
        outcome: { status: "answered" },
        usage: { modelCalls: 5, toolCalls: 1 },
        content: { answer: "Milk costs 2." },
      });
      expect(runs).toEqual(["price milk"]);
    });
  });

  it("all that is wrong with a plan goes back at once", async () => {
    const { tools } = countingTools("price", "stock");
    const wrong = planText(stepOf("weight", "{{E3}}"), stepOf("price", "{{E9}}"), {
      ...stepOf("stock", "tea"),
      id: "E2",
    });
    using models = scriptedModel([wrong, good, "Tea costs 3."]);
    await create({ models, tools }).invoke(ask);
    const told = models.calls[1]?.messages.at(-1)?.text;
    for (const part of ['got "weight"', 'got "E9"', 'got "E2"']) expect(told).toContain(part);
  });

  it.each([
    { name: "in one line", answer: "Tea costs 3." },
    { name: "over several lines", answer: "It depends:\nloose tea costs 3." },
  ])("a planner that answers $name ends the run with that", async ({ answer }) => {
    const { tools, runs } = countingTools("price");
    using models = scriptedModel([JSON.stringify({ steps: [], answer })]);
    const result = await create({ models, tools }).invoke(ask);
    expect(result).toMatchObject({
      answer,
      outcome: { status: "answered" },
      usage: { modelCalls: 1, toolCalls: 0 },
      steps: [],
    });
    expect(result.messages.at(-1)).toMatchObject({ type: "ai", text: answer });
    expect(runs).toEqual([]);
  });

  it("a planner that cannot be reached does not end the run: the agent may", async () => {
    const { tools } = countingTools("price");
    using planner = scriptedModel([new Error("no planner here")]);
    using executor = scriptedModel(["Tea costs 3."]);
    const graph = create({ models: { planner, executor }, tools });
    const result = await graph.invoke(ask);
    expect(result).toMatchObject({ answer: "Tea costs 3.", outcome: { status: "answered" } });
  });
});

describe.each([
  {
    name: "with a reference to no step",
    plan: planText(stepOf("price", "tea"), stepOf("stock", "{{E7}}")),
    valid: ["price tea"],
  },
  {
    name: "with an unknown tool",
    plan: planText(stepOf("weight", "tea"), stepOf("price", "{{E1}}"), stepOf("stock", "tea")),
    valid: ["stock tea"],
  },
  {
    name: "of more steps than the limit",
    plan: planText(stepOf("price", "tea"), stepOf("price", "milk"), stepOf("price", "oats")),
    valid: ["price tea", "price milk"],
    limits: { planSteps: 2 },
  },
])("of steps that only read a plan $name that comes three times", ({ plan, valid, limits }) => {
  it.each([
    {
      name: "has nothing run by rewoo, which goes on as ReAct does",
      create: createRewooGraph,
      runs: [],
      degraded: 1,
      role: "executor",
    },
    {
      name: "leaves llm-compiler those that began, and the joiner answers from them",
      create: createLlmCompilerGraph,
      runs: valid,
      degraded: 0,
      role: "joiner",
    },
  ])("$name", async ({ create, runs, degraded, role }) => {
    const { tools, runs: made } = readingTools("price", "stock");
    using models = scriptedModel([plan, plan, plan, "I do not know."]);
    const events: AgentEvent[] = [];
    const graph = create({ models, tools, limits });
    for await (const event of await graph.stream(ask, { streamMode: "custom" })) events.push(event);
    expect(made).toEqual(runs);
    expect(events.filter(({ type }) => type === "degraded")).toHaveLength(degraded);
    expect(events.at(-1)).toMatchObject({
      type: "run_finished",
      outcome: { status: "answered" },
      usage: {
        modelCalls: 4,
        toolCalls: runs.length,
        byRole: { planner: { modelCalls: 3 }, [role]: { modelCalls: 1 } },
      },
      content: { answer: "I do not know." },
    });
  });
});
