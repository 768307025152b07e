import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { createMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph, type Middleware } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { call, priceTool, question, shown } from "../support/middleware.js";

describe("a hook of a middleware", () => {
  it.each<{ name: string; hooks: Omit<Middleware, "name">; reason: string }>([
    {
      name: "that throws",
      hooks: {
        beforeAgent: () => {
          throw new Error("no luck");
        },
      },
      reason: 'The beforeAgent hook of the middleware "own" failed: no luck',
    },
    {
      name: "that changes the graph's own state",
      hooks: { afterModel: () => ({ usage: { modelCalls: 0 } }) },
      reason:
        'The afterModel hook of the middleware "own" failed: it returned the state key "usage", which no stateSchema has',
    },
    {
      name: "that jumps where it may not",
      hooks: { afterModel: { hook: () => ({ jumpTo: "tools" }), canJumpTo: ["end"] } },
      reason:
        'The afterModel hook of the middleware "own" failed: it jumps to "tools"; afterModel.canJumpTo allows end',
    },
    {
      name: "that returns no state",
      hooks: { beforeModel: () => "stop" },
      reason:
        'The beforeModel hook of the middleware "own" failed: it returned "stop"; expected state keys',
    },
    {
      name: "whose context does not fit",
      hooks: { contextSchema: z.object({ tenant: z.string() }), beforeAgent: () => undefined },
      reason: "tenant",
    },
    {
      name: "around the model that returns no message",
      hooks: { wrapModelCall: () => "3 euros." },
      reason:
        'A wrapModelCall hook failed: the middleware "own" returned "3 euros.", which is no AI message',
    },
  ])("$name ends the run as failed", async ({ hooks, reason }) => {
    const models = scriptedModel([call("tea", "c1"), "3 euros."]);
    const { price, runs } = priceTool();
    const graph = createReactGraph({
      models,
      tools: [price],
      middleware: [{ name: "own", ...hooks }],
    });
    const { outcome } = await graph.invoke(question);
    expect(outcome?.status).toBe("failed");
    expect(outcome?.reason).toContain(reason);
    expect(runs).toEqual([]);
  });

  it("ends the run with its own answer, and no model is asked", async () => {
    const closed = createMiddleware({
      name: "opening hours",
      beforeAgent: {
        hook: () => ({ messages: [new AIMessage("We are closed.")], jumpTo: "end" }),
        canJumpTo: ["end"],
      },
    });
    const models = scriptedModel([]);
    const responseFormat = z.object({ price: z.number() });
    const graph = createReactGraph({ models, responseFormat, middleware: [closed] });
    const { answer, outcome, usage } = await graph.invoke(question);
    expect({ answer, outcome, calls: usage.modelCalls }).toEqual({
      answer: "We are closed.",
      outcome: { status: "answered", endedBy: "opening hours" },
      calls: 0,
    });
  });

  it("goes back to the model when hooks have answered every call, and jumps past the hooks before it", async () => {
    const order: string[] = [];
    const refusing = createMiddleware({
      name: "refusing",
      beforeModel: () => void order.push("before"),
      afterModel: {
        hook: ({ messages }) => {
          const last = messages.at(-1);
          const asked = AIMessage.isInstance(last) ? (last.tool_calls ?? []) : [];
          order.push(`after ${asked.length}`);
          const results = asked.map(
            ({ id = "" }) => new ToolMessage({ content: "No.", tool_call_id: id }),
          );
          return { messages: results, ...(order.length > 3 ? {} : { jumpTo: "model" }) };
        },
        canJumpTo: ["model"],
      },
    });
    const models = scriptedModel([call("tea", "c1"), call("milk", "c2"), call("rum", "c3"), "No."]);
    const { price, runs } = priceTool();
    const graph = createReactGraph({ models, tools: [price], middleware: [refusing] });
    const { outcome } = await graph.invoke(question);
    expect(outcome).toEqual({ status: "answered" });
    expect(order).toEqual(["before", "after 1", "after 1", "after 1", "before", "after 0"]);
    expect(runs).toEqual([]);
  });

  it("may change the answer after the run", async () => {
    const signed = createMiddleware({
      name: "signature",
      afterAgent: ({ messages }) => {
        const { id, text } = messages.at(-1) ?? new AIMessage("");
        return {
          messages: [
            new AIMessage({ ...(id === undefined ? {} : { id }), content: `${text} Bye.` }),
          ],
        };
      },
    });
    const graph = createReactGraph({ models: scriptedModel(["3 euros."]), middleware: [signed] });
    const { answer, messages } = await graph.invoke(question);
    expect(answer).toBe("3 euros. Bye.");
    expect(shown(messages)).toEqual(["human: What does tea cost?", "ai: 3 euros. Bye."]);
  });

  it("sees the context that its schema reads, with defaults", async () => {
    const seen: unknown[] = [];
    const contextSchema = z.object({ tenant: z.string(), tone: z.string().default("kind") });
    const own = createMiddleware({
      name: "own",
      contextSchema,
      beforeModel: (_, { context }) => void seen.push({ ...context }),
      wrapModelCall: (request, handler) => {
        seen.push({ ...request.runtime.context });
        return handler(request);
      },
    });
    const graph = createReactGraph({ models: scriptedModel(["3 euros."]), middleware: [own] });
    await graph.invoke(question, { context: { tenant: "t1", other: "hidden" } });
    expect(seen).toEqual(Array.from({ length: 2 }, () => ({ tenant: "t1", tone: "kind" })));
  });

  it("counts in its own state, over the turns of a thread", async () => {
    const counting = createMiddleware({
      name: "counting",
      stateSchema: z.object({ asked: z.number().default(0) }),
      beforeModel: ({ asked }) => ({ asked: asked + 1 }),
    });
    const models = scriptedModel([call("tea", "c1"), "3 euros.", "Still 3 euros."]);
    const checkpointer = new MemorySaver();
    const graph = createReactGraph({
      models,
      tools: [priceTool().price],
      middleware: [counting],
      checkpointer,
    });
    const thread = { configurable: { thread_id: "1" } };
    expect(await graph.invoke(question, thread)).toMatchObject({ asked: 2 });
    expect(await graph.invoke(question, thread)).toMatchObject({ asked: 3 });
  });
});

describe("middleware is refused when the graph is made", () => {
  const models = "offline";
  const hook = { name: "own", beforeModel: () => undefined };
  it.each([
    {
      name: "that is no list",
      create: () => Reflect.apply(createReactGraph, undefined, [{ models, middleware: hook }]),
      error: /middleware: expected a list of LangChain's agent middleware, got an object with/,
    },
    {
      name: "that is a function",
      create: () =>
        Reflect.apply(createReactGraph, undefined, [{ models, middleware: [() => hook] }]),
      error: /middleware\[0\]: expected LangChain's agent middleware, got a function/,
    },
    {
      name: "of equal names",
      create: () => createReactGraph({ models, middleware: [hook, hook] }),
      error: /two middleware are named "own"/,
    },
    {
      name: "with a key of the graph's own state",
      create: () =>
        createReactGraph({
          models,
          middleware: [{ name: "own", stateSchema: z.object({ usage: z.number() }) }],
        }),
      error: /middleware "own": stateSchema: "usage" is a key of the graph's own state/,
    },
    {
      name: "that jumps from the end",
      create: () =>
        createReactGraph({
          models,
          middleware: [
            { name: "own", afterAgent: { hook: () => undefined, canJumpTo: ["model"] } },
          ],
        }),
      error: /jumps from afterAgent to model; the run has ended there/,
    },
  ])("$name", ({ create, error }) => {
    expect(create).toThrow(error);
  });
});
