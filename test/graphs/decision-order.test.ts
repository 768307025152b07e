import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createReactGraph,
  createRewooGraph,
  type Decision,
  type ReactOptions,
  type RewooOptions,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { planText } from "../support/plans.js";
import { fakeClock } from "../support/run-scope.js";

const question = { messages: [{ role: "user" as const, content: "Pay Ann." }] };
const thread = { configurable: { thread_id: "1" } };
const hour = 3_600_000;
const expiresAfter = hour;
const approve: Decision = { type: "approve" };

function answering(options: ReactOptions) {
  const graph = createReactGraph(options);
  return {
    ask: () => graph.invoke(question, thread),
    answer: (decisions: readonly Decision[]) =>
      graph.invoke(new Command({ resume: { decisions } }), thread),
  };
}

function planning(options: RewooOptions) {
  const graph = createRewooGraph(options);
  return {
    ask: () => graph.invoke(question, thread),
    answer: (decisions: readonly Decision[]) =>
      graph.invoke(new Command({ resume: { decisions } }), thread),
  };
}

/** A note that is written first, and a payment behind it that may be approved for an hour. */
function ordered(graph: "react" | "rewoo", onExpiry: "reject" | "hand_off") {
  const { clock, pass } = fakeClock();
  const paid: string[] = [];
  const pay = tool(
    ({ to }) => {
      paid.push(to);
      return `paid ${to}`;
    },
    { name: "pay", description: "Pays.", schema: z.object({ to: z.string() }) },
  );
  const send = tool(
    ({ text }) => {
      paid.push(text);
      return "sent";
    },
    { name: "send", description: "Sends.", schema: z.object({ text: z.string() }) },
  );
  const models = scriptedModel([
    graph === "react"
      ? {
          toolCalls: [
            { name: "send", args: { text: "note" } },
            { name: "pay", args: { to: "Ann" } },
          ],
        }
      : planText({ tool: "send", args: { text: "note" } }, { tool: "pay", args: { to: "Ann" } }),
    "Done.",
  ]);
  const options = {
    models,
    clock,
    tools: [send, pay],
    toolPolicies: {
      send: { needsApproval: true },
      pay: { needsApproval: true, expiresAfter, onExpiry },
    },
    checkpointer: new MemorySaver(),
  };
  return { paid, pass, agent: graph === "react" ? answering(options) : planning(options) };
}

describe.each(["react", "rewoo"] as const)("a call of %s whose turn comes later", (graph) => {
  it.each([
    { onExpiry: "reject", after: hour, done: ["note", "Ann"], status: "answered" },
    { onExpiry: "reject", after: hour + 1, done: ["note"], status: "answered" },
    { onExpiry: "hand_off", after: hour + 1, done: ["note"], status: "handed_off" },
  ] as const)(
    "keeps to when it was approved: $after ms, $onExpiry",
    async ({ onExpiry, after, done, status }) => {
      const { paid, pass, agent } = ordered(graph, onExpiry);
      asked(await agent.ask());
      pass(after);
      const result = await agent.answer([approve, approve]);
      expect(paid).toEqual(done);
      expect(result.outcome?.status).toBe(status);
      expect(result.observations).toMatchObject([
        { tool: "send", ok: true },
        { tool: "pay", ok: done.length === 2, decisions: [{ type: "approve", at: 1_000 + after }] },
      ]);
      expect(result.observations[1]?.decisions).toHaveLength(1);
    },
  );
});
