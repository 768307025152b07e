import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import type { Limits } from "../../src/index.js";
import { type ModelAnswer, scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { planningGraphs } from "../support/planning-graphs.js";
import { planText, type PlannedStep, stepOf } from "../support/plans.js";

const ask = { messages: [{ role: "user" as const, content: "What does tea cost?" }] };
const usage = { input: 10, output: 1 };

/** A model that plans these steps, reasons, solves and closes, at 11 tokens a call; it notes which of these it did. */
function planningModel(steps: readonly PlannedStep[]) {
  const asked: string[] = [];
  const models = scriptedModel((messages): ModelAnswer => {
    const last = messages.at(-1)?.text ?? "";
    const what = workIn(last);
    asked.push(what);
    return { text: what === "plan" ? planText(...steps) : `${what} done.`, usage };
  });
  return { asked, models };
}

function workIn(text: string): "plan" | "closing" | "decide" | "solve" | "reason" {
  if (text.includes("Stop here")) return "closing";
  if (text.includes("if the results answer the question")) return "decide";
  // So a solver is asked; a joiner is shown the decision to finish there.
  if (text.includes("Answer the question") || text.includes('"finish"')) return "solve";
  return text.includes("in the form above") ? "plan" : "reason";
}

/** A tool that does not listen and does not end. */
const deaf = tool(() => new Promise<string>(() => {}), {
  name: "deaf",
  description: "Deaf.",
  schema: z.object({}),
});

type Case = {
  readonly name: string;
  readonly limits: Limits;
  readonly limit: string;
  readonly steps: readonly PlannedStep[];
  /** What the model was asked before the run came to its end. */
  readonly asked: readonly string[];
  /** What it was asked at the end, the closing call left out. */
  readonly atEnd?: readonly string[];
  readonly runs: readonly string[];
};

const two = [stepOf("price", "tea"), stepOf("stock", "{{E1}}")];
const both = ["price tea", "stock price of tea"];

const cases: readonly Case[] = [
  {
    name: "no model call for the plan",
    limits: { modelCalls: 0 },
    limit: "modelCalls",
    steps: two,
    asked: [],
    runs: [],
  },
  {
    name: "no model call left for the answer",
    limits: { modelCalls: 1 },
    limit: "modelCalls",
    steps: two,
    asked: ["plan"],
    runs: both,
  },
  {
    name: "no model call left for a step that reasons",
    limits: { modelCalls: 1 },
    limit: "modelCalls",
    steps: [stepOf("price", "tea"), { tool: "llm", args: { prompt: "{{E1}}?" } }],
    asked: ["plan"],
    runs: ["price tea"],
  },
  {
    name: "a tool call less than the plan needs",
    limits: { toolCalls: 1 },
    limit: "toolCalls",
    steps: two,
    asked: ["plan"],
    runs: ["price tea"],
  },
  {
    name: "no tool call at all",
    limits: { toolCalls: 0 },
    limit: "toolCalls",
    steps: two,
    asked: ["plan"],
    runs: [],
  },
  {
    name: "tokens for the plan alone",
    limits: { tokens: 11 },
    limit: "tokens",
    steps: two,
    asked: ["plan"],
    runs: [],
  },
  {
    name: "tokens until a step has reasoned",
    limits: { tokens: 22 },
    limit: "tokens",
    steps: [
      stepOf("price", "tea"),
      { tool: "llm", args: { prompt: "{{E1}}?" } },
      stepOf("stock", "{{E2}}"),
    ],
    asked: ["plan", "reason"],
    runs: ["price tea"],
  },
  {
    name: "money for the plan alone",
    limits: { costUsd: 0.000_01 },
    limit: "costUsd",
    steps: two,
    asked: ["plan"],
    runs: [],
  },
  {
    name: "time until a step that does not end",
    limits: { seconds: 1 },
    limit: "seconds",
    steps: [...two, { tool: "deaf", args: {} }],
    asked: ["plan"],
    runs: both,
  },
  {
    name: "a call that a plan repeats too often",
    limits: { repeatedCalls: 2 },
    limit: "repeatedCalls",
    steps: [
      stepOf("price", "tea"),
      stepOf("price", "tea"),
      stepOf("price", "tea", "E1", "E2"),
      stepOf("stock", "{{E3}}"),
    ],
    asked: ["plan"],
    atEnd: ["decide"],
    runs: ["price tea", "price tea"],
  },
];

const prices = { "scripted-model": { input: 1, output: 0 } };

describe.each(planningGraphs)("the graph $name", ({ create }) => {
  describe.each(cases)("a limit that leaves $name", ({ limits, limit, steps, runs, ...rest }) => {
    const { asked, atEnd = [] } = rest;

    const planned = (earlyStopping: "generate" | "force") => {
      const { tools, runs: made } = countingTools("price", "stock");
      const model = planningModel(steps);
      const options = { limits, earlyStopping, prices, models: model.models };
      const graph = create({ ...options, tools: [...tools, deaf] });
      return { graph, model, made };
    };

    it("ends the run with an answer from what was found, and one call more for it", async () => {
      const { graph, model, made } = planned("generate");
      const result = await graph.invoke(ask);
      expect(result.outcome).toEqual({ status: "limit", limit });
      expect(result.answer).toBe("closing done.");
      expect(result.messages.at(-1)).toMatchObject({ type: "ai", text: "closing done." });
      expect(model.asked).toEqual([...asked, ...atEnd, "closing"]);
      expect(made).toEqual(runs);
      expect(result.usage).toMatchObject({
        modelCalls: model.asked.length,
        tokensIn: 10 * model.asked.length,
      });
      const told = model.models.calls.at(-1)?.messages.at(-1)?.text;
      for (const run of runs) expect(told).toContain(`: ${run.replace(" ", " of ")}\n`);
    });

    it("with early stopping by force ends it with the results, and no further call", async () => {
      const { graph, model, made } = planned("force");
      const result = await graph.invoke(ask);
      expect(result.outcome).toEqual({ status: "limit", limit });
      expect(model.asked).toEqual(asked);
      expect(made).toEqual(runs);
      expect(result.answer).toMatch(/I had to stop before I was done/);
      for (const run of runs) expect(result.answer).toContain(`: ${run.replace(" ", " of ")}`);
    });
  });

  it("a plan that needs exactly its limits is answered", async () => {
    const { tools } = countingTools("price", "stock");
    const { models } = planningModel(two);
    const limits = { modelCalls: 2, toolCalls: 2, planSteps: 2, tokens: 23 };
    const result = await create({ models, tools, limits }).invoke(ask);
    expect(result).toMatchObject({ answer: "solve done.", outcome: { status: "answered" } });
  });

  it("at a limit of ReAct, which the run went on as, results that are in messages are not told twice", async () => {
    const { tools } = countingTools("price");
    using models = scriptedModel([
      "{}",
      "{}",
      "{}",
      { toolCalls: [{ name: "price", args: { item: "tea" } }] },
      "Tea costs 3.",
    ]);
    const graph = create({ models, tools, limits: { modelCalls: 4 } });
    const result = await graph.invoke(ask);
    expect(result.outcome).toEqual({ status: "limit", limit: "modelCalls" });
    const texts = models.calls[4]?.messages.map(({ text }) => text) ?? [];
    expect(texts.filter((text) => text.includes("price of tea"))).toEqual(["price of tea"]);
  });
});
