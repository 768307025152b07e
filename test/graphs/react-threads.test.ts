import { type LangGraphRunnableConfig, MemorySaver } from "@langchain/langgraph";
import { tool } from "@langchain/core/tools";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";

const ask = (content: string) => ({ messages: [{ role: "user" as const, content }] });
const thread = { configurable: { thread_id: "1" } };

it("a second question on a thread starts afresh and sees the first one's messages", async () => {
  const { tools } = countingTools("price");
  const models = scriptedModel([
    { toolCalls: [{ name: "price", args: { item: "tea" } }], usage: { input: 10, output: 1 } },
    { text: "3 euros.", usage: { input: 20, output: 2 } },
    { text: "You asked about tea.", usage: { input: 30, output: 3 } },
  ]);
  const graph = createReactGraph({ models, tools, checkpointer: new MemorySaver() });
  const first = await graph.invoke(ask("tea?"), thread);
  const second = await graph.invoke(ask("what did I ask?"), thread);
  expect(second.answer).toBe("You asked about tea.");
  expect(second.observations).toEqual([]);
  expect(second.usage).toMatchObject({ modelCalls: 1, toolCalls: 0, tokensIn: 30 });
  expect(second.run?.id).not.toBe(first.run?.id);
  expect(second.messages).toHaveLength(6);
  expect(models.calls.at(-1)?.messages.map(({ type }) => type)).toEqual([
    "system",
    "human",
    "ai",
    "tool",
    "ai",
    "human",
  ]);
});

it("the same call is allowed again in the next run", async () => {
  const { runs, tools } = countingTools("price");
  const call = { toolCalls: [{ name: "price", args: { item: "tea" } }] };
  const models = scriptedModel([call, "3.", call, "Still 3."]);
  const graph = createReactGraph({ models, tools, checkpointer: new MemorySaver() });
  await graph.invoke(ask("tea?"), thread);
  await graph.invoke(ask("and now?"), thread);
  expect(runs).toEqual(["price tea", "price tea"]);
});

/** A model that asks for a quick and a hanging call, then answers. */
function hanging() {
  const seen: AbortSignal[] = [];
  const { runs, tools } = countingTools("price");
  const hang = tool(
    async (_, config: LangGraphRunnableConfig) => {
      if (config.signal !== undefined) seen.push(config.signal);
      runs.push("hang");
      await new Promise((resolve) => setTimeout(resolve, seen.length > 1 ? 1 : 60_000).unref());
      return "finally";
    },
    { name: "hang", description: "Hangs.", schema: z.object({}) },
  );
  const call = {
    toolCalls: [
      { name: "price", args: { item: "tea" } },
      { name: "hang", args: {} },
    ],
  };
  return { seen, runs, tools: [...tools, hang], call };
}

async function abortedRun(
  replies: (call: ReturnType<typeof hanging>["call"]) => Parameters<typeof scriptedModel>[0],
) {
  const { seen, runs, tools, call } = hanging();
  const models = scriptedModel(replies(call));
  const graph = createReactGraph({ models, tools, checkpointer: new MemorySaver() });
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error("the user went away")), 50);
  await expect(graph.invoke(ask("go"), { ...thread, signal: controller.signal })).rejects.toThrow(
    /abort|went away/i,
  );
  return { graph, seen, runs, models };
}

it("an aborted run tells its tools, and goes on from where it stopped", async () => {
  const { graph, seen, runs, models } = await abortedRun((call) => [call, "Done."]);
  expect(seen[0]?.aborted).toBe(true);
  const result = await graph.invoke(null, thread);
  expect(result.answer).toBe("Done.");
  expect(runs).toEqual(["price tea", "hang", "hang"]);
  expect(result.messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "tool", "ai"]);
  models.assertExhausted();
});

it("a stream that is cancelled calls the run off too", async () => {
  const { seen, tools, call } = hanging();
  const graph = createReactGraph({ models: scriptedModel([call]), tools });
  const stream = await graph.stream(ask("go"), { streamMode: "custom" });
  await expect.poll(() => seen).toHaveLength(1);
  await stream.cancel("enough");
  expect(seen[0]?.aborted).toBe(true);
});

it("a new question after an aborted run finds a whole history", async () => {
  const { graph, models } = await abortedRun((call) => [call, "Hello again."]);
  const result = await graph.invoke(ask("are you there?"), thread);
  expect(result.answer).toBe("Hello again.");
  const sent = models.calls.at(-1)?.messages ?? [];
  expect(sent.map(({ type }) => type)).toEqual(["system", "human", "ai", "tool", "tool", "human"]);
  expect(result.messages.map(({ type }) => type)).toEqual([
    "human",
    "ai",
    "tool",
    "tool",
    "human",
    "ai",
  ]);
});

it("orphans in a history that a caller hands in are mended before the model sees them", async () => {
  const models = scriptedModel(["Hello."]);
  const call = { name: "price", args: {}, id: "lost" };
  const messages = [
    new HumanMessage("tea?"),
    new AIMessage({ content: "", tool_calls: [call] }),
    new HumanMessage("hello?"),
  ];
  const result = await createReactGraph({ models }).invoke({ messages });
  expect(models.calls[0]?.messages.map(({ type }) => type)).toEqual([
    "system",
    "human",
    "ai",
    "tool",
    "human",
  ]);
  expect(result.messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "human", "ai"]);
});

it("input without a question is refused with what was expected", async () => {
  const graph = createReactGraph({ models: scriptedModel([]) });
  await expect(graph.invoke({ messages: [] })).rejects.toThrow(
    /Expected \{ messages \} with a question/,
  );
});
