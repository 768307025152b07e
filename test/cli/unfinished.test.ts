import { MemorySaver } from "@langchain/langgraph";
import { expect, it } from "vitest";

import { isUnfinished } from "../../src/cli/run-session.js";
import { createReactGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";

const thread = { configurable: { thread_id: "t" } };
const ask = { messages: [{ role: "user" as const, content: "Tea?" }] };
const call = { toolCalls: [{ name: "price", args: { item: "tea" } }] };

it.each([2, 3, 4, 5])("a run whose checkpoint %i was never kept is unfinished", async (at) => {
  const checkpointer = new MemorySaver();
  const put = checkpointer.put.bind(checkpointer);
  let puts = 0;
  checkpointer.put = async (...given) => {
    puts += 1;
    if (puts >= at) throw new Error("gone");
    return put(...given);
  };
  const { tools } = countingTools("price");
  const models = scriptedModel([call, "3.", "3."]);
  const graph = createReactGraph({ models, tools, checkpointer });
  await expect(graph.invoke(ask, thread)).rejects.toThrow("gone");

  expect(await isUnfinished({ graph, thread: "t" })).toBe(true);
});

it("a run that has ended is not unfinished, nor is a thread without one", async () => {
  const models = scriptedModel(["3."]);
  const graph = createReactGraph({ models, checkpointer: new MemorySaver() });
  expect(await isUnfinished({ graph, thread: "t" })).toBe(false);
  await graph.invoke(ask, thread);

  expect(await isUnfinished({ graph, thread: "t" })).toBe(false);
});
