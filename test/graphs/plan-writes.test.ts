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

/** A tool that calls its run off the first times, while it is at work. */
function stopping(times = 1) {
  const runs: string[] = [];
  const aborts = Array.from({ length: times }, () => new AbortController());
  const pay = tool(
    async () => {
      const abort = aborts[runs.length];
      runs.push("pay");
      if (abort === undefined) return "paid";
      abort.abort();
      return await new Promise<string>(() => {});
    },
    { name: "pay", description: "Pays.", schema: z.object({}) },
  );
  const steps = [{ id: "E1", thought: "", tool: "pay", args: {} }];
  const models = scriptedModel([JSON.stringify({ steps }), "I see."]);
  return { runs, aborts, options: { models, tools: [withPolicy(pay, { effect: "write" })] } };
}

type Options = ReturnType<typeof stopping>["options"];

describe.each(planningGraphs)("the graph $name", ({ create }) => {
  describe.each([
    { place: "at top level", who: "" },
    { place: "in a graph that is a tool", who: "expert: " },
  ])("a planned write $place that was called off while it was at work", ({ who }) => {
    function placed(options: Options) {
      const checkpointer = new MemorySaver();
      const expert = () => asTool(create(options), { name: "expert", description: "Pays." });
      return asRunnable(
        who === ""
          ? create({ ...options, checkpointer })
          : askingAgent([expert()], { checkpointer }).graph,
      );
    }

    it.each([
      { decision: "approve", runs: ["pay", "pay"] },
      { decision: "reject", runs: ["pay"] },
    ])("is asked about, and then: $decision", async ({ decision, runs: all }) => {
      const { runs, aborts, options } = stopping();
      const graph = placed(options);
      const [config] = aborts.map(({ signal }) => ({ ...thread, signal }));
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

    it("is asked about again where the run that was approved was called off as well", async () => {
      const { runs, aborts, options } = stopping(2);
      const graph = placed(options);
      const [first, second] = aborts.map(({ signal }) => ({ ...thread, signal }));
      const approve = new Command({ resume: { decisions: [{ type: "approve" }] } });
      await expect(graph.invoke(question, first)).rejects.toThrow(/abort/i);
      await graph.invoke(null, thread);
      await expect(graph.invoke(approve, second)).rejects.toThrow(/abort/i);
      const paused = await graph.invoke(null, thread);
      expect(asked(paused).action_requests[0]?.description).toContain("may already have been run");
      expect(runs).toEqual(["pay", "pay"]);
      const done: unknown = await graph.invoke(approve, thread);
      expect(JSON.stringify(done)).toContain('"maybeDuplicate":true');
      expect(runs).toEqual(["pay", "pay", "pay"]);
    });
  });
});
