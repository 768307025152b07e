import { MemorySaver, Command } from "@langchain/langgraph";
import { expect, it } from "vitest";

import {
  type AgentEvent,
  createPlanExecuteGraph,
  createReactGraph,
  asTool,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";

const question = { messages: [{ role: "user" as const, content: "Which is cheaper?" }] };
const thread = { configurable: { thread_id: "t" } };

type Task = { readonly id: string; readonly task: string; readonly final?: true };

const task = (id: string, ...after: readonly string[]) => ({ id, task: `Do ${id}.`, after });
const plan = (...steps: readonly Task[]) => JSON.stringify({ steps });
const goOn = (...steps: readonly Task[]) => JSON.stringify({ action: "continue", steps });
const respond = (response: string) => JSON.stringify({ action: "respond", response });

/** The events of a stream. */
async function collected(stream: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** The events of a graph's run, from the question on. */
async function eventsOf(graph: ReturnType<typeof createPlanExecuteGraph>): Promise<AgentEvent[]> {
  return collected(await graph.stream(question, { streamMode: "custom", ...thread }));
}

/** What is told of plans: the tasks that are new, and the ids after a change. */
function plansIn(events: readonly AgentEvent[]): unknown[] {
  const told: unknown[] = [];
  for (const event of events) {
    if (event.type === "plan_made") told.push(event.content?.steps);
    if (event.type === "plan_changed") told.push(event.steps);
  }
  return told;
}

it("the events of a step's run name the step", async () => {
  const { tools } = countingTools("look");
  const models = scriptedModel([
    plan(task("S1"), { ...task("S2", "S1"), final: true }),
    { toolCalls: [{ name: "look", args: { item: "tea" } }] },
    "Tea costs 3.",
    "Tea is cheaper.",
  ]);
  const events = await eventsOf(createPlanExecuteGraph({ models, tools }));
  const [{ runId } = { runId: "" }] = events;
  const inside = events.filter((event) => event.runId !== runId);
  const parents = new Set(inside.map(({ parent }) => JSON.stringify(parent)));
  expect([...parents]).toEqual(["S1", "S2"].map((callId) => JSON.stringify({ runId, callId })));
  const calls = inside.flatMap((event) =>
    event.type === "tool_finished" ? [[event.tool, event.parent?.callId]] : [],
  );
  expect(calls).toEqual([["look", "S1"]]);
  expect(events.filter((event) => event.runId === runId).every((each) => !("parent" in each))).toBe(
    true,
  );
  expect(plansIn(events)).toEqual([
    [
      { id: "S1", tool: "executor", task: "Do S1." },
      { id: "S2", tool: "executor", task: "Do S2.", needs: ["S1"], final: true },
    ],
  ]);
});

it.each([
  {
    name: "steps that are new, and those that are dropped",
    replies: [goOn(task("S4")), "Done.", respond("Tea.")],
    told: [[{ id: "S4", tool: "executor", task: "Do S4." }], ["S1", "S4"]],
  },
  {
    name: "that steps are dropped which the answer does not need",
    replies: [respond("Tea.")],
    told: [["S1"]],
  },
  {
    name: "another order",
    replies: [goOn(task("S3"), task("S2")), "Done.", "Done.", respond("Tea.")],
    told: [["S1", "S3", "S2"]],
  },
  {
    name: "nothing where all stays as it is",
    replies: [goOn(task("S2"), task("S3")), "Done.", "Done.", respond("Tea.")],
    told: [],
  },
])("a replan tells $name", async ({ replies, told }) => {
  const tasks = plan(task("S1"), task("S2", "S1"), task("S3", "S1"));
  const models = scriptedModel([tasks, "PLAN CHANGE: all is different.", ...replies]);
  const events = await eventsOf(createPlanExecuteGraph({ models }));
  expect(plansIn(events).slice(1)).toEqual(told);
  models.assertExhausted();
});

it("a person's edit tells what is new and what is dropped", async () => {
  const models = scriptedModel([plan(task("S1"), task("S2")), "Done.", "Done.", respond("Tea.")]);
  const graph = createPlanExecuteGraph({
    models,
    reviewPlan: true,
    checkpointer: new MemorySaver(),
  });
  await eventsOf(graph);
  const steps = [{ id: "S2", task: "Do S2." }, { task: "Do more." }];
  const edited_action = { name: "plan", args: { steps } };
  const resume = { decisions: [{ type: "edit", edited_action }] };
  const resumed = await graph.stream(new Command({ resume }), { streamMode: "custom", ...thread });
  const events = await collected(resumed);
  expect(plansIn(events)).toEqual([
    [{ id: "S3", tool: "executor", task: "Do more.", needs: ["S2"] }],
    ["S2", "S3"],
  ]);
  models.assertExhausted();
});

it("a question without a plan is told as the only step", async () => {
  const models = scriptedModel(["{", "{", "{", "Tea."]);
  const events = await eventsOf(createPlanExecuteGraph({ models }));
  expect(plansIn(events)).toEqual([
    [{ id: "S1", tool: "executor", task: "Which is cheaper?", final: true }],
  ]);
  expect(events.map(({ type }) => type)).toContain("degraded");
});

it("runs inside one another name the call that each works for", async () => {
  const inner = createReactGraph({ models: scriptedModel(["Tea costs 3."]) });
  const outer = createReactGraph({
    models: scriptedModel([
      { toolCalls: [{ name: "clerk", args: { question: "Tea?" }, id: "a" }] },
      "It costs 3.",
    ]),
    tools: [asTool(inner, { name: "clerk", description: "Knows prices." })],
  });
  const events = await collected(await outer.stream(question, { streamMode: "custom" }));
  const [{ runId } = { runId: "" }] = events;
  const inside = events.filter((event) => event.runId !== runId);
  expect(inside).not.toEqual([]);
  expect(inside.every(({ parent }) => parent?.runId === runId && parent.callId === "a")).toBe(true);
});
