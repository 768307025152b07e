import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { type AgentEvent, calculator } from "../../src/index.js";
import { type ModelReply, scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import {
  type PlanningGraph,
  planningGraphs,
  type PlanningOptions,
} from "../support/planning-graphs.js";
import { planText, type PlannedStep, stepOf } from "../support/plans.js";
import { requestText } from "../support/request-text.js";

const ask = { messages: [{ role: "user" as const, content: "Twice the price of tea?" }] };
const thread = { configurable: { thread_id: "1" } };

/** Doubles an amount; throws for one that is no number of its kind. */
function doubling() {
  const amounts: number[] = [];
  const double = tool(
    ({ amount }) => {
      amounts.push(amount);
      if (amount < 0) throw new Error("no amount is below zero");
      return `${amount * 2}`;
    },
    { name: "double", description: "Doubles.", schema: z.object({ amount: z.number() }) },
  );
  return { amounts, double };
}

const doubleOf = (amount: string): PlannedStep => ({ tool: "double", args: { amount } });
const twice = [stepOf("price", "tea"), doubleOf("{{E1}}")];

/** Runs a plan; the repairer, and the model that answers, have scripts of their own. */
async function planned(
  { create, answering }: PlanningGraph,
  steps: readonly PlannedStep[],
  repairs: readonly ModelReply[],
  options: PlanningOptions = {},
) {
  const { tools } = countingTools("price");
  const { amounts, double } = doubling();
  const planner = scriptedModel([planText(...steps)]);
  const repairer = scriptedModel(repairs);
  const answerer = scriptedModel(["Solved."]);
  const models = { planner, repairer, [answering]: answerer };
  const all = [...tools, double, ...(options.tools ?? [])];
  const graph = create({ ...options, models, tools: all });
  const events: AgentEvent[] = [];
  const config = { ...thread, streamMode: "custom" as const };
  for await (const event of await graph.stream(ask, config)) events.push(event);
  return { graph, events, amounts, repairer, answerer };
}

const typesOf = (events: readonly AgentEvent[], callId: string) =>
  events.flatMap((event) => ("callId" in event && event.callId === callId ? [event.type] : []));

/** How the run ended, from its last event. */
function endOf(events: readonly AgentEvent[]) {
  const last = events.at(-1);
  if (last?.type !== "run_finished") throw new Error("the run has not finished");
  return last;
}

describe.each(planningGraphs)("the graph $name", (planning) => {
  describe("arguments that a result does not fit", () => {
    it("are written anew in one call, which an event tells and the usage counts", async () => {
      const { events, amounts, repairer } = await planned(planning, twice, ['{"amount":3}']);
      expect(amounts).toEqual([3]);
      expect(typesOf(events, "E2")).toEqual([
        "tool_started",
        "tool_finished",
        "arguments_repaired",
        "tool_started",
        "tool_finished",
      ]);
      expect(events.find(({ type }) => type === "arguments_repaired")).toMatchObject({
        tool: "double",
        content: { args: { amount: 3 } },
      });
      expect(endOf(events).usage).toMatchObject({
        modelCalls: 3,
        toolCalls: 2,
        byRole: {
          planner: { modelCalls: 1 },
          repairer: { modelCalls: 1 },
          [planning.answering]: { modelCalls: 1 },
        },
      });
      expect(repairer.calls).toHaveLength(1);
      expect(requestText(repairer.calls[0])).toContain("E1: price of tea");
    });

    it("are written anew after the tool refused them, too; both calls count", async () => {
      const steps = [
        stepOf("price", "tea"),
        { tool: "calculator", args: { expression: "{{E1}} * 2" } },
      ];
      const { events, answerer } = await planned(planning, steps, ['{"E1":3}'], {
        tools: [calculator],
      });
      expect(endOf(events).usage).toMatchObject({ modelCalls: 3, toolCalls: 3 });
      expect(requestText(answerer.calls[0])).toContain("\nE2: 6");
    });

    it.each([
      { name: "no arguments", repair: "I cannot." },
      { name: "arguments that do not fit either", repair: '{"amount":"three"}' },
      { name: "a reference", repair: '{"amount":"{{E1}}"}' },
      { name: "nothing, for it fails", repair: new Error("no repairer here") },
    ])("stay as they were where the repairer writes $name", async ({ repair }) => {
      const { events, amounts, repairer, answerer } = await planned(planning, twice, [repair]);
      expect(amounts).toEqual([]);
      expect(repairer.calls).toHaveLength(1);
      expect(typesOf(events, "E2")).toEqual(["tool_started", "tool_finished"]);
      expect(requestText(answerer.calls[0])).toMatch(
        /\nE2: FAILED\. Error \(invalid_arguments\): .*\n {2}- amount: expected number/,
      );
      expect(endOf(events)).toMatchObject({
        outcome: { status: "answered" },
        usage: { toolCalls: 1 },
      });
    });

    it.each([
      { name: "that serves", repair: '{"amount":3}' },
      { name: "that does not", repair: "I cannot." },
    ])("count once against the limit, with a repair $name", async ({ repair }) => {
      const { events } = await planned(planning, twice, [repair], { limits: { modelCalls: 3 } });
      expect(endOf(events)).toMatchObject({
        outcome: { status: "answered" },
        usage: { modelCalls: 3 },
      });
    });

    it("are not written anew a second time", async () => {
      const { events, amounts, answerer } = await planned(planning, twice, ['{"amount":-3}']);
      expect(amounts).toEqual([-3]);
      expect(requestText(answerer.calls[0])).toContain(
        "E2: FAILED. Error (rejected): no amount is below zero",
      );
      expect(endOf(events).usage).toMatchObject({ modelCalls: 3, toolCalls: 2 });
    });

    it("stay as they were at the limit of model calls", async () => {
      const { events, repairer } = await planned(planning, twice, [], {
        limits: { modelCalls: 1 },
        earlyStopping: "force",
      });
      expect(repairer.calls).toEqual([]);
      expect(endOf(events)).toMatchObject({ outcome: { status: "limit", limit: "modelCalls" } });
    });
  });

  it.each([
    { name: "a failure of another kind", thrown: new TypeError("a mistake") },
    {
      name: "a server that cannot be reached",
      thrown: Object.assign(new Error("no"), { status: 503 }),
    },
    { name: "a missing key", thrown: Object.assign(new Error("no"), { status: 401 }) },
  ])("$name asks no repairer", async ({ thrown }) => {
    const broken = tool(
      () => {
        throw thrown;
      },
      { name: "broken", description: "Fails.", schema: z.object({ item: z.string() }) },
    );
    const steps = [stepOf("price", "tea"), stepOf("broken", "{{E1}}")];
    const { repairer } = await planned(planning, steps, [], { tools: [broken] });
    expect(repairer.calls).toEqual([]);
  });

  it("a call is not made again with the very arguments that it failed with", async () => {
    const runs: string[] = [];
    const refusing = tool(
      ({ item }) => {
        runs.push(item);
        throw new Error("sold out");
      },
      { name: "refusing", description: "Refuses.", schema: z.object({ item: z.string() }) },
    );
    const steps = [stepOf("price", "tea"), stepOf("refusing", "the {{E1}}")];
    const repairs = ['{"item":"the price of tea"}'];
    const { repairer, events } = await planned(planning, steps, repairs, { tools: [refusing] });
    expect(runs).toEqual(["the price of tea"]);
    expect(repairer.calls).toHaveLength(1);
    expect(endOf(events).usage).toMatchObject({ modelCalls: 3, toolCalls: 2 });
  });

  it("a step that refers to nothing asks no repairer", async () => {
    const { repairer, amounts } = await planned(planning, [doubleOf("-3")], []);
    expect(amounts).toEqual([-3]);
    expect(repairer.calls).toEqual([]);
  });

  describe.each([
    { name: "needs approval", policy: { needsApproval: true } },
    {
      name: "needs approval and writes",
      policy: { needsApproval: true, effect: "write" as const },
    },
  ])("a step that $name", ({ policy }) => {
    it("shows people the arguments that were written anew, and the call for them counts", async () => {
      const { graph, amounts, repairer } = await planned(planning, twice, ['{"amount":3}'], {
        toolPolicies: { double: policy },
        checkpointer: new MemorySaver(),
      });
      const paused = await graph.getState(thread);
      expect(paused.tasks[0]?.interrupts[0]?.value).toMatchObject({
        action_requests: [{ name: "double", args: { amount: 3 } }],
      });
      const resume = { decisions: [{ type: "approve" }] };
      const done = await graph.invoke(new Command({ resume }), thread);
      expect(done).toMatchObject({ answer: "Solved.", usage: { modelCalls: 3, toolCalls: 2 } });
      expect(amounts).toEqual([3]);
      expect(repairer.calls).toHaveLength(1);
    });
  });

  it("a write whose arguments were written anew counts the call for them", async () => {
    const { events, amounts } = await planned(planning, twice, ['{"amount":3}'], {
      toolPolicies: { double: { effect: "write" } },
    });
    expect(amounts).toEqual([3]);
    expect(endOf(events).usage).toMatchObject({ modelCalls: 3, toolCalls: 2 });
  });
});
