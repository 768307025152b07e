import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import {
  askUser,
  createPlanExecuteGraph,
  type Decision,
  type PlanExecuteOptions,
} from "../../src/index.js";
import { askedReads } from "../support/asked-reads.js";
import { asked } from "../support/asked.js";
import { countingTools } from "../support/counting-tools.js";
import { calling, itemCall, taskModels, type TaskTurns } from "../support/task-models.js";
import {
  continueWith,
  respondWith,
  taskPlanText,
  type PlannedTask,
} from "../support/task-plans.js";

const question = { messages: [{ role: "user" as const, content: "Order all of it." }] };
const thread = { configurable: { thread_id: "1" } };
const approve = { type: "approve" } as const;
const edit = (item: string) =>
  ({ type: "edit", edited_action: { name: "order", args: { item } } }) as const;

/** A graph of `price` and `order` (needs approval) and `ask_user` that carries out these tasks. */
function shop(
  tasks: readonly PlannedTask[],
  turns: TaskTurns,
  replans = [respondWith("Done.")],
  options: Pick<PlanExecuteOptions, "checkpointer"> = {},
) {
  const { tools, runs } = countingTools("price", "order");
  const models = taskModels([taskPlanText(...tasks)], turns, replans);
  const toolPolicies = { order: askedReads };
  const graph = createPlanExecuteGraph({
    ...options,
    models,
    tools: [...tools, askUser],
    toolPolicies,
  });
  return { graph, runs, models };
}

type Asking = {
  readonly tasks: readonly PlannedTask[];
  readonly turns: TaskTurns;
  /** In rounds: what people answer. */
  readonly answers: readonly (readonly (Decision | string)[])[];
};

type Case = Asking & {
  readonly name: string;
  /** In rounds: what is asked. */
  readonly asks: readonly (readonly string[])[];
  /** The tools that have run when the first question comes, and at the end. */
  readonly before: readonly string[];
  readonly runs: readonly string[];
  readonly results: readonly unknown[];
};

const ordering = (item: string) => [calling("order", item), `Ordered ${item}.`];
const asksOrder = (id: string) => `${id}: Run order? Gives the order of an item.`;

const cases: readonly Case[] = [
  {
    name: "a step that needs approval, when the others are done, those that become ready too",
    tasks: [
      { task: "Order tea." },
      { task: "Price milk." },
      { task: "Price cocoa.", after: ["S2"] },
    ],
    turns: {
      "Order tea.": [calling("price", "tea"), ...ordering("tea")],
      "Price milk.": [calling("price", "milk"), "Milk costs 1."],
      "Price cocoa.": [calling("price", "cocoa"), "Cocoa costs 2."],
    },
    asks: [[asksOrder("S1")]],
    answers: [[approve]],
    before: ["price tea", "price milk", "price cocoa"],
    runs: ["price tea", "price milk", "price cocoa", "order tea"],
    results: ["Ordered tea.", "Milk costs 1.", "Cocoa costs 2."],
  },
  {
    name: "three steps at once, in plan order, and each goes on with its own answer",
    tasks: [{ task: "Order tea." }, { task: "Order milk." }, { task: "Order salt." }],
    turns: {
      "Order tea.": [calling("price", "tea"), ...ordering("tea")],
      "Order milk.": [calling("order", "milk"), "Milk was refused."],
      "Order salt.": ordering("salt"),
    },
    asks: [[asksOrder("S1"), asksOrder("S2"), asksOrder("S3")]],
    answers: [[approve, { type: "reject", message: "no milk" }, edit("sea salt")]],
    before: ["price tea"],
    runs: ["price tea", "order tea", "order sea salt"],
    results: ["Ordered tea.", "Milk was refused.", "Ordered salt."],
  },
  {
    name: "two calls of one step and one of another, in one interrupt",
    tasks: [{ task: "Order tea." }, { task: "Order milk." }],
    turns: {
      "Order tea.": [
        { toolCalls: [itemCall("order", "tea"), itemCall("order", "sugar")] },
        "Ordered both.",
      ],
      "Order milk.": ordering("milk"),
    },
    asks: [[asksOrder("S1"), asksOrder("S1"), asksOrder("S2")]],
    answers: [[approve, { type: "reject" }, approve]],
    before: [],
    runs: ["order tea", "order milk"],
    results: ["Ordered both.", "Ordered milk."],
  },
  {
    name: "a question to the user inside a step",
    tasks: [{ task: "Price tea." }, { task: "Order tea.", after: ["S1"] }],
    turns: {
      "Price tea.": [
        { toolCalls: [{ name: "ask_user", args: { question: "Which tea?" }, id: "ask" }] },
        calling("price", "green tea"),
        "Green tea costs 3.",
      ],
      "Order tea.": ordering("green tea"),
    },
    asks: [["S1: Which tea?"], [asksOrder("S2")]],
    answers: [["green"], [approve]],
    before: [],
    runs: ["price green tea", "order green tea"],
    results: ["Green tea costs 3.", "Ordered green tea."],
  },
  {
    name: "a step that asks twice, beside one that asks once",
    tasks: [{ task: "Order tea." }, { task: "Order milk." }],
    turns: {
      "Order tea.": [calling("order", "tea"), calling("order", "a pot"), "Ordered tea and a pot."],
      "Order milk.": ordering("milk"),
    },
    asks: [[asksOrder("S1"), asksOrder("S2")], [asksOrder("S1")]],
    answers: [[approve, approve], [edit("a cup")]],
    before: [],
    runs: ["order tea", "order milk", "order a cup"],
    results: ["Ordered tea and a pot.", "Ordered milk."],
  },
];

