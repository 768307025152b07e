import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { StoppingSaver } from "../support/stopping-saver.js";

const question = { messages: [{ role: "user" as const, content: "order tea and milk" }] };
const thread = { configurable: { thread_id: "1" } };

describe("a question in place of an answer tells the model of the last turn", () => {
  const approve = { decisions: [{ type: "approve" }] };
  it.each([
    {
      name: "that a call was not approved and not run",
      toolPolicies: { pay: { needsApproval: true } },
      says: /^Not approved and not run/,
      calls: 0,
    },
    {
      name: "no such thing of a read, which may have run",
      toolPolicies: { pay: { needsApproval: true, effect: "read" as const } },
      says: /its result is not known/,
      calls: 0,
    },
    {
      name: "that a write which was at work may have taken effect",
      toolPolicies: { pay: { needsApproval: true } },
      resume: approve,
      says: /it may have taken effect/,
      calls: 1,
    },
  ])("$name", async ({ toolPolicies, resume, says, calls }) => {
    const runs: string[] = [];
    const abort = new AbortController();
    const pay = tool(
      async () => {
        runs.push("pay");
        abort.abort();
        return await new Promise<string>(() => {});
      },
      { name: "pay", description: "Pays.", schema: z.object({}) },
    );
    const models = scriptedModel([{ toolCalls: [{ name: "pay", args: {} }] }, "As you like."]);
    const checkpointer = new MemorySaver();
    const graph = createReactGraph({ models, tools: [pay], toolPolicies, checkpointer });
    await graph.invoke(question, thread);
    const stopped = { ...thread, signal: abort.signal };
    if (resume !== undefined) {
      await graph.invoke(new Command({ resume }), stopped).catch(() => undefined);
    }
    const done = await graph.invoke({ messages: [new HumanMessage("forget it")] }, thread);
    expect(done.messages.find(({ type }) => type === "tool")?.text).toMatch(says);
    expect(runs).toHaveLength(calls);
    models.assertExhausted();
  });

  it("only that its result is not known where a read was at work", async () => {
    const { tools, runs } = countingTools("price");
    const toolPolicies = { price: { effect: "read" as const } };
    const checkpointer = new StoppingSaver();
    const models = scriptedModel([
      { toolCalls: [{ name: "price", args: { item: "tea" } }] },
      "As you like.",
    ]);
    const graph = createReactGraph({ models, tools, toolPolicies, checkpointer });
    const left = { ...thread, callbacks: [{ handleToolEnd: () => (checkpointer.left = 0) }] };
    await expect(graph.invoke(question, left)).rejects.toThrow("stopped");
    checkpointer.left = Infinity;
    const done = await graph.invoke({ messages: [new HumanMessage("forget it")] }, thread);
    expect(done.messages.find(({ type }) => type === "tool")?.text).toMatch(/is not known/);
    expect(runs).toEqual(["price tea"]);
  });
});
