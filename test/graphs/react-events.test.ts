import { expect, it } from "vitest";

import { type AgentEvent, askUser, createReactGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";

const input = { messages: [{ role: "user" as const, content: "the secret of tea" }] };

async function eventsOf(graph: ReturnType<typeof createReactGraph>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of await graph.stream(input, { streamMode: "custom" })) events.push(event);
  return events;
}

function run(options: { events?: "full" | "metadata" } = {}) {
  const { tools } = countingTools("price");
  const calls = [
    { name: "price", args: { item: "tea" }, id: "good" },
    { name: "prise", args: {}, id: "unknown" },
    { name: "price", args: {}, id: "invalid" },
  ];
  const models = scriptedModel([{ toolCalls: calls }, "The secret is out."]);
  return eventsOf(createReactGraph({ models, tools, ...options }));
}

it("tells everything that happens, every call with its start and its end", async () => {
  const events = await run();
  const types = events.map(({ type }) => type);
  expect(types.filter((type) => !type.startsWith("tool"))).toEqual([
    "run_started",
    "model_started",
    "model_finished",
    "model_started",
    "model_finished",
    "run_finished",
  ]);
  expect(types.filter((type) => type === "tool_started")).toHaveLength(3);
  const finished = events.filter((event) => event.type === "tool_finished");
  expect(Object.fromEntries(finished.map(({ callId, error }) => [callId, error]))).toEqual({
    good: undefined,
    unknown: "unknown_tool",
    invalid: "invalid_arguments",
  });
  expect(new Set(events.map(({ runId }) => runId)).size).toBe(1);
  expect(new Set(events.map(({ node }) => node))).toEqual(
    new Set(["intake", "agent", "tools", "finalizer"]),
  );
});

it("carries content at level full only", async () => {
  expect(JSON.stringify(await run())).toMatch(/secret/);
  const events = await run({ events: "metadata" });
  expect(JSON.stringify(events)).not.toMatch(/secret|price of tea/);
});

it("a question to the user is told as what is needed", async () => {
  const toolCalls = [{ name: "ask_user", args: { question: "Which?" } }];
  const models = scriptedModel([{ toolCalls }]);
  const events = await eventsOf(createReactGraph({ models, tools: [askUser] }));
  expect(events.map(({ type }) => type)).toContain("input_needed");
  expect(events.at(-1)).toMatchObject({ type: "run_finished", outcome: { status: "needs_input" } });
});
