import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { askUser, type Decision, handOff } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { countingTools } from "../support/counting-tools.js";
import {
  type CreatePlanning,
  planningGraphs,
  type PlanningOptions,
} from "../support/planning-graphs.js";
import { planText, type PlannedStep, stepOf } from "../support/plans.js";

const question = { messages: [{ role: "user" as const, content: "Order tea." }] };
const thread = { configurable: { thread_id: "1" } };
const approve = { type: "approve" as const };
const needsApproval = { order: { needsApproval: true } };

const slowly = tool(
  async ({ item }) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return `slow ${item}`;
  },
  { name: "slowly", description: "Takes its time.", schema: z.object({ item: z.string() }) },
);

/** A graph of `price`, `slowly`, `order` (needs approval) and the tools for people; it runs this plan. */
function planned(
  create: CreatePlanning,
  steps: readonly PlannedStep[],
  options: PlanningOptions = {},
) {
  const { tools, runs } = countingTools("price", "order");
  const models = scriptedModel([planText(...steps), "Done."]);
  const all = [...tools, slowly, askUser, handOff];
  const graph = create({
    toolPolicies: needsApproval,
    ...options,
    models,
    tools: all,
  });
  return { graph, runs, models };
}

type Answers = readonly (readonly (Decision | string)[])[];

/** Runs a plan, answers what it asks, and says what that was. */
async function answered(
  create: CreatePlanning,
  steps: readonly PlannedStep[],
  answers: Answers,
  { pauses, ...options }: PlanningOptions & { readonly pauses: boolean },
) {
  const checkpointer = pauses ? { checkpointer: new MemorySaver() } : {};
  const { graph, ...rest } = planned(create, steps, { ...options, ...checkpointer });
  const asks: unknown[] = [];
  let result = await graph.invoke(question, thread);
  for (const answer of answers) {
    const requests = pauses ? asked(result) : result.outcome?.requests;
    asks.push(requests?.action_requests.map(({ args }) => args));
    const decisions = [...answer];
    result = pauses
      ? await graph.invoke(new Command({ resume: { decisions } }), thread)
      : await graph.invoke({ ...result, decisions });
  }
  return { result, asks, ...rest };
}

const items = (...names: readonly string[]) => names.map((item) => ({ item }));
const edit = (name: string, args: Record<string, string>) =>
  ({ type: "edit", edited_action: { name, args } }) as const;

type Case = {
  readonly name: string;
  readonly steps: readonly PlannedStep[];
  readonly answers: Answers;
  readonly asks: readonly unknown[];
  readonly runs: readonly string[];
  readonly results: readonly unknown[];
};

