import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph, type ToolPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { fakeClock } from "../support/run-scope.js";

const question = { messages: [{ role: "user" as const, content: "Pay." }] };
const thread = { configurable: { thread_id: "1" } };
const hour = 3_600_000;

/** A payment that is called off while it runs the first time, and so is in doubt. */
async function inDoubt(policy: ToolPolicy) {
  const { clock, pass } = fakeClock();
  const stop = new AbortController();
  const runs: string[] = [];
  const pay = tool(
    () => {
      runs.push("pay");
      stop.abort();
      return "paid";
    },
    { name: "pay", description: "Pays.", schema: z.object({}) },
  );
  const graph = createReactGraph({
    models: scriptedModel([{ toolCalls: [{ name: "pay", args: {}, id: "1" }] }, "I see."]),
    tools: [pay],
    toolPolicies: { pay: { effect: "write", ...policy } },
    checkpointer: new MemorySaver(),
    clock,
  });
  await expect(graph.invoke(question, { ...thread, signal: stop.signal })).rejects.toThrow(
    /abort/i,
  );
  const [request] = asked(await graph.invoke(null, thread)).action_requests;
  return { graph, pass, runs, request };
}

it.each([
  { decision: { type: "respond", message: "receipt 9" }, ok: true, runs: ["pay"] },
  { decision: { type: "reject", message: "Leave it." }, ok: false, runs: ["pay"] },
  { decision: { type: "approve" }, ok: true, runs: ["pay", "pay"] },
])("a write in doubt ends once for a listener: $decision.type", async ({ decision, ok, runs }) => {
  const doubt = await inDoubt({});
  const resume = { decisions: [{ ...decision, id: doubt.request?.id }] };
  const stream = await doubt.graph.stream(new Command({ resume }), {
    ...thread,
    streamMode: "custom",
  });
  const events: unknown[] = [];
  for await (const event of stream) events.push(event);
  const types = ["tool_started", "tool_finished"];
  const told = events.filter((event) => types.includes(typeIn(event)));
  expect(told).toMatchObject([{ type: types[0] }, { type: types[1], callId: "1", ok }]);
  expect(doubt.runs).toEqual(runs);
});

function typeIn(event: unknown): string {
  return typeof event === "object" && event !== null ? String(Reflect.get(event, "type")) : "";
}

it.each([
  { after: hour, onExpiry: "reject", status: "answered", runs: ["pay", "pay"] },
  { after: hour + 1, onExpiry: "reject", status: "answered", runs: ["pay"] },
  { after: hour + 1, onExpiry: "hand_off", status: "handed_off", runs: ["pay"] },
] as const)(
  "a person may agree for as long as the policy says to run it again: $after ms, $onExpiry",
  async ({ after, onExpiry, status, runs }) => {
    const doubt = await inDoubt({ expiresAfter: hour, onExpiry });
    expect(doubt.request).toHaveProperty("expires_at");
    doubt.pass(after);
    const resume = { decisions: [{ type: "approve", id: doubt.request?.id }] };
    const done = await doubt.graph.invoke(new Command({ resume }), thread);
    expect(doubt.runs).toEqual(runs);
    expect(done.outcome?.status).toBe(status);
    expect(done.observations).toMatchObject([{ maybeDuplicate: true }]);
  },
);

it("what came of it counts however late a person says it", async () => {
  const doubt = await inDoubt({ expiresAfter: hour });
  doubt.pass(9 * hour);
  const resume = { decisions: [{ type: "respond", message: "receipt 9" }] };
  const done = await doubt.graph.invoke(new Command({ resume }), thread);
  expect(done.observations).toMatchObject([{ ok: true, content: "receipt 9" }]);
  expect(doubt.runs).toEqual(["pay"]);
});
