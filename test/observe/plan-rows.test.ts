import { expect, it } from "vitest";

import { calculator, createReactGraph, createRewooGraph } from "../../src/index.js";
import type { AgentEvent } from "../../src/observe/events.js";
import { PlanRows } from "../../src/observe/plan-rows.js";
import { scriptedModel } from "../../src/testing/index.js";

async function collected(stream: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

function rowsOf(events: readonly AgentEvent[]): PlanRows {
  const rows = new PlanRows();
  for (const event of events) rows.add(event);
  return rows;
}

const messages = [{ role: "user" as const, content: "What is the square of 12?" }];

it("the calls of an agent without a plan are rows of their own", async () => {
  const models = scriptedModel([
    { toolCalls: [{ name: "calculator", args: { expression: "12 * 12" }, id: "a" }] },
    { toolCalls: [{ name: "calculator", args: { expression: "144 + 1" }, id: "b" }] },
    "It is 144.",
  ]);
  const graph = createReactGraph({ models, tools: [calculator] });
  const events = await collected(await graph.stream({ messages }, { streamMode: "custom" }));
  const rows = rowsOf(events);
  expect(rows.rows()).toEqual([]);
  expect(rows.looseRows()).toMatchObject([
    { id: "a", tool: "calculator", state: "done" },
    { id: "b", tool: "calculator", state: "done" },
  ]);
});

it("the calls of a plan's steps are none", async () => {
  const graph = createRewooGraph({ models: "offline", tools: [calculator] });
  const events = await collected(await graph.stream({ messages }, { streamMode: "custom" }));
  const rows = rowsOf(events);
  expect(rows.rows()).toMatchObject([{ id: "E1", state: "done", needs: [] }]);
  expect(rows.looseRows()).toEqual([]);
});
