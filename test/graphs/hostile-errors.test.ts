import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { planningGraphs } from "../support/planning-graphs.js";
import { unreadable } from "../support/unreadable-errors.js";

const messages = [{ role: "user", content: "Look it up." }];
const plan = JSON.stringify({ steps: [{ id: "E1", tool: "look", args: {} }] });
const call = { toolCalls: [{ name: "look", args: {} }] };

const hostile = [
  ...unreadable,
  { name: "null", error: null },
  { name: "nothing", error: undefined },
  { name: "a symbol", error: Symbol("s") },
  {
    name: "what claims to be control flow",
    error: Object.assign(new Error("no"), { is_bubble_up: true }),
  },
  { name: "a plain object that claims it", error: { is_bubble_up: true, message: "no" } },
];

function throwing(error: unknown) {
  const body = () => {
    throw error;
  };
  return tool(body, { name: "look", description: "Looks.", schema: z.object({}) });
}

/** A hook around the tool: its own try and catch see the same value. */
const wrapToolCall = async <T, R>(request: T, handler: (request: T) => Promise<R>) =>
  handler(request);

describe.each(hostile)("a tool that throws $name", ({ error }) => {
  it("fails its call in a run of react, with and without hooks and checkpointer", async () => {
    for (const extra of [{}, { wrapToolCall }, { checkpointer: new MemorySaver() }]) {
      const models = scriptedModel([call, "It cannot be found."]);
      const graph = createReactGraph({ models, tools: [throwing(error)], ...extra });
      const config = { configurable: { thread_id: "t" } };
      const { outcome, observations, answer } = await graph.invoke({ messages }, config);

      expect(outcome).toEqual({ status: "answered" });
      expect(answer).toBe("It cannot be found.");
      expect(observations).toMatchObject([{ tool: "look", ok: false, attempts: 1 }]);
      expect(models.calls).toHaveLength(2);
    }
  });

  it.each(planningGraphs)("fails its step in a plan of $name", async ({ create }) => {
    const models = scriptedModel([plan, ...Array.from({ length: 6 }, () => "It cannot be found.")]);
    const graph = create({ models, tools: [throwing(error)] });
    const { outcome, observations } = await graph.invoke({ messages });

    expect(outcome).toBeDefined();
    expect(observations[0]).toMatchObject({ tool: "look", ok: false });
  });
});

it("tells the model all the lines of an error", async () => {
  const models = scriptedModel([call, "The column is name."]);
  const error = new Error("Query failed:\ncolumn nmae does not exist\nHINT: name");
  await createReactGraph({ models, tools: [throwing(error)] }).invoke({ messages });

  expect(models.calls[1]?.messages.at(-1)?.text).toBe(
    "Error (rejected): Query failed:\ncolumn nmae does not exist\nHINT: name",
  );
});
