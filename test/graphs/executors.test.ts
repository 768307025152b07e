import { Command, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import {
  type AgentEvent,
  createPlanExecuteGraph,
  type PlanExecuteOptions,
  withPolicy,
} from "../../src/index.js";
import { type ScriptedCall, scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { question } from "../support/middleware.js";
import { continueWith, respondWith, taskIn, taskPlanText } from "../support/task-plans.js";

const call = (name: string, item: string) => ({ toolCalls: [{ name, args: { item } }] });

/** A clerk who asks prices, and a buyer who orders, each with a model and tools of its own. */
function shop(planning: readonly string[], options: PlanExecuteOptions = {}) {
  const { tools: priceTools, runs } = countingTools("price");
  const { tools: orderTools, runs: orders } = countingTools("order");
  const clerk = scriptedModel((messages) =>
    messages.at(-1)?.type === "tool" ? "3 euros." : call("price", "tea"),
  );
  const buyer = scriptedModel((messages) =>
    messages.at(-1)?.type === "tool" ? "Ordered." : call("order", "tea"),
  );
  const planner = scriptedModel(planning);
  const graph = createPlanExecuteGraph({
    models: { planner },
    executors: {
      clerk: { description: "Knows prices.", model: clerk, tools: priceTools },
      buyer: {
        description: "Orders things.",
        model: buyer,
        tools: orderTools.map((each) => withPolicy(each, { effect: "write" })),
        prompt: "You order with care.",
      },
    },
    ...options,
  });
  return { graph, planner, clerk, buyer, runs, orders };
}

const toolNames = ({ tools }: ScriptedCall) => tools.map((each) => each.function.name);
const editTo = (executor: string) => ({
  decisions: [
    {
      type: "edit",
      edited_action: {
        name: "plan",
        args: { steps: [{ id: "S1", task: "Price the tea.", executor }] },
      },
    },
  ],
});

const plan = taskPlanText(
  { task: "Price the tea.", executor: "clerk" },
  { task: "Order the tea.", executor: "buyer", after: ["S1"] },
);

describe("executors by name", () => {
  it("carry out the tasks that the planner assigns to them, with their own model, tools and prompt", async () => {
    const { graph, planner, clerk, buyer, runs, orders } = shop([plan, respondWith("Ordered.")]);
    const { answer, observations, usage } = await graph.invoke(question);
    expect({ answer, runs, orders }).toEqual({
      answer: "Ordered.",
      runs: ["price tea"],
      orders: ["order tea"],
    });
    expect(observations.map(({ tool, content }) => [tool, content])).toEqual([
      ["clerk", "3 euros."],
      ["buyer", "Ordered."],
    ]);
    expect(Object.keys(usage.byRole)).toEqual([
      "planner",
      "executor:clerk",
      "executor:buyer",
      "replanner",
    ]);
    expect(usage.byRole["executor:buyer"]?.modelCalls).toBe(2);
    const asked = planner.calls[0]?.messages[0]?.text;
    expect(asked).toContain("- clerk: Knows prices. Its tools: price.");
    expect(asked).toContain("- buyer: Orders things. Its tools: order.");
    expect(clerk.calls[0]?.messages[0]?.text).not.toContain("with care");
    expect(buyer.calls[0]?.messages[0]?.text).toContain("You order with care.");
    expect(buyer.calls.map(toolNames)).toEqual([["order"], ["order"]]);
  });

  it.each([
    {
      name: "names nobody",
      wrong: taskPlanText("Price the tea."),
      problem: 'S1: expected one of the executors clerk, buyer as "executor", got none',
    },
    {
      name: "names somebody else",
      wrong: taskPlanText({ task: "Price the tea.", executor: "clark" }),
      problem: 'S1: expected one of the executors clerk, buyer, got "clark"',
    },
  ])("are asked for again where a plan $name", async ({ wrong, problem }) => {
    const { graph, planner, runs } = shop([wrong, plan, respondWith("Ordered.")]);
    await graph.invoke(question);
    expect(planner.calls[1]?.messages.at(-1)?.text).toContain(problem);
    expect(runs).toEqual(["price tea"]);
  });

  it("are found in any case", async () => {
    const { graph } = shop([
      taskPlanText({ task: "Price the tea.", executor: " Clerk " }),
      respondWith("3 euros."),
    ]);
    const { observations } = await graph.invoke(question);
    expect(observations.map(({ tool }) => tool)).toEqual(["clerk"]);
  });

  it("are assigned by the replanner, too, and stay with the steps that stay", async () => {
    const failing = scriptedModel(() => new Error("No prices today."));
    const { tools } = countingTools("price");
    const { graph, planner } = shop(
      [
        plan,
        continueWith(
          { id: "S3", task: "Ask somebody else.", executor: "buyer" },
          { id: "S2", task: "Order the tea.", executor: "buyer" },
        ),
        respondWith("Ordered."),
      ],
      {
        executors: {
          clerk: { description: "Knows prices.", model: failing, tools },
          buyer: { description: "Orders.", model: scriptedModel(() => "Ordered."), tools: [] },
        },
      },
    );
    const { observations } = await graph.invoke(question);
    expect(observations.map(({ callId, tool }) => [callId, tool])).toEqual([
      ["S1", "clerk"],
      ["S3", "buyer"],
      ["S2", "buyer"],
    ]);
    expect(planner.calls[1]?.messages.at(-2)?.text).toContain(
      "[S2] Order the tea. (executor: buyer)",
    );
  });

  it("keep their tools to themselves", async () => {
    const buyer = scriptedModel((messages) =>
      messages.at(-1)?.type === "tool" ? "No." : call("price", "tea"),
    );
    const { tools, runs } = countingTools("price");
    const { graph } = shop(
      [taskPlanText({ task: "Order.", executor: "buyer" }), respondWith("No.")],
      {
        executors: {
          clerk: { description: "Knows prices.", tools },
          buyer: { description: "Orders.", model: buyer, tools: countingTools("order").tools },
        },
      },
    );
    const { observations } = await graph.invoke(question);
    expect(runs).toEqual([]);
    expect(observations[0]?.run?.observations).toMatchObject([
      { tool: "price", ok: false, error: { kind: "unknown_tool" } },
    ]);
  });

  it("without a plan, the question runs with all tools", async () => {
    const all = scriptedModel(["3 euros."]);
    const { graph } = shop([], {
      models: { planner: scriptedModel(["?", "?", "?"]), executor: all },
    });
    const { answer } = await graph.invoke(question);
    expect(answer).toBe("3 euros.");
    expect(all.calls.map(toolNames)).toEqual([["price", "order"]]);
  });

  it("stop at a pause and go on with it, and a write runs once", async () => {
    const checkpointer = new MemorySaver();
    const { graph, orders, clerk } = shop([plan, respondWith("Ordered.")], {
      checkpointer,
      toolPolicies: { order: { effect: "write", needsApproval: true } },
    });
    const thread = { configurable: { thread_id: "1" } };
    const paused = await graph.invoke(question, thread);
    expect({ isPaused: isInterrupted(paused), orders }).toEqual({ isPaused: true, orders: [] });
    const asked = clerk.calls.length;
    const resume = { decisions: [{ type: "approve" }] };
    const { usage } = await graph.invoke(new Command({ resume }), thread);
    expect({ orders, asked: clerk.calls.length }).toEqual({ orders: ["order tea"], asked });
    expect(usage.byRole["executor:buyer"]?.modelCalls).toBe(2);
  });

  it("are shown to the person who reviews the plan, and can be changed, but not to nobody's", async () => {
    const checkpointer = new MemorySaver();
    const { graph } = shop([plan, respondWith("Done.")], { checkpointer, reviewPlan: true });
    const thread = { configurable: { thread_id: "1" } };
    await graph.invoke(question, thread);
    const again = await graph.invoke(new Command({ resume: editTo("nobody") }), thread);
    expect(JSON.stringify(again)).toContain("expected one of the executors");
    const { observations } = await graph.invoke(new Command({ resume: editTo("buyer") }), thread);
    expect(observations.map(({ tool }) => tool)).toEqual(["buyer"]);
  });

  it("stand in the events", async () => {
    const events: AgentEvent[] = [];
    const { graph } = shop([plan, respondWith("Ordered.")]);
    const stream = await graph.stream(question, { streamMode: "custom" });
    for await (const event of stream) events.push(event);
    expect(events.find(({ type }) => type === "plan_made")).toMatchObject({
      steps: [
        { id: "S1", tool: "clerk" },
        { id: "S2", tool: "buyer" },
      ],
    });
  });

  it("ends at a limit that an executor reaches, with what is known", async () => {
    const { graph } = shop([plan], { limits: { modelCalls: 3 }, earlyStopping: "force" });
    const { outcome, observations } = await graph.invoke(question);
    expect(outcome).toMatchObject({ status: "limit", limit: "modelCalls" });
    expect(observations.map(({ tool }) => tool)).toContain("clerk");
  });
});

it("a plan's field executor means nothing where there are none", async () => {
  const executor = scriptedModel(() => "3 euros.");
  const planner = scriptedModel([
    taskPlanText({ task: "Price it.", executor: "me" }),
    respondWith("3."),
  ]);
  const graph = createPlanExecuteGraph({ models: { planner, executor } });
  const { observations } = await graph.invoke(question);
  expect(observations.map(({ tool, ok }) => [tool, ok])).toEqual([["executor", true]]);
  expect(taskIn(executor.calls[0]?.messages ?? [])).toBe("Price it.");
});

const clerk = { description: "Knows prices." };
it.each([
  { executors: {}, problem: "executors: expected executors by name" },
  { executors: [clerk], problem: "executors: expected executors by name, got a list" },
  { executors: { executor: clerk }, problem: "executors.executor: the name is not usable" },
  { executors: { "a b": clerk }, problem: "executors.a b: the name is not usable" },
  { executors: { a: clerk, A: clerk }, problem: 'two are named "a"' },
  { executors: { a: {} }, problem: "executors.a.description: expected what it is good at" },
  { executors: { a: { ...clerk, tool: [] } }, problem: 'there is no "tool". Did you mean tools?' },
  {
    executors: { a: { ...clerk, prompt: 3 } },
    problem: "executors.a.prompt: expected a text, got 3",
  },
  { executors: { a: { ...clerk, model: 3 } }, problem: "executors.a.model: expected a LangChain" },
  { executors: { a: { ...clerk, tools: "all" } }, problem: "executors.a.tools: expected a list" },
  { executors: { a: { ...clerk, tools: ["x"] } }, problem: "tool" },
])("refuses $executors", ({ executors, problem }) => {
  const options: object = { executors };
  expect(() => createPlanExecuteGraph(options)).toThrow(problem);
});

it("an example must name executors that there are", () => {
  const planner = [{ question: "Tea?", steps: [{ task: "Price it.", executor: "boss" }] }];
  const options = { executors: { clerk }, examples: { planner } };
  expect(() => createPlanExecuteGraph(options)).toThrow(
    'expected one of the executors clerk, got "boss"',
  );
});
