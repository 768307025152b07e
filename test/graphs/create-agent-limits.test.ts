import { modelCallLimitMiddleware, toolCallLimitMiddleware } from "langchain";
import { describe, expect, it } from "vitest";

import { asks, compare, goesOn, question, type Scenario } from "../support/create-agent.js";
import { call, made, priceTool } from "../support/middleware.js";

const replies = [call("tea", "c1"), call("milk", "c2"), "3 euros.", call("jam", "c3"), "4 euros."];
const two = { toolCalls: [...call("tea", "c1").toolCalls, ...call("milk", "c2").toolCalls] };

const limited =
  (
    create: (...options: never[]) => unknown,
    options: object,
    script: readonly (object | string)[] = replies,
  ) =>
  () => {
    const { price, runs: seen } = priceTool();
    return { replies: script, tools: [price], middleware: [made(create, options)], seen };
  };

const models = modelCallLimitMiddleware;
const tools = toolCallLimitMiddleware;
const byModels = { status: "limit", limit: "modelCalls" };
const byTools = { status: "limit", limit: "toolCalls" };

/** The middleware forgets the count of a run in `afterAgent`. */
const forgotten: Scenario["differs"] = {
  why: "afterAgent runs however a run ends, as LangChain's documentation says",
  here: ({ runs, ...rest }) => ({
    ...rest,
    runs: [
      ...runs.slice(0, -1),
      ...runs
        .slice(-1)
        .map((run) => ({ ...run, state: expect.objectContaining({ runModelCallCount: 0 }) })),
    ],
  }),
};

const inOrder: Scenario["differs"] = {
  why: "the model reads the results in the order of its calls",
  here: ({ requests, ...rest }) => ({
    ...rest,
    requests: requests.map(({ messages, ...asked }) => ({
      ...asked,
      messages: [...messages.slice(0, 2), ...messages.slice(2).toReversed()],
    })),
  }),
};

const scenarios: readonly Scenario[] = [
  {
    name: "model calls of a run, not reached",
    make: limited(models, { runLimit: 3 }),
    shows: asks(3),
  },
  {
    name: "model calls of a run, reached",
    make: limited(models, { runLimit: 2 }),
    shows: { ...asks(2), seen: ["tea", "milk"] },
    outcome: byModels,
    differs: forgotten,
  },
  {
    name: "model calls of each run of a thread",
    make: limited(models, { runLimit: 3 }),
    runs: [question, question],
    shows: asks(5),
  },
  {
    name: "model calls of a thread, reached in the second run",
    make: limited(models, { threadLimit: 4 }),
    runs: [question, question],
    shows: asks(4),
    outcome: byModels,
    differs: forgotten,
  },
  {
    name: "model calls of a thread, reached, and asked again",
    make: limited(models, { threadLimit: 3 }),
    runs: [question, question, question],
    shows: asks(3),
    outcome: byModels,
  },
  {
    name: "model calls that throw",
    make: limited(models, { runLimit: 1, exitBehavior: "error" }),
    shows: { ...asks(1), runs: [{ error: /run level call limit/ }] },
  },
  {
    name: "tool calls of a run, continued",
    make: limited(tools, { runLimit: 1 }),
    shows: { ...asks(2), seen: ["tea"] },
    differs: goesOn(["3 euros."], 3, ["tea"]),
  },
  {
    name: "tool calls of each run of a thread, continued",
    make: limited(tools, { runLimit: 1 }),
    runs: [question, question],
    shows: { ...asks(3), seen: ["tea"] },
    differs: goesOn(["3 euros.", "4 euros."], 5, ["tea", "jam"]),
  },
  {
    name: "tool calls of a thread, continued",
    make: limited(tools, { threadLimit: 2 }),
    runs: [question, question],
    shows: { ...asks(4), seen: ["tea", "milk"] },
    differs: goesOn(["3 euros.", "4 euros."], 5, ["tea", "milk"]),
  },
  {
    name: "two calls of one reply, the second over the limit",
    make: limited(tools, { runLimit: 1 }, [two, "3 euros."]),
    shows: { ...asks(2), seen: ["tea"] },
    differs: inOrder,
  },
  {
    name: "tool calls of a run, ended",
    make: limited(tools, { runLimit: 1, exitBehavior: "end" }),
    shows: { ...asks(2), seen: ["tea"] },
    outcome: byTools,
  },
  {
    name: "calls of one tool, ended",
    make: limited(tools, { toolName: "price", runLimit: 1, exitBehavior: "end" }),
    shows: { ...asks(2), seen: ["tea"] },
    outcome: byTools,
  },
  {
    name: "calls of another tool",
    make: limited(tools, { toolName: "stock", runLimit: 1, exitBehavior: "end" }),
    shows: { ...asks(3), seen: ["tea", "milk"] },
  },
  {
    name: "tool calls of a thread, ended in the second run",
    make: limited(tools, { threadLimit: 2, exitBehavior: "end" }),
    runs: [question, question],
    shows: { ...asks(4), seen: ["tea", "milk"] },
    outcome: byTools,
  },
  {
    name: "tool calls that throw",
    make: limited(tools, { runLimit: 1, exitBehavior: "error" }),
    shows: { ...asks(2), seen: ["tea"], runs: [{ error: /limit/ }] },
  },
];

describe("limits of createAgent's middleware", () => {
  it.each(scenarios)("$name", async (scenario) => {
    const { here, expected } = await compare(scenario);
    expect(here).toEqual(expected);
  });
});
