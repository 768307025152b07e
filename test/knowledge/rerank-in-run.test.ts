import { AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph, type ReactOptions, withPolicy } from "../../src/index.js";
import { createSearchKnowledgeTool, openKnowledge } from "../../src/knowledge/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { outline, watching } from "../support/watching.js";

const asking = { messages: [new HumanMessage("How fast is the kettle?")] };
const kettles = "# Fast\n\nThe kettle boils fast.\n\n# Slow\n\nThe kettle of the attic is slow.";

async function base(rerank: ReturnType<typeof scriptedModel>) {
  const knowledge = await openKnowledge({ rerank });
  await knowledge.ingest([{ name: "kettles.md", content: kettles }]);
  return knowledge;
}

const searchCall = {
  toolCalls: [{ name: "search_knowledge", args: { question: "kettle" }, id: "s1" }],
};
const secondFirst = JSON.stringify({ scores: [{ passage: 2, score: 10 }] });

async function run(
  reranker: ReturnType<typeof scriptedModel>,
  options: Partial<ReactOptions> = {},
) {
  const { observer, events, tree } = watching();
  const models = scriptedModel([searchCall, "Fast."]);
  const tools = [createSearchKnowledgeTool(await base(reranker))];
  const graph = createReactGraph({ models, tools, observers: [observer], ...options });
  return { graph, models, events, tree };
}

describe("a reranking model inside a run", () => {
  it.each([
    { name: "without a checkpointer", checkpointer: undefined },
    { name: "with a checkpointer, where its call may not pause", checkpointer: new MemorySaver() },
  ])("$name is a part of it: usage by role, events, spans", async ({ checkpointer }) => {
    using reranker = scriptedModel([secondFirst]);
    const { graph, models, events, tree } = await run(
      reranker,
      checkpointer === undefined ? {} : { checkpointer },
    );
    const config = { configurable: { thread_id: "t" } };
    const { answer, usage, observations } = await graph.invoke(asking, config);
    expect(answer).toBe("Fast.");
    models.assertExhausted();
    expect(usage).toMatchObject({ modelCalls: 3, toolCalls: 1 });
    expect(usage.byRole["reranker"]).toMatchObject({ modelCalls: 1 });
    expect(usage.byRole["executor"]).toMatchObject({ modelCalls: 2 });
    expect(observations[0]?.usage?.byRole["reranker"]).toMatchObject({ modelCalls: 1 });
    expect(observations[0]?.content).not.toContain("recall without reranked");
    expect(events.filter(({ type }) => type === "run_finished")).toHaveLength(2);
    expect(outline(tree())).toEqual([
      "run react ok",
      expect.stringContaining("model"),
      "  tool search_knowledge ok",
      "    run reranker ok",
      expect.stringContaining("(reranker)"),
      expect.stringContaining("model"),
    ]);
  });

  it("is not asked at the limit of the run, which is not exceeded; the search answers", async () => {
    using reranker = scriptedModel([]);
    const { graph } = await run(reranker, {
      limits: { modelCalls: 1 },
      earlyStopping: "force",
    });
    const { observations, usage, outcome } = await graph.invoke(asking);
    expect(observations[0]?.ok).toBe(true);
    expect(observations[0]?.content).toContain("The kettle boils fast.");
    expect(observations[0]?.content).toContain("the limit of modelCalls was reached");
    expect(usage.modelCalls).toBe(1);
    expect(outcome).toMatchObject({ status: "limit", limit: "modelCalls" });
  });

  it("tells nothing of the passages at level metadata", async () => {
    using reranker = scriptedModel([secondFirst]);
    const { graph, events } = await run(reranker, { events: "metadata" });
    await graph.invoke(asking);
    expect(events.some((event) => "role" in event && event.role === "reranker")).toBe(true);
    expect(JSON.stringify(events)).not.toMatch(/kettle|Fast|attic/);
  });

  it("says nothing in the chat of the run", async () => {
    using reranker = scriptedModel([secondFirst]);
    const { graph } = await run(reranker);
    const said: string[] = [];
    for await (const [message] of await graph.stream(asking, { streamMode: "messages" })) {
      if (message instanceof AIMessageChunk || message.type === "human") said.push(message.text);
    }
    expect(said.join("")).not.toContain("scores");
  });

  it("stops with the run", async () => {
    using reranker = scriptedModel([{ text: secondFirst, delayMs: 10_000 }]);
    const { graph } = await run(reranker);
    const caller = new AbortController();
    const ended = graph.invoke(asking, { signal: caller.signal });
    setTimeout(() => caller.abort(new Error("gone")), 300);
    await expect(ended).rejects.toThrow("gone");
  });

  it("that a tool of one's own asks, without passing its config on, is a part of the run, too", async () => {
    using reranker = scriptedModel([secondFirst]);
    const knowledge = await base(reranker);
    const look = withPolicy(
      tool(async ({ about }) => JSON.stringify((await knowledge.recall(about)).notes), {
        name: "look",
        description: "Looks something up.",
        schema: z.object({ about: z.string() }),
      }),
      { effect: "read" },
    );
    const models = scriptedModel([
      { toolCalls: [{ name: "look", args: { about: "kettle" }, id: "l1" }] },
      "Fast.",
    ]);
    const graph = createReactGraph({ models, tools: [look], checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "t" } };
    const { usage, observations } = await graph.invoke(asking, config);
    expect(observations[0]?.content).not.toContain("reranked");
    expect(usage.byRole["reranker"]).toMatchObject({ modelCalls: 1 });
  });

  it("is what the context of the run names, before that of the base", async () => {
    using own = scriptedModel([]);
    const { graph } = await run(own);
    const { observations, usage } = await graph.invoke(asking, {
      context: { models: { reranker: "offline" } },
    });
    expect(observations[0]?.ok).toBe(true);
    expect(usage.byRole["reranker"]).toBeDefined();
  });
});
