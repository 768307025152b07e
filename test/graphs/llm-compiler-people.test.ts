import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { createLlmCompilerGraph, type Decision } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { countingTools } from "../support/counting-tools.js";
import { finishWith, planText, type PlannedStep, replanFor, stepOf } from "../support/plans.js";

const question = { messages: [{ role: "user" as const, content: "Order tea." }] };
const thread = { configurable: { thread_id: "1" } };
const approve = { type: "approve" as const };

type Case = {
  readonly name: string;
  readonly first: readonly PlannedStep[];
  readonly second: readonly PlannedStep[];
  readonly answers: readonly Decision[];
  readonly asks: readonly string[];
  readonly runs: readonly string[];
};

const cases: readonly Case[] = [
  {
    name: "for steps of the second plan, which refer to the first",
    first: [stepOf("price", "tea")],
    second: [
      { ...stepOf("order", "{{E1}}"), id: "E2" },
      { ...stepOf("price", "{{E2}}"), id: "E3" },
    ],
    answers: [approve],
    asks: ["price of tea"],
    runs: ["price tea", "order price of tea", "price order of price of tea"],
  },
  {
    name: "in both plans, and for nothing twice",
    first: [stepOf("order", "tea"), stepOf("price", "{{E1}}")],
    second: [
      { ...stepOf("order", "{{E2}}"), id: "E3" },
      { ...stepOf("order", "{{E3}}"), id: "E4" },
    ],
    answers: [approve, approve, approve],
    asks: ["tea", "price of order of tea", "order of price of order of tea"],
    runs: [
      "order tea",
      "price order of tea",
      "order price of order of tea",
      "order order of price of order of tea",
    ],
  },
  {
    name: "not again where the second plan repeats what they refused",
    first: [stepOf("price", "milk"), stepOf("order", "tea")],
    second: [{ ...stepOf("order", "tea"), id: "E3" }],
    answers: [{ type: "reject", message: "not yet" }],
    asks: ["tea"],
    runs: ["price milk"],
  },
];

const effects = [
  { effect: "of no declared effect", policy: { needsApproval: true } },
  { effect: "that write", policy: { needsApproval: true, effect: "write" as const } },
];

describe.each([
  { place: "in a run that pauses", pauses: true },
  { place: "in a run that cannot pause", pauses: false },
])("people in a plan that is extended, $place,", ({ pauses }) => {
  describe.each(effects)("for orders $effect", ({ policy }) => {
    it.each(cases)("are asked $name", async ({ first, second, answers, asks, runs }) => {
      const { tools, runs: made } = countingTools("price", "order");
      using models = scriptedModel([
        planText(...first),
        replanFor("More."),
        planText(...second),
        finishWith("Done."),
      ]);
      const graph = createLlmCompilerGraph({
        models,
        tools,
        toolPolicies: { order: policy },
        ...(pauses ? { checkpointer: new MemorySaver() } : {}),
      });
      const told: unknown[] = [];
      let result = await graph.invoke(question, thread);
      for (const answer of answers) {
        const requests = pauses ? asked(result) : result.outcome?.requests;
        told.push(requests?.action_requests.map(({ args }) => args));
        const decisions = [answer];
        result = pauses
          ? await graph.invoke(new Command({ resume: { decisions } }), thread)
          : await graph.invoke({ ...result, decisions });
      }
      expect(told).toEqual(asks.map((item) => [{ item }]));
      expect(made).toEqual(runs);
      expect(result).toMatchObject({
        answer: "Done.",
        outcome: { status: "answered" },
        replans: 1,
        usage: { modelCalls: 4, toolCalls: runs.length },
      });
      const ids = [...first, ...second].map((_, at) => `E${at + 1}`);
      expect(result.steps.map(({ id }) => id)).toEqual(ids);
      expect(result.observations.map(({ callId }) => callId)).toEqual(ids);
    });
  });
});