const cases: readonly Case[] = [
  {
    name: "several approvals at once, in plan order, when the slowest step is done",
    steps: [stepOf("slowly", "tea"), stepOf("order", "{{E1}}"), stepOf("order", "milk")],
    answers: [[approve, approve]],
    asks: [items("slow tea", "milk")],
    runs: ["order slow tea", "order milk"],
    results: ["slow tea", "order of slow tea", "order of milk"],
  },
  {
    name: "approvals that need earlier ones, later",
    steps: [stepOf("order", "tea"), stepOf("order", "{{E1}}"), stepOf("order", "milk")],
    answers: [[approve, approve], [approve]],
    asks: [items("tea", "milk"), items("order of tea")],
    runs: ["order tea", "order milk", "order order of tea"],
    results: ["order of tea", "order of order of tea", "order of milk"],
  },
  {
    name: "an approval that is refused: what needs it is skipped, the rest is done",
    steps: [
      stepOf("order", "tea"),
      stepOf("order", "milk"),
      stepOf("price", "{{E1}}"),
      stepOf("price", "{{E2}}"),
    ],
    answers: [[{ type: "reject", message: "no tea" }, approve]],
    asks: [items("tea", "milk")],
    runs: ["order milk", "price order of milk"],
    results: [
      expect.stringMatching(/^Error \(denied\): .*no tea/),
      "order of milk",
      expect.stringMatching(/\(skipped\): .*E1/),
      "price of order of milk",
    ],
  },
  {
    name: "an approval whose arguments are changed: what refers to it has the new result",
    steps: [stepOf("order", "tea"), stepOf("price", "{{E1}}")],
    answers: [[edit("order", { item: "milk" })]],
    asks: [items("tea")],
    runs: ["order milk", "price order of milk"],
    results: [
      expect.stringMatching(/changed the arguments.*\norder of milk$/s),
      "price of order of milk",
    ],
  },
  {
    name: "an approval whose arguments are changed to ones that do not fit: they are checked",
    steps: [stepOf("order", "tea"), stepOf("price", "{{E1}}"), stepOf("price", "tea")],
    answers: [[edit("order", { thing: "milk" })]],
    asks: [items("tea")],
    runs: ["price tea"],
    results: [
      expect.stringMatching(/^Error \(invalid_arguments\): .*item/s),
      expect.stringMatching(/\(skipped\): .*E1/),
      "price of tea",
    ],
  },
  {
    name: "an approval in whose place a person gives the result: what refers to it has that",
    steps: [stepOf("order", "tea"), stepOf("price", "{{E1}}")],
    answers: [[{ type: "respond", message: "ordered by phone" }]],
    asks: [items("tea")],
    runs: ["price ordered by phone"],
    results: ["ordered by phone", "price of ordered by phone"],
  },
  {
    name: "a question as a step, then what it was asked for",
    steps: [
      { tool: "ask_user", args: { question: "Which tea?" } },
      stepOf("price", "{{E1}}"),
      stepOf("order", "{{E1}}"),
    ],
    answers: [["green"], [approve]],
    asks: [[{ question: "Which tea?", answer: "" }], items("green")],
    runs: ["price green", "order green"],
    results: ["green", "price of green", "order of green"],
  },
  {
    name: "a question beside an approval",
    steps: [
      stepOf("order", "tea"),
      { tool: "ask_user", args: { question: "Which milk?" } },
      stepOf("price", "{{E1}} and {{E2}}"),
    ],
    answers: [[approve, { type: "respond", message: "oat" }]],
    asks: [[{ item: "tea" }, { question: "Which milk?", answer: "" }]],
    runs: ["order tea", "price order of tea and oat"],
    results: ["order of tea", "oat", "price of order of tea and oat"],
  },
];

