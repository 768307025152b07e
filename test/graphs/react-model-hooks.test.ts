import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import {
  ClearToolUsesEdit,
  contextEditingMiddleware,
  createMiddleware,
  dynamicSystemPromptMiddleware,
  modelFallbackMiddleware,
  modelRetryMiddleware,
} from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph, type WrapModelCall } from "../../src/index.js";
import { type ScriptedCall, scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";

const ask = { messages: [new HumanMessage("What does tea cost?")] };
const call = (name: string, item = "tea") => ({ toolCalls: [{ name, args: { item } }] });

const toolNames = (made: ScriptedCall | undefined) => made?.tools.map((each) => each.function.name);

/** Hooks that need nothing of a test. */
const hooks = {
  briefer: (request, handler) =>
    handler({
      ...request,
      messages: [...request.messages, new HumanMessage("In euros.")],
      systemMessage: new SystemMessage("Be brief."),
      tools: request.tools.filter(({ name }) => name === "price"),
      modelSettings: { stop: ["."] },
    }),
  prompted: (request, handler) => handler({ ...request, systemPrompt: "Be brief." }),
  asking: (request, handler) => {
    const word = String(interrupt("Which word?"));
    return handler({ ...request, messages: [new HumanMessage(word)] });
  },
  cached: () => new AIMessage("From the cache."),
  twice: async (request, handler) => {
    await handler(request);
    return handler(request);
  },
} satisfies { readonly [name: string]: WrapModelCall };

describe("wrapModelCall", () => {
  it("wraps every call, the first hook outermost", async () => {
    const order: string[] = [];
    const hook =
      (name: string): WrapModelCall =>
      async (request, handler) => {
        order.push(`${name} asks`);
        const reply = await handler(request);
        order.push(`${name} has it`);
        return reply;
      };
    using models = scriptedModel(["3 euros."]);
    const graph = createReactGraph({ models, wrapModelCall: [hook("outer"), hook("inner")] });

    expect((await graph.invoke(ask)).answer).toBe("3 euros.");
    expect(order).toEqual(["outer asks", "inner asks", "inner has it", "outer has it"]);
  });

  it("shows what LangChain's middleware sees", async () => {
    const seen: unknown[] = [];
    const { tools } = countingTools("price");
    using models = scriptedModel(["3 euros."]);
    const wrapModelCall: WrapModelCall = (request, handler) => {
      const { model, messages, systemPrompt, systemMessage, state, runtime } = request;
      seen.push({
        isModel: model === models,
        messages: messages.map(({ text }) => text),
        sameWords: systemPrompt === systemMessage.text,
        told: systemPrompt.includes("question with tools"),
        tools: request.tools.map(({ name }) => name),
        asked: state.messages.at(-1)?.text,
        context: runtime.context,
      });
      return handler(request);
    };
    const context = { timeZone: "Europe/Berlin" };
    await createReactGraph({ models, tools, wrapModelCall }).invoke(ask, { context });
    expect(seen).toEqual([
      {
        isModel: true,
        messages: ["What does tea cost?"],
        sameWords: true,
        told: true,
        tools: ["price"],
        asked: "What does tea cost?",
        context,
      },
    ]);
  });

  it("may change messages, system message, tools and settings", async () => {
    const { tools } = countingTools("price", "stock");
    using models = scriptedModel(["3 euros."]);
    const graph = createReactGraph({ models, tools, wrapModelCall: hooks.briefer });
    const { messages } = await graph.invoke(ask);
    const { messages: sent = [], options } = models.calls[0] ?? {};
    expect(sent.map(({ text }) => text)).toEqual(["Be brief.", "What does tea cost?", "In euros."]);
    expect(options).toMatchObject({ stop: ["."] });
    expect(toolNames(models.calls[0])).toEqual(["price"]);
    // The conversation holds what was said, not what a hook made of it.
    expect(messages.map(({ text }) => text)).toEqual(["What does tea cost?", "3 euros."]);
  });

  it("takes a changed systemPrompt as well", async () => {
    using models = scriptedModel(["3 euros."]);
    await createReactGraph({ models, wrapModelCall: hooks.prompted }).invoke(ask);
    expect(models.calls[0]?.messages[0]?.text).toBe("Be brief.");
  });

  it("may answer by itself: then nothing is counted", async () => {
    using models = scriptedModel([]);
    const result = await createReactGraph({ models, wrapModelCall: hooks.cached }).invoke(ask);
    expect(result).toMatchObject({ answer: "From the cache.", usage: { modelCalls: 0 } });
  });

  it("counts every request that it makes, and keeps to the limits", async () => {
    using models = scriptedModel(["first", "second"]);
    const wrapModelCall = hooks.twice;
    const { answer, usage } = await createReactGraph({ models, wrapModelCall }).invoke(ask);
    expect([answer, usage.modelCalls]).toEqual(["second", 2]);

    using few = scriptedModel(["first"]);
    const stopped = await createReactGraph({
      models: few,
      wrapModelCall,
      limits: { modelCalls: 1 },
      earlyStopping: "force",
    }).invoke(ask);
    expect(stopped.outcome).toEqual({ status: "limit", limit: "modelCalls" });
  });

  it("may put another model in the place of this one", async () => {
    using models = scriptedModel([]);
    using other = scriptedModel(["3 euros."], { model: "other" });
    const wrapModelCall: WrapModelCall = (request, handler) =>
      handler({ ...request, model: other });
    expect((await createReactGraph({ models, wrapModelCall }).invoke(ask)).answer).toBe("3 euros.");
  });

  it("sees tool calls as such, whatever the protocol", async () => {
    const { tools, runs } = countingTools("price");
    const seen: unknown[] = [];
    using models = scriptedModel([
      '{"thought":"The price.","action":"price","action_input":{"item":"tea"}}',
      '{"thought":"","action":"final_answer","action_input":"3 euros."}',
    ]);
    const wrapModelCall: WrapModelCall = async (request, handler) => {
      const reply = await handler(request);
      if (AIMessage.isInstance(reply))
        seen.push(
          reply.tool_calls?.map(({ name }) => name),
          reply.text,
        );
      return reply;
    };
    const graph = createReactGraph({ models, tools, protocol: "json", wrapModelCall });
    expect((await graph.invoke(ask)).answer).toBe("3 euros.");
    expect(seen).toEqual([["price"], "", [], "3 euros."]);
    expect(runs).toEqual(["price tea"]);
  });

  it.each([
    {
      name: "throws",
      hook: () => {
        throw new Error("the hook broke");
      },
      reason: /the hook broke/,
    },
    { name: "returns a command", hook: () => new Command({}), reason: /no AI message/ },
    {
      name: "throws a TypeError, which is not the server's",
      hook: () => {
        throw new TypeError("the hook broke");
      },
      reason: /^A wrapModelCall hook failed: the hook broke$/,
    },
  ])("fails the run with its reason when it $name", async ({ hook, reason }) => {
    using models = scriptedModel([]);
    const { outcome } = await createReactGraph({ models, wrapModelCall: hook }).invoke(ask);
    expect(outcome).toMatchObject({ status: "failed", reason: expect.stringMatching(reason) });
  });
});

describe("a hook around a hook", () => {
  const retrying = modelRetryMiddleware({ maxRetries: 1, initialDelayMs: 1 }).wrapModelCall;

  it("lets a pause pass, and the run goes on with the answer", async () => {
    using models = scriptedModel(["3 euros."]);
    const wrapModelCall = [retrying, hooks.asking];
    const graph = createReactGraph({ models, wrapModelCall, checkpointer: new MemorySaver() });
    const thread = { configurable: { thread_id: "1" } };
    expect(JSON.stringify(await graph.invoke(ask, thread))).toContain("Which word?");
    const { answer } = await graph.invoke(new Command({ resume: "tea" }), thread);
    expect(answer).toBe("3 euros.");
    expect(models.calls[0]?.messages.at(-1)?.text).toBe("tea");
  });

  it("lets a limit pass", async () => {
    const { tools } = countingTools("price");
    using models = scriptedModel([call("price")]);
    const limits = { modelCalls: 1 };
    const options = { models, tools, limits, wrapModelCall: retrying };
    const { outcome } = await createReactGraph({ ...options, earlyStopping: "force" }).invoke(ask);
    expect(outcome).toEqual({ status: "limit", limit: "modelCalls" });
  });
});

describe("LangChain's own middleware", () => {
  it("clears old tool results: contextEditingMiddleware", async () => {
    const { tools } = countingTools("price", "stock");
    using models = scriptedModel([call("price"), call("stock"), "3 euros, 7 left."]);
    const edit = new ClearToolUsesEdit({ trigger: { messages: 4 }, keep: { messages: 1 } });
    const { wrapModelCall } = contextEditingMiddleware({ edits: [edit] });
    await createReactGraph({ models, tools, wrapModelCall }).invoke(ask);
    const results = models.calls[2]?.messages.filter(({ type }) => type === "tool") ?? [];
    expect(results.map(({ text }) => text)).toEqual(["[cleared]", "stock of tea"]);
  });

  it("adds to the system message: dynamicSystemPromptMiddleware", async () => {
    using models = scriptedModel(["3 euros."]);
    const { wrapModelCall } = dynamicSystemPromptMiddleware(() => "Be brief.");
    await createReactGraph({ models, wrapModelCall }).invoke(ask);
    expect(models.calls[0]?.messages[0]?.text).toMatch(/^You answer[\s\S]*\n\nBe brief\.$/);
  });

  it("falls back: modelFallbackMiddleware", async () => {
    const models = scriptedModel(() => {
      throw new Error("down");
    });
    using other = scriptedModel(["3 euros."]);
    const { wrapModelCall } = modelFallbackMiddleware(other);
    const { answer } = await createReactGraph({ models, wrapModelCall }).invoke(ask);
    expect(answer).toBe("3 euros.");
  });

  it("tries again: modelRetryMiddleware", async () => {
    let attempts = 0;
    const models = scriptedModel(() => {
      attempts += 1;
      if (attempts < 3) throw new Error("down");
      return "3 euros.";
    });
    const { wrapModelCall } = modelRetryMiddleware({ maxRetries: 2, initialDelayMs: 1 });
    const { answer, usage } = await createReactGraph({ models, wrapModelCall }).invoke(ask);
    expect([answer, usage.modelCalls]).toEqual(["3 euros.", 3]);
  });

  it("is taken from createMiddleware as it is", async () => {
    const { tools } = countingTools("price", "stock");
    const extra = tool(() => "", { name: "extra", schema: z.object({}) });
    const filter = createMiddleware({
      name: "Filter",
      wrapModelCall: (request, handler) =>
        handler({ ...request, tools: request.tools.filter((each) => each.name !== "extra") }),
    });
    using models = scriptedModel(["3 euros."]);
    const { wrapModelCall } = filter;
    await createReactGraph({ models, tools: [...tools, extra], wrapModelCall }).invoke(ask);
    expect(toolNames(models.calls[0])).toEqual(["price", "stock"]);
  });
});
