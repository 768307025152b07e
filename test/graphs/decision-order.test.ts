import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  type ReactOptions,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { bank, callsIn, type PayingGraph } from "../support/bank.js";
import { planText } from "../support/plans.js";
import { fakeClock } from "../support/run-scope.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const question = { messages: [{ role: "user" as const, content: "Pay Ann." }] };
const thread = { configurable: { thread_id: "1" } };
const hour = 3_600_000;
const approveBoth = new Command({
  resume: { decisions: [{ type: "approve" }, { type: "approve" }] },
});

const steps = [
  { tool: "send", args: { text: "note" } },
  { tool: "pay", args: { to: "Ann" } },
];
const turn = { toolCalls: steps.map(({ tool: name, args }) => ({ name, args })) };

type Create = (options: Omit<ReactOptions, "prompts" | "examples">) => PayingGraph;

const graphs: Readonly<Record<string, Create>> = {
  react: (options) => createReactGraph({ ...options, models: scriptedModel([turn, "Done."]) }),
  rewoo: (options) =>
    createRewooGraph({ ...options, models: scriptedModel([planText(...steps), "Done."]) }),
  "llm-compiler": (options) =>
    createLlmCompilerGraph({ ...options, models: scriptedModel([planText(...steps), "Done."]) }),
  "plan-execute": (options) =>
    createPlanExecuteGraph({
      ...options,
      models: scriptedModel([taskPlanText({ task: "Pay." }), turn, "Done.", respondWith("Done.")]),
    }),
};

/** A note that is written first, and a payment behind it that may be approved for an hour. */
function ordered(create: Create, onExpiry: "reject" | "hand_off") {
  const { clock, pass } = fakeClock();
  const { paid, tools, toolPolicies } = bank({ expiresAfter: hour, onExpiry });
  const send = tool(
    ({ text }) => {
      paid.push(text);
      return "sent";
    },
    { name: "send", description: "Sends.", schema: z.object({ text: z.string() }) },
  );
  const graph = create({
    clock,
    tools: [send, ...tools],
    toolPolicies: { send: { needsApproval: true }, ...toolPolicies },
    checkpointer: new MemorySaver(),
  });
  return { paid, pass, graph };
}

describe.each(Object.entries(graphs))("a call of %s whose turn comes later", (_name, create) => {
  it.each([
    { onExpiry: "reject", after: hour, done: ["note", "Ann"], status: "answered" },
    { onExpiry: "reject", after: hour + 1, done: ["note"], status: "answered" },
    { onExpiry: "hand_off", after: hour + 1, done: ["note"], status: "handed_off" },
  ] as const)(
    "keeps to when it was approved: $after ms, $onExpiry",
    async ({ onExpiry, after, done, status }) => {
      const { paid, pass, graph } = ordered(create, onExpiry);
      asked(await graph.invoke(question, thread));
      pass(after);
      const result = await graph.invoke(approveBoth, thread);
      expect(paid).toEqual(done);
      expect(result.outcome?.status).toBe(status);
      const calls = callsIn(result.observations);
      expect(calls).toMatchObject([
        { tool: "send", ok: true },
        { tool: "pay", ok: done.length === 2, decisions: [{ type: "approve", at: 1_000 + after }] },
      ]);
      expect(calls[1]?.decisions).toHaveLength(1);
    },
  );
});