describe.each(planningGraphs)("the graph $name", ({ create }) => {
  describe.each([
    { place: "in a run that pauses", pauses: true },
    { place: "in a run that cannot pause", pauses: false },
  ])("people in a plan, $place, are asked for", ({ pauses }) => {
    it.each(cases)("$name", async ({ steps, answers, asks, runs, results }) => {
      const done = await answered(create, steps, answers, { pauses });
      expect(done.asks).toEqual(asks);
      expect(done.runs.filter((run) => !runs.includes(run))).toEqual([]);
      expect(done.runs).toHaveLength(runs.length);
      expect(done.result).toMatchObject({ answer: "Done.", outcome: { status: "answered" } });
      expect(done.result.observations.map(({ content }) => content)).toEqual(results);
      expect(done.result.usage.modelCalls).toBe(2);
      done.models.assertExhausted();
    });

    it("writes too, which then run in plan order, one after the other", async () => {
      const toolPolicies = { order: { needsApproval: true, effect: "write" as const } };
      const steps = [
        stepOf("slowly", "tea"),
        stepOf("order", "{{E1}}"),
        stepOf("order", "milk"),
        stepOf("price", "{{E2}}"),
      ];
      const done = await answered(create, steps, [[approve, approve]], { pauses, toolPolicies });
      expect(done.asks).toEqual([items("slow tea", "milk")]);
      expect(done.runs.filter((run) => run.startsWith("order"))).toEqual([
        "order slow tea",
        "order milk",
      ]);
      expect(done.runs.toSorted()).toEqual([
        "order milk",
        "order slow tea",
        "price order of slow tea",
      ]);
      expect(done.result.answer).toBe("Done.");
    });

    it("writes that need earlier ones: none is made twice, and none is asked about twice", async () => {
      const toolPolicies = { order: { needsApproval: true, effect: "write" as const } };
      const steps = [
        stepOf("order", "tea"),
        stepOf("price", "{{E1}}"),
        stepOf("order", "{{E2}}"),
        stepOf("order", "milk", "E3"),
      ];
      const three = [[approve], [approve], [approve]];
      const done = await answered(create, steps, three, { pauses, toolPolicies });
      expect(done.asks).toEqual([items("tea"), items("price of order of tea"), items("milk")]);
      expect(done.runs).toEqual([
        "order tea",
        "price order of tea",
        "order price of order of tea",
        "order milk",
      ]);
      expect(done.result).toMatchObject({
        answer: "Done.",
        usage: { modelCalls: 2, toolCalls: 4 },
      });
    });
  });

  it.each([
    { name: "too few", decisions: [approve] },
    { name: "too many", decisions: [approve, approve, approve] },
  ])("decisions that are $name are asked for again, and nothing runs", async ({ decisions }) => {
    const steps = [stepOf("order", "tea"), stepOf("order", "milk")];
    const { graph, runs } = planned(create, steps, { checkpointer: new MemorySaver() });
    await graph.invoke(question, thread);
    const again = await graph.invoke(new Command({ resume: { decisions } }), thread);
    expect(asked(again)).toMatchObject({ error: expect.stringContaining("expected 2") });
    expect(runs).toEqual([]);
    await graph.invoke(new Command({ resume: { decisions: [approve, approve] } }), thread);
    expect(runs).toEqual(["order tea", "order milk"]);
  });

  describe("a hand-off as a step", () => {
    const steps = [
      stepOf("price", "tea"),
      { tool: "hand_off", args: { reason: "No. {{E1}}", summary: "Asked." } },
      stepOf("price", "milk", "E2"),
      stepOf("order", "{{E2}}"),
    ];

    it.each([
      { place: "in a run that pauses", options: { checkpointer: new MemorySaver() } },
      { place: "in a run that cannot pause", options: {} },
    ])("ends the run before what comes after it, $place", async ({ options }) => {
      const { graph, runs, models } = planned(create, steps, options);
      const result = await graph.invoke(question, thread);
      const reason = "No. price of tea";
      const outcome = { status: "handed_off", reason, summary: "Asked." };
      expect(result).toMatchObject({ outcome, answer: expect.stringContaining(reason) });
      expect(runs).toEqual(["price tea"]);
      expect(models.calls).toHaveLength(1);
    });
  });

  it("a second question hears of a plan that waits for people, and goes on with none of it", async () => {
    const { tools, runs } = countingTools("price", "order");
    using models = scriptedModel([
      planText(stepOf("price", "tea"), stepOf("order", "{{E1}}")),
      planText(stepOf("price", "milk"), stepOf("price", "<{{E1}}>")),
      "Milk costs 2.",
    ]);
    const checkpointer = new MemorySaver();
    const graph = create({ models, tools, toolPolicies: needsApproval, checkpointer });
    await graph.invoke(question, thread);
    const milk = { messages: [{ role: "user" as const, content: "What does milk cost?" }] };
    const second = await graph.invoke(milk, thread);
    expect(second).toMatchObject({
      answer: "Milk costs 2.",
      usage: { modelCalls: 2, toolCalls: 2 },
    });
    expect(second.observations.map(({ content }) => content)).toEqual([
      "price of milk",
      "price of <price of milk>",
    ]);
    expect(second.steps).toHaveLength(2);
    expect(runs).toEqual(["price tea", "price milk", "price <price of milk>"]);
    const told = models.calls[1]?.messages.map(({ text }) => text).join("\n");
    expect(told).toContain('price({"item":"tea"}): price of tea');
    expect(told).toMatch(/order\(.*\) FAILED: Not approved and not run/);
  });
});
