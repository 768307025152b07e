import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  handOff,
  type Observation,
  type ToolStep,
  withPolicy,
} from "../../src/index.js";
import { type ModelReply, scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { planningGraphs } from "../support/planning-graphs.js";
import { planText, stepOf } from "../support/plans.js";
import { requestText } from "../support/request-text.js";
import { calling, taskModels } from "../support/task-models.js";
import { taskPlanText } from "../support/task-plans.js";

const question = { messages: [{ role: "user" as const, content: "Order tea." }] };
const thread = { configurable: { thread_id: "1" } };
const back = { messages: [], decisions: [] };
const down = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
const handing = { toolCalls: [{ name: "hand_off", args: { reason: "Sold out." }, id: "h" }] };

/** `price`, and `order`, a write of which there is no tea. */
function shopTools() {
  const { tools, runs } = countingTools("price");
  const order = tool(
    ({ item }) => {
      runs.push(`order ${item}`);
      if (item.includes("tea")) throw new Error("no tea left");
      return `ordered ${item}`;
    },
    { name: "order", description: "Orders.", schema: z.object({ item: z.string() }) },
  );
  return { runs, tools: [...tools, withPolicy(order, { effect: "write" }), handOff] };
}

/** A thread whose run was handed off. */
async function reactHandedOff(replies: readonly ModelReply[]) {
  const { tools, runs } = shopTools();
  const models = scriptedModel(replies);
  const graph = createReactGraph({ models, tools, checkpointer: new MemorySaver() });
  const first = await graph.invoke(question, thread);
  expect(first.outcome?.status).toBe("handed_off");
  return { graph, runs, models, first };
}

describe("an agent's run that was handed off", () => {
  it("is answered by the operator, and the next question sees it", async () => {
    const { graph, models, runs } = await reactHandedOff([
      calling("order", "tea"),
      handing,
      "Bye.",
    ]);
    const messages = [new AIMessage("We sent you coffee instead.")];
    await graph.updateState(thread, { messages });
    const thanks = { messages: [{ role: "user" as const, content: "Thanks!" }] };
    expect((await graph.invoke(thanks, thread)).answer).toBe("Bye.");
    expect(requestText(models.calls[2])).toMatch(/coffee instead\.\nThanks!$/);
    expect(runs).toEqual(["order tea"]);
  });

  it("goes on where its model failed, and repeats nothing", async () => {
    const { graph, models, runs, first } = await reactHandedOff([
      calling("price", "tea"),
      down(),
      "Tea costs 3.",
    ]);
    const done = await graph.invoke(back, thread);
    expect(done).toMatchObject({
      answer: "Tea costs 3.",
      outcome: { status: "answered" },
      usage: { modelCalls: 3, toolCalls: 1 },
      run: { id: first.run?.id },
    });
    expect(done.messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "ai"]);
    expect(runs).toEqual(["price tea"]);
    models.assertExhausted();
  });

  it("goes on with a word of the person who hands it back", async () => {
    const { graph, models } = await reactHandedOff([handing, "Coffee it is."]);
    const messages = [{ role: "user" as const, content: "Take coffee." }];
    const done = await graph.invoke({ messages, decisions: [] }, thread);
    expect(done.answer).toBe("Coffee it is.");
    const told = requestText(models.calls[1]);
    expect(told).toMatch(
      /Sold out\.\n\(A person .* hands the conversation back.*\)\nTake coffee\.$/,
    );
    expect(told).not.toContain("A person takes over from here");
  });

  it.each([
    { name: "an id of its own", id: "again", callId: "again" },
    { name: "the failed call's id", id: "order-tea", callId: "order-tea_3" },
    { name: "no id", id: "", callId: "call_3" },
  ])("makes a call again with the operator's arguments and $name", async ({ id, callId }) => {
    const { graph, runs } = await reactHandedOff([calling("order", "tea"), handing, "Done."]);
    const tool_calls = [{ name: "order", args: { item: "milk" }, id }];
    await graph.updateState(thread, { messages: [new AIMessage({ content: "", tool_calls })] });
    const done = await graph.invoke(back, thread);
    expect(done.answer).toBe("Done.");
    expect(done.observations.at(-1)).toMatchObject({ callId, content: "ordered milk" });
    expect(done.messages.at(-2)).toMatchObject({ tool_call_id: callId, text: "ordered milk" });
    expect(runs).toEqual(["order tea", "order milk"]);
  });

  it("reads the result that the operator supplies in a call's place", async () => {
    const said = [calling("order", "tea"), down(), "It is on its way."];
    const { graph, runs, models, first } = await reactHandedOff(said);
    const failed = first.messages.find((message) => ToolMessage.isInstance(message));
    const { id = "", tool_call_id = "" } = failed ?? {};
    const messages = [new ToolMessage({ id, tool_call_id, content: "ordered by phone" })];
    await graph.updateState(thread, { messages });
    expect((await graph.invoke(back, thread)).answer).toBe("It is on its way.");
    expect(requestText(models.calls[2])).toMatch(/ordered by phone$/);
    expect(runs).toEqual(["order tea"]);
  });

  it("goes on without a checkpointer too", async () => {
    const { tools, runs } = shopTools();
    const models = scriptedModel([calling("price", "tea"), down(), "Tea costs 3."]);
    const graph = createReactGraph({ models, tools });
    const done = await graph.invoke({ ...(await graph.invoke(question)), decisions: [] });
    expect(done).toMatchObject({ answer: "Tea costs 3.", usage: { modelCalls: 3, toolCalls: 1 } });
    expect(runs).toEqual(["price tea"]);
  });

  it("waits for no decision", async () => {
    const { graph } = await reactHandedOff([handing]);
    await expect(graph.invoke({ messages: [], decisions: ["yes"] }, thread)).rejects.toThrow(
      /no call in these messages waits/,
    );
  });

  it("can be asked anew after decisions that were refused, and after none in JSON", async () => {
    const { graph, models } = await reactHandedOff([handing, "Bye.", "Bye again."]);
    await expect(graph.invoke({ messages: [], decisions: ["yes"] }, thread)).rejects.toThrow(
      /no call/,
    );
    expect(await graph.invoke(question, thread)).toMatchObject({ answer: "Bye." });
    await expect(graph.invoke(back, thread)).rejects.toThrow(/hands back one that was handed off/);
    const input: unknown = JSON.parse(JSON.stringify({ ...question, decisions: null }));
    expect(await graph.invoke(z.looseObject({}).parse(input), thread)).toMatchObject({
      answer: "Bye again.",
      outcome: { status: "answered" },
    });
    models.assertExhausted();
  });
});

