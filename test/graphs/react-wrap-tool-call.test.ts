import { ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { createMiddleware, toolEmulatorMiddleware, toolRetryMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createReactGraph,
  type Observation,
  type ReactOptions,
  ToolError,
  type WrapToolCall,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { countingTools } from "../support/counting-tools.js";
import { askingAgent, shopAgent } from "../support/sub-agents.js";

const question = { messages: [{ role: "user" as const, content: "price of tea?" }] };
const thread = { configurable: { thread_id: "1" } };
const quick = { initialDelayMs: 0, jitter: false };

/** A run with one call of a tool that fails a few times, then gives what it was asked for. */
async function observe(wrapToolCall: ReactOptions["wrapToolCall"], failures = 0) {
  const runs: string[] = [];
  const price = tool(
    ({ item }) => {
      runs.push(item);
      if (runs.length <= failures) throw new ToolError("rejected", `no ${item}`);
      return `${item}: 3 euros`;
    },
    { name: "price", description: "Gives a price.", schema: z.object({ item: z.string() }) },
  );
  const models = scriptedModel([
    { toolCalls: [{ name: "price", args: { item: "tea" }, id: "c1" }] },
    "Done.",
  ]);
  const graph = createReactGraph({ models, tools: [price], wrapToolCall });
  const { observations, usage } = await graph.invoke(question);
  return { runs, seen: observations[0], usage };
}

const message = (content: string) => new ToolMessage({ content, tool_call_id: "c1" });
const adding =
  (text: string): WrapToolCall =>
  async (request, handler) => {
    const result = await handler(request);
    return ToolMessage.isInstance(result) ? message(`${text}(${result.text})`) : result;
  };
const asking =
  (item: unknown): WrapToolCall =>
  (request, handler) =>
    handler({ ...request, toolCall: { ...request.toolCall, args: { item } } });

describe("a hook around tool calls", () => {
  it.each<{
    name: string;
    hook: ReactOptions["wrapToolCall"];
    failures?: number;
    runs: readonly string[];
    seen: Partial<Observation>;
  }>([
    {
      name: "has the last word, the first of a list outermost",
      hook: [adding("outer"), undefined, adding("inner")],
      runs: ["tea"],
      seen: { ok: true, content: "outer(inner(tea: 3 euros))", attempts: 1 },
    },
    {
      name: "may change the arguments",
      hook: asking("milk"),
      runs: ["milk"],
      seen: { ok: true, content: "milk: 3 euros" },
    },
    {
      name: "may not change them to what the tool does not take",
      hook: asking(3),
      runs: [],
      seen: { ok: false, error: expect.objectContaining({ kind: "invalid_arguments" }) },
    },
    {
      name: "may answer in the tool's place",
      hook: () => message("from the cache"),
      runs: [],
      seen: { ok: true, content: "from the cache", attempts: 1 },
    },
    {
      name: "may turn an error into a message",
      hook: async (request, handler) => {
        try {
          return await handler(request);
        } catch (error) {
          return message(`instead of: ${error instanceof Error ? error.message : ""}`);
        }
      },
      failures: 1,
      runs: ["tea"],
      seen: { ok: true, content: "instead of: no tea", attempts: 1 },
    },
    {
      name: "may run the tool again, and both attempts count",
      hook: async (request, handler) => {
        await handler(request);
        return handler(request);
      },
      runs: ["tea", "tea"],
      seen: { ok: true, attempts: 2 },
    },
    {
      name: "that lets an error pass leaves it as it is",
      hook: (request, handler) => handler(request),
      failures: 1,
      runs: ["tea"],
      seen: { ok: false, error: { kind: "rejected", message: "no tea" }, attempts: 1 },
    },
    {
      name: "that fails itself is an error of the call",
      hook: () => {
        throw new TypeError("hook is undefined");
      },
      runs: [],
      seen: { ok: false, error: { kind: "internal", message: "hook is undefined" } },
    },
    {
      name: "may be LangChain's toolRetryMiddleware",
      hook: toolRetryMiddleware({ maxRetries: 2, ...quick }).wrapToolCall,
      failures: 2,
      runs: ["tea", "tea", "tea"],
      seen: { ok: true, content: "tea: 3 euros", attempts: 3 },
    },
    {
      name: "may be LangChain's toolEmulatorMiddleware",
      hook: toolEmulatorMiddleware({ model: scriptedModel(["about 2 euros"]) }).wrapToolCall,
      runs: [],
      seen: { ok: true, content: "about 2 euros" },
    },
    {
      name: "may be a middleware of one's own that only watches",
      hook: createMiddleware({ name: "watch" }).wrapToolCall,
      runs: ["tea"],
      seen: { ok: true },
    },
  ])("$name", async ({ hook, failures, runs, seen }) => {
    const result = await observe(hook, failures);
    expect(result.runs).toEqual(runs);
    expect(result.seen).toMatchObject(seen);
    expect(result.usage.toolCalls).toBe(1);
  });

  it("sees the call, the tool, the conversation and the run's surroundings", async () => {
    const seen: unknown[] = [];
    await observe(({ toolCall, tool: called, state, runtime }, handler) => {
      seen.push(
        toolCall,
        called?.name,
        state.messages.map(({ type }) => type),
      );
      seen.push(runtime.signal?.aborted);
      return handler({ toolCall, tool: called, state, runtime });
    });
    const toolCall = { type: "tool_call", id: "c1", name: "price", args: { item: "tea" } };
    expect(seen).toEqual([toolCall, "price", ["human", "ai"], false]);
  });

  it("that hangs does not hold up a run that is called off", async () => {
    const abort = new AbortController();
    const models = scriptedModel([{ toolCalls: [{ name: "size", args: {} }] }]);
    const size = tool(() => "", { name: "size", description: "d", schema: z.object({}) });
    const wrapToolCall: WrapToolCall = () => {
      setTimeout(() => abort.abort(), 10);
      return new Promise(() => {});
    };
    const graph = createReactGraph({ models, tools: [size], wrapToolCall });
    await expect(graph.invoke(question, { signal: abort.signal })).rejects.toThrow(/abort/i);
  });
});

describe("LangGraph's control flow passes a hook that catches everything", () => {
  const hook = toolRetryMiddleware({ maxRetries: 1, ...quick }).wrapToolCall;

  it("when a tool pauses by itself", async () => {
    const runs: string[] = [];
    const size = tool(() => runs.push(String(interrupt("Which size?"))), {
      name: "size",
      description: "Asks.",
      schema: z.object({}),
    });
    const graph = createReactGraph({
      models: scriptedModel([{ toolCalls: [{ name: "size", args: {} }] }, "Done."]),
      tools: [size],
      wrapToolCall: hook,
      checkpointer: new MemorySaver(),
    });
    expect(JSON.stringify(await graph.invoke(question, thread))).toContain("Which size?");
    const done = await graph.invoke(new Command({ resume: "42" }), thread);
    expect(done.answer).toBe("Done.");
    expect(runs).toEqual(["42"]);
  });

  it("when a hook within it pauses", async () => {
    const { tools, runs } = countingTools("price");
    const graph = createReactGraph({
      models: scriptedModel([{ toolCalls: [{ name: "price", args: { item: "tea" } }] }, "Done."]),
      tools,
      wrapToolCall: [
        hook,
        (request, handler) => {
          const item = String(interrupt("Which item?"));
          return handler({ ...request, toolCall: { ...request.toolCall, args: { item } } });
        },
      ],
      checkpointer: new MemorySaver(),
    });
    expect(JSON.stringify(await graph.invoke(question, thread))).toContain("Which item?");
    const done = await graph.invoke(new Command({ resume: "milk" }), thread);
    expect([done.answer, done.usage.toolCalls]).toEqual(["Done.", 1]);
    expect(runs).toEqual(["price milk"]);
  });

  it("when a sub-run asks, whatever the hook makes of it", async () => {
    const anna = shopAgent("anna", [["tea"]]);
    const { graph } = askingAgent([anna.tool], {
      wrapToolCall: [adding("seen"), hook],
      checkpointer: new MemorySaver(),
    });
    expect(asked(await graph.invoke(question, thread)).action_requests).toHaveLength(1);
    const resume = { decisions: [{ type: "approve" }] };
    const done = await graph.invoke(new Command({ resume }), thread);
    expect(done.observations).toMatchObject([{ content: "seen(anna has ordered.)" }]);
    expect(anna.runs).toEqual(["price tea", "order tea"]);
  });
});

it("what a person edited ends a run with the bare result, and its note goes to the model alone", async () => {
  const price = tool(({ item }) => `${item}: 3 euros`, {
    name: "price",
    description: "Gives a price.",
    schema: z.object({ item: z.string() }),
  });
  const policy = { needsApproval: true, returnDirect: true, trust: "untrusted" as const };
  const graph = createReactGraph({
    models: scriptedModel([{ toolCalls: [{ name: "price", args: { item: "tea" } }] }]),
    tools: [withPolicy(price, policy)],
    checkpointer: new MemorySaver(),
  });
  await graph.invoke(question, thread);
  const edited_action = { name: "price", args: { item: "milk" } };
  const resume = { decisions: [{ type: "edit", edited_action }] };
  const { answer, observations } = await graph.invoke(new Command({ resume }), thread);
  expect(answer).toBe("milk: 3 euros");
  expect(observations[0]?.content).toMatch(/^\(A person changed.*\n<untrusted/);
});
