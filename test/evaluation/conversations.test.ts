import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { evaluate, type GivenCase } from "../../src/evaluation/index.js";
import {
  askUser,
  createPlanExecuteGraph,
  createReactGraph,
  handOff,
  withPolicy,
} from "../../src/index.js";
import { type ModelReply, scriptedModel } from "../../src/testing/index.js";

/** A shop whose refunds a person approves, made anew for each case. */
function shop(replies: readonly ModelReply[], options: { readonly isKept?: boolean } = {}) {
  const refunded: number[] = [];
  const refund = withPolicy(
    tool(({ order }) => `refunded ${refunded.push(order)}`, {
      name: "refund",
      description: "Refunds an order.",
      schema: z.object({ order: z.number() }),
    }),
    { effect: "write", needsApproval: true },
  );
  const graph = () =>
    createReactGraph({
      models: scriptedModel(replies),
      tools: [refund, askUser, handOff],
      ...(options.isKept === true ? { checkpointer: new MemorySaver() } : {}),
    });
  return { refunded, subjects: [{ name: "shop", graph }], allowWrites: true };
}

const refundCall = { toolCalls: [{ name: "refund", args: { order: 17 } }] };
const question = "Refund order 17.";

describe.each([{ isKept: false }, { isKept: true }])("with a checkpointer: $isKept", (options) => {
  it.each([
    {
      name: "an approval",
      decisions: ["approve"],
      replies: [refundCall, "Refunded."],
      expected: { tools: { calls: [{ tool: "refund", args: { order: 17 } }] } },
      refunds: 1,
    },
    {
      name: "a rejection, after which nothing was called",
      decisions: [{ type: "reject" as const, message: "Too late." }],
      replies: [refundCall, "It is too late."],
      expected: { forbidden: ["refund"], includes: "too late" },
      refunds: 0,
    },
    {
      name: "a result in a person's words, with which nothing was called",
      decisions: [{ type: "respond" as const, message: "It was refunded by hand." }],
      replies: [refundCall, "It was refunded."],
      expected: { forbidden: ["refund"], includes: "refunded" },
      refunds: 0,
    },
    {
      name: "nobody, and the run waits",
      decisions: [],
      replies: [refundCall],
      expected: { outcome: "needs_input", forbidden: ["refund"] },
      refunds: 0,
    },
    {
      name: "two requests one after the other",
      decisions: ["17", "approve"],
      replies: [
        { toolCalls: [{ name: "ask_user", args: { question: "Which one?" } }] },
        refundCall,
        "Refunded.",
      ],
      expected: { tools: { mode: "superset" as const, calls: ["refund"] } },
      refunds: 1,
    },
    {
      name: "a hand-over",
      decisions: [],
      replies: [{ toolCalls: [{ name: "hand_off", args: { reason: "They are angry." } }] }],
      expected: { outcome: "handed_off", forbidden: ["refund"] },
      refunds: 0,
    },
  ])("people are scripted: $name", async ({ decisions, replies, expected, refunds }) => {
    const { refunded, ...options_ } = shop(replies, options);
    const cases: GivenCase[] = [{ id: "a", question, decisions, expect: expected }];
    const { cells } = await evaluate({ cases, ...options_ });
    expect(cells[0]).toMatchObject({ right: true });
    expect(refunded).toHaveLength(refunds);
  });

  it("several turns share a conversation, and each has its own expectations", async () => {
    const replies: ModelReply[] = [
      "Which order?",
      (messages) => {
        const texts = messages.filter(({ type }) => type === "human").map(({ text }) => text);
        return texts.join(" | ").includes("I want my money back. | Order 17.")
          ? refundCall
          : "Whom do I talk to?";
      },
      "Refunded.",
    ];
    const { refunded, ...rest } = shop(replies, options);
    const turns = [
      { question: "I want my money back.", expect: { includes: "which order" } },
      { question: "Order 17.", decisions: ["approve"] },
    ];
    const cases: GivenCase[] = [
      {
        id: "a",
        turns,
        expect: { equals: "Refunded", tools: { mode: "strict", calls: ["refund"] } },
      },
    ];
    const { cells } = await evaluate({ cases, ...rest });
    expect(cells[0]?.scores.map(({ name, holds }) => [name, holds])).toEqual([
      ["turn 1: outcome", true],
      ["turn 1: includes", true],
      ["outcome", true],
      ["equals", true],
      ["tools", true],
    ]);
    expect(refunded).toEqual([17]);
    expect(cells[0]?.run?.usage.modelCalls).toBe(3);
    expect(cells[0]?.run?.runIds).toHaveLength(2);
  });
});