/** A thread of a graph that plans: `E2` has failed, `E3` was skipped for it, and the answering model was not there. */
async function planHandedOff(create: (typeof planningGraphs)[number]["create"]) {
  const { tools, runs } = shopTools();
  const plan = planText(
    stepOf("price", "tea"),
    stepOf("order", "{{E1}}"),
    stepOf("price", "<{{E2}}>"),
  );
  const models = scriptedModel([plan, down(), "Done."]);
  const graph = create({ models, tools, checkpointer: new MemorySaver() });
  const first = await graph.invoke(question, thread);
  expect(first.outcome).toMatchObject({ status: "handed_off", cause: "failure" });
  expect(first.outcome?.summary).toMatch(/FAILED: .*no tea left\nStill open:\n- price/);
  return { graph, runs, models, first };
}

describe.each(planningGraphs)("a plan of $name that was handed off", ({ create }) => {
  it("makes a failed step again as the operator has changed it, and those after it", async () => {
    const { graph, runs, models, first } = await planHandedOff(create);
    const steps = first.steps.map((step) =>
      step.kind === "tool" && step.id === "E2" ? { ...step, args: { item: "milk" } } : step,
    );
    await graph.updateState(thread, { steps });
    const done = await graph.invoke(back, thread);
    expect(done).toMatchObject({ answer: "Done.", usage: { toolCalls: 4 } });
    expect(runs).toEqual(["price tea", "order price of tea", "order milk", "price <ordered milk>"]);
    models.assertExhausted();
  });

  it("goes on with the result that the operator supplies", async () => {
    const { graph, runs, first } = await planHandedOff(create);
    const [, failed] = first.observations;
    if (failed === undefined) throw new Error("nothing failed");
    const { error: _error, ...rest } = failed;
    const supplied: Observation = { ...rest, ok: true, content: "by phone" };
    await graph.updateState(thread, { observations: [supplied] });
    expect((await graph.invoke(back, thread)).answer).toBe("Done.");
    expect(runs).toEqual(["price tea", "order price of tea", "price <by phone>"]);
  });

  it("refuses a plan that cannot be carried out, and loses nothing by it", async () => {
    const { graph, runs, first } = await planHandedOff(create);
    const looped: ToolStep = { kind: "tool", id: "E2", tool: "price", args: { item: "{{E3}}" } };
    const steps = first.steps.map((step) => (step.id === "E2" ? looped : step));
    await graph.updateState(thread, { steps });
    await expect(graph.invoke(back, thread)).rejects.toMatchObject({ code: "invalid_input" });
    await graph.updateState(thread, { steps: first.steps.slice(0, 1) });
    expect((await graph.invoke(back, thread)).answer).toBe("Done.");
    expect(runs).toEqual(["price tea", "order price of tea"]);
  });

  it("leaves a write that may have taken effect alone", async () => {
    const { tools, runs } = countingTools("price");
    const late = tool(
      () => {
        runs.push("late");
        throw Object.assign(new Error("gateway"), { status: 504 });
      },
      { name: "late", description: "Writes.", schema: z.object({}) },
    );
    const all = [...tools, withPolicy(late, { effect: "write" }), handOff];
    const plan = planText({ tool: "late", args: {} }, stepOf("price", "tea"));
    const models = scriptedModel([plan, down(), "Done."]);
    const graph = create({ models, tools: all, checkpointer: new MemorySaver() });
    await graph.invoke(question, thread);
    expect((await graph.invoke(back, thread)).answer).toBe("Done.");
    expect(runs.toSorted()).toEqual(["late", "price tea"]);
  });
});

