import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createPlanExecuteGraph, handOff } from "../../src/index.js";
import { askedReads } from "../support/asked-reads.js";
import { countingTools } from "../support/counting-tools.js";
import { calling, taskModels } from "../support/task-models.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const question = { messages: [{ role: "user" as const, content: "Order all of it." }] };
const thread = { configurable: { thread_id: "1" } };

/** A tool that waits for its run to be called off the first time, and calls it off itself. */
function stuckOnce() {
  const abort = new AbortController();
  const heard: string[] = [];
  let times = 0;
  const stuck = tool(
    async ({ item }, { signal }) => {
      times += 1;
      if (times > 1) return `stock of ${item}`;
      signal?.addEventListener("abort", () => heard.push(item));
      setTimeout(() => abort.abort(), 50);
      return await new Promise<string>(() => {});
    },
    { name: "stock", description: "The stock.", schema: z.object({ item: z.string() }) },
  );
  return { abort, heard, stuck };
}

describe("a run that is called off while steps run", () => {
  const turns = {
    "Price tea.": [calling("price", "tea"), "Tea costs 3."],
    "Price cocoa.": [calling("price", "cocoa"), { text: "Cocoa costs 2.", delayMs: 30 }],
    "Count milk.": [calling("price", "milk"), calling("stock", "milk"), "4 bottles of milk."],
    "Order tea.": [calling("order", "tea"), "Tea is ordered."],
  };
  it.each([
    {
      name: "beside others",
      tasks: [
        { task: "Price tea." },
        { task: "Count milk." },
        { task: "Order tea.", after: ["S1", "S2"] },
      ],
    },
    {
      name: "that became ready when another was done",
      tasks: [
        { task: "Price tea." },
        { task: "Count milk.", after: ["S1"] },
        { task: "Order tea.", after: ["S2"] },
      ],
    },
    {
      name: "that began while something ran which is done",
      tasks: [
        { task: "Price tea." },
        { task: "Price cocoa." },
        { task: "Count milk.", after: ["S1"] },
        { task: "Order tea.", after: ["S3"] },
      ],
    },
  ])("reaches their tools and goes on where it was: $name", async ({ tasks }) => {
    const { abort, heard, stuck } = stuckOnce();
    const { tools, runs } = countingTools("price", "order");
    const models = taskModels([taskPlanText(...tasks)], turns, [respondWith("Done.")]);
    const graph = createPlanExecuteGraph({
      models,
      tools: [...tools, stuck],
      checkpointer: new MemorySaver(),
    });
    const config = { ...thread, signal: abort.signal };
    await expect(graph.invoke(question, config)).rejects.toThrow(/abort/i);
    expect(heard).toEqual(["milk"]);
    const before = tasks.some(({ task }) => task === "Price cocoa.") ? ["price cocoa"] : [];
    expect(runs.toSorted()).toEqual([...before, "price milk", "price tea"]);

    const done = await graph.invoke(null, thread);
    expect(done).toMatchObject({ answer: "Done.", outcome: { status: "answered" } });
    expect(runs.toSorted()).toEqual(["order tea", ...before, "price milk", "price tea"]);
    expect(models.executor.calls).toHaveLength(7 + 2 * before.length);
  });
});

describe("a hand-off inside a step", () => {
  it.each([
    { place: "in a run that pauses", options: { checkpointer: new MemorySaver() } },
    { place: "in a run that cannot pause", options: {} },
  ])("ends the run before what comes after it, $place", async ({ options }) => {
    const { tools, runs } = countingTools("price", "order");
    const handing = { name: "hand_off", args: { reason: "A matter of law.", summary: "Asked." } };
    const models = taskModels(
      [
        taskPlanText(
          { task: "Price tea." },
          { task: "Ask the lawyer." },
          { task: "Order milk." },
          { task: "Order tea.", after: ["S2"] },
        ),
      ],
      {
        "Price tea.": [calling("price", "tea"), "Tea costs 3."],
        "Ask the lawyer.": [{ toolCalls: [handing] }],
        "Order milk.": [calling("order", "milk")],
      },
    );
    const toolPolicies = { order: askedReads };
    const all = { ...options, models, tools: [...tools, handOff], toolPolicies };
    const result = await createPlanExecuteGraph(all).invoke(question, thread);
    const reason = "A matter of law.";
    expect(result).toMatchObject({
      outcome: { status: "handed_off", reason },
      answer: `A person takes over from here: ${reason}`,
    });
    expect(result.outcome?.summary).toBe(
      [
        "Asked:",
        "Order all of it.",
        "Done:",
        "- Price tea.: Tea costs 3.",
        "- Ask the lawyer.: A matter of law. Asked.",
        "Still open:",
        "- Order milk.",
        "- Order tea.",
        "Why a person is needed:",
        reason,
      ].join("\n"),
    );
    expect(result).not.toHaveProperty("__interrupt__");
    expect(runs).toEqual(["price tea"]);
    expect(models.executor.calls).toHaveLength(4);
    models.replanner.assertExhausted();
  });
});
