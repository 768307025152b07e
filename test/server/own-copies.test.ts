import type { RunnableConfig } from "@langchain/core/runnables";
import { InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { expect, it } from "vitest";

import { createReactGraph } from "../../src/index.js";
import { copyForEachRun } from "../../src/server/own-copies.js";
import { scriptedModel } from "../../src/testing/index.js";

function isTemporary({ configurable }: RunnableConfig): boolean {
  return configurable?.["thread_id"] === "temporary";
}

it.each([
  { name: "a run on a thread", thread: "kept", isKept: true },
  { name: "a run without one", thread: "temporary", isKept: false },
])("$name has its own checkpointer, whatever the last run has set", async ({ thread, isKept }) => {
  const graph = createReactGraph({ models: scriptedModel(() => "Three euros."), tools: [] });
  const [checkpointer, store] = [new MemorySaver(), new InMemoryStore()];
  copyForEachRun([graph, {}], { checkpointer, store }, isTemporary);
  // What LangGraph's server does for a run of the other kind.
  const setLast = () => Reflect.set(graph, "checkpointer", isKept ? undefined : checkpointer);
  setLast();
  const config = { configurable: { thread_id: thread }, version: "v2" } as const;
  const events = graph.streamEvents({ messages: [{ role: "user", content: "Tea?" }] }, config);
  setLast();
  let last: unknown;
  for await (const { event, data } of events) if (event === "on_chain_end") last = data.output;
  expect(last).toMatchObject({ answer: "Three euros." });
  const tuple = await checkpointer.getTuple({ configurable: { thread_id: thread } });
  expect(tuple !== undefined).toBe(isKept);
});
