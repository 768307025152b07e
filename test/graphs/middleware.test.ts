import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import {
  ClearToolUsesEdit,
  contextEditingMiddleware,
  createMiddleware,
  humanInTheLoopMiddleware,
  llmToolSelectorMiddleware,
  modelCallLimitMiddleware,
  piiMiddleware,
  summarizationMiddleware,
  todoListMiddleware,
  toolCallLimitMiddleware,
} from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph, type Middleware, type Outcome } from "../../src/index.js";
import { type ScriptedReply, scriptedModel } from "../../src/testing/index.js";
import { ask, call, made, priceTool, question, shown } from "../support/middleware.js";

const stockTool = tool(() => "12", {
  name: "stock",
  description: "Gives the stock.",
  schema: z.object({}),
});

describe("middleware in react", () => {
  it("runs every hook in LangChain's order", async () => {
    const order: string[] = [];
    const logging = (name: string) =>
      createMiddleware({
        name,
        beforeAgent: () => void order.push(`${name}.beforeAgent`),
        beforeModel: () => void order.push(`${name}.beforeModel`),
        wrapModelCall: (request, handler) => {
          order.push(`${name}.wrapModelCall`);
          return handler(request);
        },
        afterModel: () => void order.push(`${name}.afterModel`),
        wrapToolCall: (request, handler) => {
          order.push(`${name}.wrapToolCall`);
          return handler(request);
        },
        afterAgent: () => void order.push(`${name}.afterAgent`),
      });
    const models = scriptedModel([call("tea", "c1"), "3 euros."]);
    const { price } = priceTool();
    const middleware = [logging("one"), logging("two")];
    const graph = createReactGraph({ models, tools: [price], middleware });

    expect((await graph.invoke(question)).answer).toBe("3 euros.");
    const modelCall = [
      "one.beforeModel",
      "two.beforeModel",
      "one.wrapModelCall",
      "two.wrapModelCall",
      "two.afterModel",
      "one.afterModel",
    ];
    expect(order).toEqual([
      "one.beforeAgent",
      "two.beforeAgent",
      ...modelCall,
      "one.wrapToolCall",
      "two.wrapToolCall",
      ...modelCall,
      "two.afterAgent",
      "one.afterAgent",
    ]);
  });

  it.each<{
    name: string;
    middleware: Middleware;
    replies: readonly (ScriptedReply | string)[];
    outcome: Outcome;
    runs?: readonly string[];
    messages: readonly string[];
    own?: object;
  }>([
    {
      name: "a limit of model calls",
      middleware: made(modelCallLimitMiddleware, { runLimit: 2 }),
      replies: [call("tea", "c1"), call("milk", "c2"), "Never asked."],
      outcome: {
        status: "limit",
        limit: "modelCalls",
        endedBy: "ModelCallLimitMiddleware",
        reason: "Model call limits exceeded: run level call limit reached with 2 model calls",
      },
      runs: ["tea", "milk"],
      messages: [
        "human: What does tea cost?",
        "ai",
        "tool: tea: 3 euros",
        "ai",
        "tool: milk: 3 euros",
        "ai: Model call limits exceeded: run level call limit reached with 2 model calls",
      ],
    },
    {
      name: "a limit of model calls that throws",
      middleware: made(modelCallLimitMiddleware, { runLimit: 1, exitBehavior: "error" }),
      replies: [call("tea", "c1"), "Never asked."],
      outcome: {
        status: "failed",
        reason:
          'The beforeModel hook of the middleware "ModelCallLimitMiddleware" failed: Model call limits exceeded: run level call limit reached with 1 model calls',
      },
      runs: ["tea"],
      messages: [
        "human: What does tea cost?",
        "ai",
        "tool: tea: 3 euros",
        'ai: I could not finish: The beforeModel hook of the middleware "ModelCallLimitMiddleware" failed: Model call limits exceeded: run level call limit reached with 1 model calls\nResults so far:\n- price({"item":"tea"}): tea: 3 euros',
      ],
    },
    {
      name: "a limit of tool calls that goes on without the tool",
      middleware: made(toolCallLimitMiddleware, { runLimit: 1 }),
      replies: [call("tea", "c1"), call("milk", "c2"), "3 euros."],
      outcome: { status: "answered" },
      runs: ["tea"],
      messages: [
        "human: What does tea cost?",
        "ai",
        "tool: tea: 3 euros",
        "ai",
        "tool: Tool call limit exceeded. Do not make additional tool calls.",
        "ai: 3 euros.",
      ],
    },
    {
      name: "a limit of tool calls that ends the run",
      middleware: made(toolCallLimitMiddleware, {
        runLimit: 1,
        toolName: "price",
        exitBehavior: "end",
      }),
      replies: [call("tea", "c1"), call("milk", "c2"), "Never asked."],
      outcome: {
        status: "limit",
        limit: "toolCalls",
        endedBy: "ToolCallLimitMiddleware[price]",
        reason: "'price' tool call limit reached: run limit exceeded (2/1 calls).",
      },
      runs: ["tea"],
      messages: [
        "human: What does tea cost?",
        "ai",
        "tool: tea: 3 euros",
        "ai",
        "tool: Tool call limit exceeded. Do not call 'price' again.",
        "ai: 'price' tool call limit reached: run limit exceeded (2/1 calls).",
      ],
    },
    {
      name: "a list of todos",
      middleware: todoListMiddleware(),
      replies: [
        {
          toolCalls: [
            { name: "write_todos", args: { todos: [{ content: "Ask.", status: "pending" }] } },
          ],
        },
        "3 euros.",
      ],
      outcome: { status: "answered" },
      messages: [
        "human: What does tea cost?",
        "ai",
        'tool: Updated todo list to [{"content":"Ask.","status":"pending"}]',
        "ai: 3 euros.",
      ],
      own: { todos: [{ content: "Ask.", status: "pending" }] },
    },
    {
      name: "a redaction of mail addresses",
      middleware: piiMiddleware("email", { strategy: "redact", applyToOutput: true }),
      replies: ["Write to bob@x.org."],
      outcome: { status: "answered" },
      messages: ["human: What does tea cost?", "ai: Write to [REDACTED_EMAIL]."],
    },
  ])("$name", async ({ middleware, replies, outcome, runs = [], messages, own = {} }) => {
    const { price, runs: ran } = priceTool();
    const models = scriptedModel(replies);
    const graph = createReactGraph({ models, tools: [price], middleware: [middleware] });
    const result = await graph.invoke(question);
    expect(result.outcome).toEqual(outcome);
    expect(ran).toEqual(runs);
    expect(shown(result.messages)).toEqual(messages);
    expect(result).toMatchObject(own);
    expect(models.calls).toHaveLength(replies.filter((reply) => reply !== "Never asked.").length);
  });

  it("chooses tools with LangChain's selector", async () => {
    const models = scriptedModel([
      { toolCalls: [{ name: "extract", args: { tools: ["price"] } }] },
      "3 euros.",
    ]);
    const middleware = [made(llmToolSelectorMiddleware, { maxTools: 1 })];
    const tools = [priceTool().price, stockTool];
    const graph = createReactGraph({ models, tools, middleware });
    expect((await graph.invoke(question)).outcome).toEqual({ status: "answered" });
    expect(models.calls[1]?.tools.map((each) => each.function.name)).toEqual(["price"]);
  });

  it("summarises a long conversation, and answers the question", async () => {
    const summaries = scriptedModel(["They asked for tea: 3 euros."]);
    const models = scriptedModel(["2 euros."]);
    const options = { model: summaries, trigger: { messages: 3 }, keep: { messages: 1 } };
    const middleware = [made(summarizationMiddleware, options)];
    const graph = createReactGraph({ models, middleware });
    const messages = [
      ...question.messages,
      new AIMessage("3 euros."),
      ...ask("And milk?").messages,
    ];
    const result = await graph.invoke({ messages });
    expect(shown(result.messages)).toEqual([
      "human: Here is a summary of the conversation to date:\n\nThey asked for tea: 3 euros.",
      "human: And milk?",
      "ai: 2 euros.",
    ]);
    expect(models.calls[0]?.messages.slice(1).map(({ text }) => text)).toEqual([
      "Here is a summary of the conversation to date:\n\nThey asked for tea: 3 euros.",
      "And milk?",
    ]);
  });

  it("clears old results from what the model reads, and keeps them in the conversation", async () => {
    const models = scriptedModel([call("tea", "c1"), call("milk", "c2"), "3 and 3."]);
    const edits = [new ClearToolUsesEdit({ trigger: { tokens: 1 }, keep: { messages: 1 } })];
    const middleware = [contextEditingMiddleware({ edits, tokenCountMethod: "approx" })];
    const graph = createReactGraph({ models, tools: [priceTool().price], middleware });
    const result = await graph.invoke(question);
    expect(shown(result.messages)).toContain("tool: tea: 3 euros");
    const last = models.calls.at(-1)?.messages.filter(({ type }) => type === "tool");
    expect(last?.map(({ text }) => text)).toEqual(["[cleared]", "milk: 3 euros"]);
  });
});

