import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import {
  type AgentEvent,
  createPlanExecuteGraph,
  type PlanExecuteOptions,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { ask, question } from "../support/middleware.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const report = "Tea costs 3 euros; now I look at coffee.";
const goesOn = (said: object) =>
  JSON.stringify({
    action: "continue",
    ...said,
    steps: [{ id: "S2", task: "Price coffee.", after: [] }],
  });

function run(options: Partial<PlanExecuteOptions>, said: object = { report }) {
  const plan = taskPlanText({ task: "Price tea." }, { task: "Price coffee.", after: ["S1"] });
  const planner = scriptedModel([plan, goesOn(said), respondWith("7 euros."), respondWith("Bye.")]);
  const executor = scriptedModel(["3 euros.", "4 euros.", "5 euros."]);
  const graph = createPlanExecuteGraph({
    models: { planner, executor },
    replanning: "always",
    ...options,
  });
  return { graph, planner, executor };
}

async function told(graph: ReturnType<typeof run>["graph"]) {
  const events: AgentEvent[] = [];
  const stream = await graph.stream(question, { streamMode: "custom" });
  for await (const event of stream) events.push(event);
  return events.flatMap((event) => (event.type === "progress" ? [event.content?.text] : []));
}

describe("a replanner's word to the user", () => {
  it.each([
    { reports: "none" as const, events: [] },
    { reports: "events" as const, events: [report] },
    { reports: "messages" as const, events: [report] },
  ])("is told in events with $reports: $events", async ({ reports, events }) => {
    const { graph, planner } = run({ reports });
    expect(await told(graph)).toEqual(events);
    const asked = JSON.stringify(planner.calls[1]?.messages);
    expect(asked.includes("one short sentence to the user")).toBe(events.length > 0);
  });

  it.each([
    { reports: "events" as const, texts: ["What does tea cost?", "7 euros."] },
    { reports: "messages" as const, texts: ["What does tea cost?", report, "7 euros."] },
  ])("stands in the chat with $reports", async ({ reports, texts }) => {
    const { messages, answer } = await run({ reports }).graph.invoke(question);
    expect(messages.map(({ text }) => text)).toEqual(texts);
    expect(answer).toBe("7 euros.");
  });

  it("streams as a message of its own", async () => {
    const { graph } = run({ reports: "messages" });
    const stream = await graph.stream(question, { streamMode: "messages" });
    const ids = new Map<string, string>();
    for await (const [{ id = "", text }] of stream) ids.set(id, (ids.get(id) ?? "") + text);
    expect([...ids.values()]).toContain(report);
  });

  it("is read by no model, in this run or the next", async () => {
    const checkpointer = new MemorySaver();
    const { graph, planner, executor } = run({ reports: "messages", checkpointer });
    const thread = { configurable: { thread_id: "1" } };
    await graph.invoke(question, thread);
    await graph.invoke(ask("And milk?"), thread);
    const read = JSON.stringify(
      [planner.calls, executor.calls].map((calls) => calls.map(({ messages }) => messages)),
    );
    expect(read).not.toContain(report);
  });

  it.each([
    { name: "none came", said: {} },
    { name: "it is empty", said: { report: " " } },
    { name: "the answer must pass first", said: { report }, more: { checkAnswer: () => {} } },
  ])("is not in the chat where $name", async ({ said, more = {} }) => {
    const { messages } = await run({ reports: "messages", ...more }, said).graph.invoke(question);
    expect(messages.map(({ type }) => type)).toEqual(["human", "ai"]);
  });

  it("is refused in another form", () => {
    const options: object = { reports: true };
    expect(() => createPlanExecuteGraph(options)).toThrow("reports");
  });
});