it("plan-execute goes on with the tasks that the operator adds", async () => {
  const { tools, runs } = shopTools();
  const turns = {
    "Price tea.": [calling("price", "tea"), "Tea costs 3."],
    "Order milk.": [calling("order", "milk"), "Ordered."],
  };
  const done = JSON.stringify({ action: "respond", response: "Done." });
  const models = taskModels([taskPlanText({ task: "Price tea." })], turns, [down(), done]);
  const graph = createPlanExecuteGraph({ models, tools, checkpointer: new MemorySaver() });
  const first = await graph.invoke(question, thread);
  expect(first.outcome).toMatchObject({ status: "handed_off", cause: "failure" });
  const steps = [...first.steps, { kind: "task" as const, id: "S2", task: "Order milk." }];
  await graph.updateState(thread, { steps });
  expect(await graph.invoke(back, thread)).toMatchObject({ answer: "Done." });
  expect(runs).toEqual(["price tea", "order milk"]);
  models.replanner.assertExhausted();
});

it("a router's run goes on in its route", async () => {
  const { tools, runs } = shopTools();
  const plan = planText(stepOf("price", "tea"), stepOf("order", "tea"));
  const models = scriptedModel([plan, down(), "Done."]);
  const graph = createRouterGraph({
    routes: { shop: { description: "Orders.", graph: createRewooGraph({ models, tools }) } },
    checkpointer: new MemorySaver(),
  });
  const first = await graph.invoke(question, thread);
  expect(first).toMatchObject({ outcome: { status: "handed_off" }, route: "shop" });
  const steps = first.steps.map((step) =>
    step.kind === "tool" && step.id === "E2" ? { ...step, args: { item: "milk" } } : step,
  );
  await graph.updateState(thread, { steps });
  const done = await graph.invoke(back, thread);
  expect(done).toMatchObject({ answer: "Done.", usage: { modelCalls: 3, toolCalls: 3 } });
  expect(done.messages.map(({ text }) => text)).toEqual(["Order tea.", "Done."]);
  expect(runs).toEqual(["price tea", "order tea", "order milk"]);
});

it("a router's route reads once that it was handed back", async () => {
  const models = scriptedModel([handing, "Coffee it is."]);
  const route = { description: "Orders.", graph: createReactGraph({ models, tools: [handOff] }) };
  const graph = createRouterGraph({ routes: { shop: route } });
  const done = await graph.invoke({ ...(await graph.invoke(question)), decisions: [] });
  expect(done.answer).toBe("Coffee it is.");
  expect(requestText(models.calls[1]).match(/hands the conversation back/g)).toHaveLength(1);
});
