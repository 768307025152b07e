import { MemorySaver } from "@langchain/langgraph";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";

import { createReactGraph } from "../../src/index.js";
import { type Dialect, dialects } from "../../src/testing/index.js";
import { ableModel } from "../support/able-model.js";
import { countingTools } from "../support/counting-tools.js";
import { testKey } from "../support/model-request.js";
import { someOf } from "../support/rows.js";
import { serve } from "../testing/client.js";

const ability = {
  calls: [
    { name: "price", args: { item: "tea" } },
    { name: "stock", args: { item: "tea" } },
  ],
  answer: "Tea costs 3 and there are 7.",
  object: { price: 3, stock: 7 },
};

async function graphOn(dialect: Dialect) {
  const server = await serve({ replies: ableModel(ability), dialect, strictPairing: true });
  const { tools, runs } = countingTools("price", "stock");
  const graph = createReactGraph({
    models: "openai:any",
    environment: { OPENAI_API_KEY: testKey, OPENAI_BASE_URL: server.url },
    tools,
    responseFormat: z.object({ price: z.number(), stock: z.number() }),
    checkpointer: new MemorySaver(),
  });
  const refusals = () => server.requests.filter(({ status }) => status !== 200).length;
  return { graph, runs, refusals, server };
}

// LangChain prints notes when content comes in parts, and when arguments come as objects.
beforeEach(() => {
  for (const way of ["log", "warn", "error"] as const) vi.spyOn(console, way).mockReturnValue();
});
afterEach(() => vi.restoreAllMocks());

const ask = { messages: [{ role: "user", content: "What about tea?" }] };
const thread = { configurable: { thread_id: "1" } };

/** Every dialect, whole and streamed as chat. Of a streamed list of parts LangChain's client loses all text. */
const table = Object.entries(dialects)
  .flatMap(([name, dialect]) => [
    { name, way: "invoke", dialect },
    { name, way: "stream", dialect },
  ])
  .filter(({ name, way }) => !(name === "content-parts" && way === "stream"));

describe("the graph react on a server that speaks another dialect", () => {
  it.each(someOf(table, 3))(
    "$name ($way): acts, answers and gives the object",
    async ({ dialect, way }) => {
      const { graph, runs, refusals } = await graphOn(dialect);
      const run = async () => {
        if (way === "invoke") return graph.invoke(ask, thread);
        for await (const _ of await graph.stream(ask, { ...thread, streamMode: "messages" }));
        return (await graph.getState(thread)).values;
      };

      const first = await run();
      expect(first).toMatchObject({
        outcome: { status: "answered" },
        answer: ability.answer,
        structuredResponse: ability.object,
      });
      expect(runs).toEqual(["price tea", "stock tea"]);

      const refused = refusals();
      const second = await run();
      expect(second).toMatchObject({ answer: ability.answer, structuredResponse: ability.object });
      expect(runs).toHaveLength(4);
      // What a server refused once is not sent to it again.
      expect(refusals()).toBe(refused);
    },
  );

  it.each(someOf(Object.entries(dialects), 3, 1))("%s: answers at a limit", async (_, dialect) => {
    const { graph, runs } = await graphOn(dialect);
    const { answer, outcome } = await graph.invoke(ask, {
      ...thread,
      context: { limits: { toolCalls: 1 } },
    });
    expect(outcome).toEqual({ status: "limit", limit: "toolCalls" });
    expect(answer).toBe(ability.answer);
    expect(runs).toEqual(["price tea"]);
  });
});
