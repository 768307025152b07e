import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  isAIMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { expect, it } from "vitest";

import { createReactGraph } from "../../src/index.js";
import { estimateTokens, type ScriptedServer } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { timesOf } from "../support/rows.js";
import { scenes } from "../support/scenes.js";
import { calling } from "../support/task-models.js";
import { client, serve } from "../testing/client.js";

const thread = { configurable: { thread_id: "1" } };

/** What the model can read: the prompts and a few turns. */
const contextTokens = 4_000;

/** A conversation of so many turns, each with a call and its long result. */
function turns(count: number): BaseMessage[] {
  return Array.from({ length: count }, (_, at) => [
    new HumanMessage(`Question ${at}?`),
    new AIMessage({ content: "", tool_calls: [{ name: "price", args: {}, id: `earlier-${at}` }] }),
    new ToolMessage({ content: `Result ${at}. `.repeat(50), tool_call_id: `earlier-${at}` }),
    new AIMessage(`Answer ${at}.`),
  ]).flat();
}

/** The size of every request; none was refused. */
function sizesOf({ requests }: ScriptedServer): number[] {
  expect(new Set(requests.map(({ status }) => status))).toEqual(new Set([200]));
  return requests.flatMap(({ body }) => (body === undefined ? [] : [estimateTokens(body)]));
}

it.each(scenes)("$name answers after three hundred turns, within its context", async (scene) => {
  const { create, replies, answer, runs: expected } = scene;
  const server = await serve({ replies, contextTokens, strictPairing: true });
  const { tools, runs } = countingTools("price", "stock");
  const checkpointer = new MemorySaver();
  const graph = create({ models: client(server), tools, contextTokens, checkpointer });
  const question = new HumanMessage("What does tea cost at last?");
  const result = await graph.invoke({ messages: [...turns(300), question] }, thread);
  expect([result.answer, runs]).toEqual([answer, expected]);
  expect(Math.max(...sizesOf(server))).toBeLessThan(contextTokens);
  expect(server.requests[0]?.text).toContain("What does tea cost at last?");
  // What room there is, is used.
  expect(Math.max(...sizesOf(server))).toBeGreaterThan(contextTokens / 2);
  server.assertExhausted();
});

it("a thread of many turns stays usable where every call has the same id", async () => {
  const count = timesOf({ all: 60, usually: 36 });
  const call = calling("price", "tea");
  const server = await serve({
    replies: ({ messages }) =>
      messages.at(-1)?.role === "tool" ? "Three euros. ".repeat(20) : call,
    contextTokens,
    strictPairing: true,
    sameId: true,
  });
  const { tools, runs } = countingTools("price");
  const checkpointer = new MemorySaver();
  const graph = createReactGraph({ models: client(server), tools, contextTokens, checkpointer });
  for (let turn = 1; turn <= count; turn += 1) {
    const asked = { messages: [{ role: "user" as const, content: `Turn ${turn}?` }] };
    const { answer, messages } = await graph.invoke(asked, thread);
    expect([answer?.slice(0, 12), messages.length]).toEqual(["Three euros.", turn * 4]);
    expect(server.requests.at(-1)?.text).toContain(`Turn ${turn}?`);
  }
  expect(runs).toHaveLength(count);
  expect(sizesOf(server)).toHaveLength(2 * count);
  expect(Math.max(...sizesOf(server))).toBeLessThan(contextTokens);
  const { messages } = (await graph.getState(thread)).values;
  const ids = messages
    .filter((message: BaseMessage) => isAIMessage(message))
    .flatMap(({ tool_calls: calls }: AIMessage) => (calls ?? []).map(({ id }) => id));
  expect(new Set(ids).size).toBe(count);
});