it("a conversation that stops early is not right, whatever it said", async () => {
  const { refunded: _, ...rest } = shop([refundCall]);
  const cases: GivenCase[] = [
    {
      id: "a",
      turns: [{ question }, { question: "And now?" }],
      expect: { outcome: "needs_input" },
    },
  ];
  const { cells } = await evaluate({ cases, ...rest });
  expect(cells[0]?.right).toBe(false);
  expect(cells[0]?.scores).toContainEqual({
    name: "turns",
    holds: false,
    why: "1 of 2 turns, then needs_input",
  });
});

/** A plan whose only task asks the user. */
const askingPlan = () =>
  createPlanExecuteGraph({
    models: {
      planner: scriptedModel(['{"steps":[{"id":"S1","task":"Ask.","final":true}]}']),
      executor: scriptedModel([
        { toolCalls: [{ name: "ask_user", args: { question: "Which order?" } }] },
        "It is order 17.",
      ]),
    },
    tools: [askUser],
    checkpointer: new MemorySaver(),
  });

it.each([
  { decisions: [], outcome: "needs_input" as const, executor: 1, toolCalls: 0 },
  { decisions: ["Order 17."], outcome: "answered" as const, executor: 2, toolCalls: 1 },
])(
  "counts what runs inside have used where it ends as $outcome",
  async ({ decisions, outcome, executor, toolCalls }) => {
    const cases: GivenCase[] = [{ id: "a", question, decisions, expect: { outcome } }];
    const { cells } = await evaluate({ cases, subjects: [{ name: "plan", graph: askingPlan }] });
    expect(cells[0]).toMatchObject({
      right: true,
      run: {
        usage: {
          modelCalls: 1 + executor,
          toolCalls,
          byRole: { planner: { modelCalls: 1 }, executor: { modelCalls: executor } },
        },
      },
    });
  },
);

it("calls of graphs inside count as calls of the run", async () => {
  const price = withPolicy(
    tool(() => "3 euros", { name: "price", description: "A price.", schema: z.object({}) }),
    { effect: "read" },
  );
  const planner = scriptedModel((messages) =>
    messages.some(({ text }) => text.includes("3 euros"))
      ? '{"action":"respond","answer":"It is 3."}'
      : '{"steps":[{"id":"S1","task":"Find the price."}]}',
  );
  const executor = scriptedModel((messages) =>
    messages.at(-1)?.type === "tool" ? "3 euros" : { toolCalls: [{ name: "price", args: {} }] },
  );
  const graph = () => createPlanExecuteGraph({ models: { planner, executor }, tools: [price] });
  const { cells } = await evaluate({
    cases: [{ id: "a", question: "What does it cost?", expect: { tools: { calls: ["price"] } } }],
    subjects: [{ name: "plan", graph }],
  });
  expect(cells[0]?.run?.turns[0]?.calls.map(({ tool: name }) => name)).toEqual(["price"]);
  expect(cells[0]?.scores.find(({ name }) => name === "tools")?.holds).toBe(true);
});

describe("what is refused before anything runs", () => {
  const one = [{ id: "a", question: "Well?" }];
  it("tools that write, unless they may", async () => {
    const { subjects, refunded } = shop([refundCall, "Refunded."]);
    await expect(evaluate({ cases: one, subjects })).rejects.toThrow(
      /shop: the tools may write.*--allow-writes/,
    );
    expect(refunded).toEqual([]);
  });

  it.each([
    { name: "no subjects", given: { subjects: [] }, told: /expected at least one/ },
    {
      name: "another graph",
      given: { subjects: [{ name: "x", graph: { stream: async () => [] } }] },
      told: /x: expected a graph of plangraph.*createRouterGraph/,
    },
    {
      name: "two of one name",
      given: { subjects: [1, 2].map(() => ({ name: "x", graph: createReactGraph() })) },
      told: /two subjects are named "x"/,
    },
    { name: "a repeat of none", given: { repeat: 0 }, told: /repeat: expected a whole number/ },
    { name: "a misspelt option", given: { repeats: 2 }, told: /Did you mean repeat\?/ },
    {
      name: "a tool that nobody has",
      given: {
        subjects: [{ name: "x", graph: createReactGraph({ models: "offline", tools: [askUser] }) }],
        cases: [{ id: "a", question: "Well?", expect: { forbidden: ["ask_usr"] } }],
      },
      told: /case a: no subject has the tool "ask_usr": did you mean ask_user\?/,
    },
    {
      name: "a judge without a model",
      given: { cases: [{ id: "a", question: "Well?", expect: { judge: "It is kind." } }] },
      told: /case a: expect\.judge needs a model/,
    },
  ])("$name", async ({ given, told }) => {
    const subjects = [{ name: "x", graph: createReactGraph({ models: "offline" }) }];
    const call = Reflect.apply(evaluate, undefined, [{ cases: one, subjects, ...given }]);
    await expect(call).rejects.toThrow(told);
  });
});