/** Runs the plan, answers what it asks, and says what that was. */
async function answered(
  { tasks, turns, answers, replans }: Asking & { readonly replans?: string[] },
  pauses: boolean,
) {
  const { graph, runs, models } = shop(
    tasks,
    turns,
    replans,
    pauses ? { checkpointer: new MemorySaver() } : {},
  );
  const asks: unknown[] = [];
  let result = await graph.invoke(question, thread);
  const before = [...runs];
  for (const answer of answers) {
    const requests = pauses ? asked(result) : result.outcome?.requests;
    asks.push(requests?.action_requests.map(({ description }) => description));
    const decisions = [...answer];
    result = pauses
      ? await graph.invoke(new Command({ resume: { decisions } }), thread)
      : await graph.invoke({ ...result, decisions });
  }
  return { result, asks, before, runs, models };
}

describe.each([
  { place: "in a run that pauses", pauses: true },
  { place: "in a run that cannot pause", pauses: false },
])("people are asked, $place, for", ({ pauses }) => {
  it.each(cases)("$name", async (given) => {
    const { result, asks, before, runs, models } = await answered(given, pauses);
    expect(asks).toEqual(given.asks);
    expect(before.toSorted()).toEqual(given.before.toSorted());
    expect(runs.toSorted()).toEqual(given.runs.toSorted());
    expect(result).toMatchObject({ answer: "Done.", outcome: { status: "answered" } });
    expect(result.observations.map(({ content }) => content)).toEqual(given.results);
    const turns = Object.values(given.turns).flat();
    expect(models.executor.calls).toHaveLength(turns.length);
    expect(result.usage).toMatchObject({
      modelCalls: turns.length + 2,
      byRole: { planner: { modelCalls: 1 }, executor: { modelCalls: turns.length } },
    });
    models.planner.assertExhausted();
    models.replanner.assertExhausted();
  });
});

describe("a wrong number of decisions", () => {
  const tasks = [{ task: "Order tea." }, { task: "Order milk." }];
  const turns = { "Order tea.": ordering("tea"), "Order milk.": ordering("milk") };
  const counts = [
    { name: "too few", decisions: [approve] },
    { name: "too many", decisions: [approve, approve, approve] },
  ];

  it.each(counts)("that is $name is asked for again, and nothing runs", async ({ decisions }) => {
    const { graph, runs, models } = shop(tasks, turns, undefined, {
      checkpointer: new MemorySaver(),
    });
    await graph.invoke(question, thread);
    const again = await graph.invoke(new Command({ resume: { decisions } }), thread);
    expect(asked(again).error).toMatch(/expected 2 decisions.*got [13]/);
    expect(asked(again).action_requests).toHaveLength(2);
    expect(runs).toEqual([]);
    const resume = { decisions: [approve, approve] };
    const done = await graph.invoke(new Command({ resume }), thread);
    expect(done.answer).toBe("Done.");
    expect(runs).toEqual(["order tea", "order milk"]);
    expect(models.executor.calls).toHaveLength(4);
  });

  it.each(counts)("that is $name throws where nothing can pause", async ({ decisions }) => {
    const { graph, runs, models } = shop(tasks, turns);
    const first = await graph.invoke(question);
    await expect(graph.invoke({ ...first, decisions })).rejects.toMatchObject({
      code: "invalid_decisions",
      message: expect.stringContaining("expected 2 decisions"),
    });
    expect(runs).toEqual([]);
    const done = await graph.invoke({ ...first, decisions: [approve, approve] });
    expect(done.answer).toBe("Done.");
    expect(runs).toEqual(["order tea", "order milk"]);
    expect(models.executor.calls).toHaveLength(4);
    expect(done.usage.modelCalls).toBe(6);
  });
});

describe("a result that calls for another look at the plan", () => {
  it.each([
    { name: "with a checkpointer", pauses: true },
    { name: "without one", pauses: false },
  ])("comes before all that has not begun, and after people were asked, $name", async (place) => {
    const given = {
      tasks: [
        { task: "Price tea." },
        { task: "Order milk." },
        { task: "Order tea.", after: ["S1"] },
      ],
      turns: {
        "Price tea.": ["PLAN CHANGE: there is no tea."],
        "Order milk.": ordering("milk"),
        "Price cocoa.": [calling("price", "cocoa"), "Cocoa costs 2."],
      },
      replans: [continueWith({ id: "S4", task: "Price cocoa." }), respondWith("Done.")],
      answers: [[approve]],
    };
    const { result, asks, runs, models } = await answered(given, place.pauses);
    expect(asks).toEqual([[asksOrder("S2")]]);
    expect(runs).toEqual(["order milk", "price cocoa"]);
    expect(result).toMatchObject({ answer: "Done.", replans: 1, usage: { modelCalls: 8 } });
    models.replanner.assertExhausted();
  });
});