describe("human in the loop of LangChain's middleware", () => {
  const thread = { configurable: { thread_id: "1" } };
  const paused = async () => {
    const { price, runs } = priceTool();
    const models = scriptedModel([call("tea", "c1"), "Done."]);
    const middleware = [made(humanInTheLoopMiddleware, { interruptOn: { price: true } })];
    const checkpointer = new MemorySaver();
    const graph = createReactGraph({ models, tools: [price], middleware, checkpointer });
    const before: unknown = await graph.invoke(question, thread);
    return { graph, runs, before, models };
  };

  it.each([
    {
      decision: { type: "approve" },
      runs: ["tea"],
      messages: ["human: What does tea cost?", "ai", "tool: tea: 3 euros", "ai: Done."],
    },
    {
      decision: { type: "edit", editedAction: { name: "price", args: { item: "milk" } } },
      runs: ["milk"],
      messages: ["human: What does tea cost?", "ai", "tool: milk: 3 euros", "ai: Done."],
    },
    {
      decision: { type: "reject", message: "Too dear." },
      runs: [],
      messages: ["human: What does tea cost?", "ai", "tool: Too dear.", "ai: Done."],
    },
  ])("carries out $decision.type", async ({ decision, runs, messages }) => {
    const { graph, runs: ran, before, models } = await paused();
    expect(before).toMatchObject({
      __interrupt__: [{ value: { actionRequests: [{ name: "price", args: { item: "tea" } }] } }],
    });
    expect(ran).toEqual([]);
    const result = await graph.invoke(new Command({ resume: { decisions: [decision] } }), thread);
    expect(result.outcome).toEqual({ status: "answered" });
    expect(ran).toEqual(runs);
    expect(shown(result.messages)).toEqual(messages);
    expect(models.calls).toHaveLength(2);
  });

  it("runs nothing with a decision that does not fit", async () => {
    const { graph, runs } = await paused();
    const result = await graph.invoke(new Command({ resume: { decisions: [] } }), thread);
    expect(result.outcome).toMatchObject({
      status: "failed",
      reason: expect.stringContaining("Number of human decisions (0) does not match"),
    });
    expect(runs).toEqual([]);
  });
});
