import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { asTool, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { asRunnable } from "../support/hosts.js";
import { planningGraphs } from "../support/planning-graphs.js";
import { askingAgent } from "../support/sub-agents.js";

const question = { messages: [{ role: "user" as const, content: "pay" }] };
const thread = { configurable: { thread_id: "1" } };

/** A tool that calls its run off the first time, while it is at work. */
function stopping() {
  const runs: string[] = [];
  const abort = new AbortController();
  const pay = tool(
    async () => {
      runs.push("pay");
      if (runs.length > 1) return "paid";
      abort.abort();
      return await new Promise<string>(() => {});
    },
    { name: "pay", description: "Pays.", schema: z.object({}) },
  );
  const steps = [{ id: "E1", thought: "", tool: "pay", args: {} }];
  const models = scriptedModel([JSON.stringify({ steps }), "I see."]);
  return { runs, abort, options: { models, tools: [withPolicy(pay, { effect: "write" })] } };
}

describe.each(planningGraphs)("the graph $name", ({ create }) => {
  describe.each([
    { place: "at top level", who: "" },
    { place: "in a graph that is a tool", who: "expert: " },
  ])("a planned write $place that was called off while it was at work", ({ who }) => {
    it.each([
      { decision: "approve", runs: ["pay", "pay"] },
      { decision: "reject", runs: ["pay"] },
    ])("is asked about, and then: $decision", async ({ decision, runs: all }) => {
      const { runs, abort, options } = stopping();
      const checkpointer = new MemorySaver();
      const expert = () => asTool(create(options), { name: "expert", description: "Pays." });
      const graph = asRunnable(
        who === ""
          ? create({ ...options, checkpointer })
          : askingAgent([expert()], { checkpointer }).graph,
      );
      const config = { ...thread, signal: abort.signal };
      await expect(graph.invoke(question, config)).rejects.toThrow(/abort/i);

      const paused = await graph.invoke(null, thread);
      expect(asked(paused).action_requests).toMatchObject([
        {
          name: "pay",
          description: `${who}pay may already have been run before the program stopped. Run it again?`,
        },
      ]);
      const resume = { decisions: [{ type: decision }] };
      const done = await graph.invoke(new Command({ resume }), thread);
      expect(done).toMatchObject({ outcome: { status: "answered" } });
      expect(runs).toEqual(all);
    });
  });
});
