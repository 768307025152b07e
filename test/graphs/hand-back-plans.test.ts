import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  handOff,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { planningGraphs } from "../support/planning-graphs.js";
import { finishWith, planText, replanFor, stepOf } from "../support/plans.js";
import { calling, itemCall, taskModels } from "../support/task-models.js";
import { continueWith, respondWith, taskPlanText } from "../support/task-plans.js";

const question = { messages: [{ role: "user" as const, content: "Tea and milk." }] };
const thread = { configurable: { thread_id: "1" } };
const back = { messages: [], decisions: [] };
const down = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
const noPlan = planText();

describe.each(planningGraphs)("a run of $name that was handed off", ({ create }) => {
  /** A thread whose run had no plan: its agent has ordered tea when its model was gone. */
  async function withAgent(...replies: readonly string[]) {
    const runs: string[] = [];
    const order = tool(({ item }) => `ordered ${(runs.push(item), item)}`, {
      name: "order",
      description: "Orders.",
      schema: z.object({ item: z.string() }),
    });
    const tools = [withPolicy(order, { effect: "write" }), handOff];
    const planning = [noPlan, noPlan, noPlan];
    const models = scriptedModel([...planning, calling("order", "tea"), down(), ...replies]);
    const graph = create({ models, tools, checkpointer: new MemorySaver() });
    const { outcome } = await graph.invoke(question, thread);
    expect(outcome).toMatchObject({ status: "handed_off", cause: "failure" });
    return { graph, models, runs };
  }

  it("goes on with its agent where there was no plan, and plans nothing anew", async () => {
    const { graph, models, runs } = await withAgent("Tea is ordered.");
    expect((await graph.invoke(back, thread)).answer).toBe("Tea is ordered.");
    expect(runs).toEqual(["tea"]);
    models.assertExhausted();
  });

  it("makes the call that the operator writes where there was no plan", async () => {
    const { graph, runs } = await withAgent("Milk is ordered.");
    const call = { ...itemCall("order", "milk"), type: "tool_call" as const };
    const messages = [new AIMessage({ content: "", tool_calls: [call] })];
    await graph.updateState(thread, { messages });
    expect((await graph.invoke(back, thread)).answer).toBe("Milk is ordered.");
    expect(runs).toEqual(["tea", "milk"]);
  });

  it("goes on behind the step that handed off, which is not told as open", async () => {
    const { tools, runs } = countingTools("price");
    const plan = planText(
      { tool: "hand_off", args: { reason: "Ask." } },
      stepOf("price", "tea", "E1"),
    );
    const models = scriptedModel([plan, "Tea costs 3."]);
    const checkpointer = new MemorySaver();
    const graph = create({ models, tools: [...tools, handOff], checkpointer });
    const { outcome } = await graph.invoke(question, thread);
    expect(outcome?.summary).toMatch(/nothing yet\nStill open:\n- price.*\nWhy .*:\nAsk\.$/);
    expect((await graph.invoke(back, thread)).answer).toBe("Tea costs 3.");
    expect(runs).toEqual(["price tea"]);
  });

  it("makes a new plan where the operator took out all steps, and takes no old result for its own", async () => {
    const { tools, runs } = countingTools("price");
    const plans = [planText(stepOf("price", "tea")), planText(stepOf("price", "milk"))] as const;
    const models = scriptedModel([plans[0], down(), plans[1], "Milk costs 2."]);
    const checkpointer = new MemorySaver();
    const graph = create({ models, tools: [...tools, handOff], checkpointer });
    await graph.invoke(question, thread);
    await graph.updateState(thread, { steps: [] });
    expect((await graph.invoke(back, thread)).answer).toBe("Milk costs 2.");
    expect(runs).toEqual(["price tea", "price milk"]);
  });
});

it("a replan of llm-compiler gives no step the name of one that the operator took out", async () => {
  const { tools, runs } = countingTools("price");
  const models = scriptedModel([
    planText(stepOf("price", "tea"), stepOf("price", "milk")),
    down(),
    replanFor("The juice is missing."),
    planText({ id: "E2", ...stepOf("price", "juice") }),
    finishWith("Done."),
  ]);
  const checkpointer = new MemorySaver();
  const graph = createLlmCompilerGraph({ models, tools: [...tools, handOff], checkpointer });
  const first = await graph.invoke(question, thread);
  await graph.updateState(thread, { steps: first.steps.slice(0, 1) });
  const done = await graph.invoke(back, thread);
  expect(done.steps.map(({ id }) => id)).toEqual(["E1", "E3"]);
  expect(runs).toEqual(["price tea", "price milk", "price juice"]);
});

describe("plan-execute, handed back,", () => {
  const tasks = ["Price tea.", "Price milk.", "Price juice."] as const;
  const turns = Object.fromEntries(
    tasks.map((task) => [task, [calling("price", task), `${task} Done.`]]),
  );

  it.each([
    {
      name: "plans anew where the operator took out all steps",
      plans: [taskPlanText({ task: tasks[0] }), taskPlanText({ task: tasks[2] })],
      replans: [down(), respondWith("Done.")],
      kept: 0,
      ids: ["S1"],
      carriedOut: [tasks[0], tasks[2]],
    },
    {
      name: "gives no step the name of one that the operator took out",
      plans: [taskPlanText({ task: tasks[0] }, { task: tasks[1] })],
      replans: [down(), continueWith({ id: "S2", task: tasks[2] }), respondWith("Done.")],
      kept: 1,
      ids: ["S1", "S3"],
      carriedOut: tasks,
    },
  ])("$name", async ({ plans, replans, kept, ids, carriedOut }) => {
    const { tools, runs } = countingTools("price");
    const models = taskModels(plans, turns, replans);
    const checkpointer = new MemorySaver();
    const graph = createPlanExecuteGraph({ models, tools: [...tools, handOff], checkpointer });
    const first = await graph.invoke(question, thread);
    expect(first.outcome?.status).toBe("handed_off");
    await graph.updateState(thread, { steps: first.steps.slice(0, kept) });
    const done = await graph.invoke(back, thread);
    expect([done.answer, done.steps.map(({ id }) => id)]).toEqual(["Done.", ids]);
    expect(runs).toEqual(carriedOut.map((task) => `price ${task}`));
  });
});
