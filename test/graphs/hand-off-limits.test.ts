import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type HandOffCause,
  handOff,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { ask, question } from "../support/middleware.js";
import { finishWith, planText, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const call = (item: string) => ({ toolCalls: [{ name: "price", args: { item } }] });
const plan = planText(stepOf("price", "tea"));

const graphs = [
  { name: "react", create: createReactGraph, replies: [call("tea")], modelCalls: 1 },
  { name: "rewoo", create: createRewooGraph, replies: [plan], modelCalls: 1 },
  { name: "llm-compiler", create: createLlmCompilerGraph, replies: [plan], modelCalls: 1 },
  {
    name: "plan-execute",
    create: createPlanExecuteGraph,
    replies: [taskPlanText({ task: "Price tea." }), call("tea"), "price of tea"],
    modelCalls: 3,
  },
];

describe.each(graphs)("$name at a limit", ({ create, replies, modelCalls }) => {
  const run = (handOffOn: readonly HandOffCause[] | undefined, more: readonly string[] = []) => {
    const { tools, runs } = countingTools("price");
    const models = scriptedModel([...replies, ...more]);
    const limits = { modelCalls };
    const graph = create({ models, tools: [...tools, handOff], limits, handOffOn });
    return { graph, runs, models };
  };

  it("is handed off with a summary where it says so, and no model is asked for a last answer", async () => {
    const { graph, runs, models } = run(["limit"]);
    const { outcome, answer } = await graph.invoke(question);
    expect(outcome).toMatchObject({
      status: "handed_off",
      cause: "limit",
      limit: "modelCalls",
      reason: "The limit on the number of model calls was reached.",
      summary: expect.stringMatching(/Asked:\nWhat does tea cost\?\nDone:\n- .*: price of tea/),
    });
    expect(answer).toBe(
      "A person takes over from here: The limit on the number of model calls was reached.",
    );
    expect({ runs, asked: models.calls.length }).toEqual({
      runs: ["price tea"],
      asked: modelCalls,
    });
  });

  it("answers from what is known where it does not say so", async () => {
    const { graph } = run(undefined, ["Tea has a price."]);
    expect(await graph.invoke(question)).toMatchObject({
      answer: "Tea has a price.",
      outcome: { status: "limit", limit: "modelCalls" },
    });
  });
});

it("a run that was handed off at a limit goes on with what it has", async () => {
  const { tools, runs } = countingTools("price");
  const models = scriptedModel([call("tea"), call("coffee"), "Both have a price."]);
  const checkpointer = new MemorySaver();
  const options = { models, tools: [...tools, handOff], checkpointer };
  const thread = { configurable: { thread_id: "1" } };
  const short = createReactGraph({ ...options, limits: { modelCalls: 1 }, handOffOn: ["limit"] });
  expect((await short.invoke(question, thread)).outcome?.status).toBe("handed_off");
  const graph = createReactGraph({ ...options, handOffOn: ["limit"] });
  const { answer } = await graph.invoke({ messages: [], decisions: [] }, thread);
  expect({ answer, runs }).toEqual({
    answer: "Both have a price.",
    runs: ["price tea", "price coffee"],
  });
});

it("a route's limit hands the router's run off", async () => {
  const { tools } = countingTools("price");
  const models = scriptedModel([call("tea")]);
  const graph = createReactGraph({
    models,
    tools,
    limits: { modelCalls: 1 },
    handOffOn: ["limit"],
  });
  const router = createRouterGraph({ models, routes: { shop: { description: "Prices.", graph } } });
  const { outcome } = await router.invoke(question);
  expect(outcome).toMatchObject({ status: "handed_off", cause: "limit", limit: "modelCalls" });
});

it("a router's limit hands its run off, and its route asks for no last answer", async () => {
  const { tools } = countingTools("price");
  const models = scriptedModel([call("tea"), "Tea has a price."]);
  const router = createRouterGraph({
    models,
    routes: { shop: { description: "Prices.", graph: createReactGraph({ models, tools }) } },
    limits: { modelCalls: 1 },
    handOffOn: ["limit"],
  });
  const { outcome } = await router.invoke(question);
  expect(outcome).toMatchObject({ status: "handed_off", cause: "limit", limit: "modelCalls" });
  expect(models.calls).toHaveLength(1);
});

it("a limit is named where the model said why it wants more", async () => {
  const { tools } = countingTools("price");
  const models = scriptedModel([
    planText(stepOf("price", "tea")),
    JSON.stringify({ action: "replan", feedback: "Price coffee, too." }),
  ]);
  const limits = { replans: 0 };
  const graph = createLlmCompilerGraph({ models, tools, limits, handOffOn: ["limit"] });
  const { outcome } = await graph.invoke(question);
  expect(outcome).toMatchObject({
    limit: "replans",
    reason: expect.stringMatching(/^The limit on .* was reached\. Price coffee, too\.$/),
  });
});

/** A tool that says what it is told to, or fails for an error. */
const shaky = (said: readonly (string | Error)[]) => {
  let at = 0;
  const price = tool(
    () => {
      const next = said[at] ?? "3 euros";
      at += 1;
      if (next instanceof Error) throw next;
      return next;
    },
    { name: "price", description: "Gives a price.", schema: z.object({ item: z.string() }) },
  );
  return { price, runs: () => at };
};
describe("a tool that fails again and again", () => {
  const closed = new Error("The shop is closed.");
  const items = ["tea", "coffee", "milk", "salt"];

  it.each([
    { name: "three times in a row", said: [closed, closed, closed], hands: true },
    { name: "three times, but not in a row", said: [closed, closed, "3", closed], hands: false },
    { name: "twice", said: [closed, closed], hands: false },
  ])("$name: handed off is $hands", async ({ said, hands }) => {
    const { price } = shaky(said);
    const models = scriptedModel([...items.map(call), "I do not know."]);
    const graph = createReactGraph({ models, tools: [price], handOffOn: ["tool_failures"] });
    const { outcome } = await graph.invoke(question);
    expect(outcome?.status === "handed_off").toBe(hands);
  });

  it("says which, and what was tried", async () => {
    const { price, runs } = shaky([closed, closed, closed]);
    const models = scriptedModel(items.map(call));
    const graph = createReactGraph({ models, tools: [price], handOffOn: ["tool_failures"] });
    const { outcome } = await graph.invoke(ask("Prices?"));
    expect(outcome).toMatchObject({
      cause: "tool_failures",
      reason: 'The tool "price" failed 3 times in a row.',
    });
    for (const part of ["Asked:\nPrices?", "milk", "FAILED", "The shop is closed."]) {
      expect(outcome?.summary).toContain(part);
    }
    expect(runs()).toBe(3);
  });

  it("does not count a failure again that was answered from memory", async () => {
    const { price, runs } = shaky([closed, closed]);
    const models = scriptedModel([call("tea"), call("tea"), call("coffee"), "I do not know."]);
    const graph = createReactGraph({ models, tools: [price], handOffOn: ["tool_failures"] });
    const { outcome } = await graph.invoke(question);
    expect({ status: outcome?.status, runs: runs() }).toEqual({ status: "answered", runs: 2 });
  });

  it("does not count what the model did wrong, nor what a person refused", async () => {
    const { price, runs } = shaky([]);
    const wrong = { toolCalls: [{ name: "price", args: { thing: 3 } }] };
    const other = { toolCalls: [{ name: "prices", args: { item: "tea" } }] };
    const models = scriptedModel([wrong, { ...wrong, text: "" }, other, wrong, "I do not know."]);
    const graph = createReactGraph({ models, tools: [price], handOffOn: ["tool_failures"] });
    const { outcome } = await graph.invoke(question);
    expect({ cause: outcome?.cause, runs: runs() }).toEqual({ cause: undefined, runs: 0 });
  });

  it.each([
    {
      name: "rewoo",
      create: createRewooGraph,
      replies: [planText(...items.map((item) => stepOf("price", item))), "?"],
    },
    {
      name: "llm-compiler",
      create: createLlmCompilerGraph,
      replies: [planText(...items.map((item) => stepOf("price", item))), finishWith("?")],
    },
    {
      name: "plan-execute",
      create: createPlanExecuteGraph,
      replies: [
        taskPlanText({ task: "Price all." }),
        ...items.slice(0, 3).map(call),
        "The shop is closed.",
        respondWith("?"),
      ],
    },
  ])("hands a run of $name off, too", async ({ create, replies }) => {
    const { price } = shaky([closed, closed, closed, closed]);
    const models = scriptedModel(replies);
    const graph = create({ models, tools: [price], handOffOn: ["tool_failures"] });
    const { outcome } = await graph.invoke(question);
    expect(outcome).toMatchObject({ status: "handed_off", cause: "tool_failures" });
    for (const item of items.slice(0, 3)) {
      expect(outcome?.summary).toMatch(new RegExp(`price.*${item}.* FAILED: .*The shop is closed`));
    }
  });
});
