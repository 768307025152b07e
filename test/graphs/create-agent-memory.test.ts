import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import {
  ClearToolUsesEdit,
  contextEditingMiddleware,
  llmToolSelectorMiddleware,
  piiMiddleware,
  summarizationMiddleware,
  todoListMiddleware,
  toolEmulatorMiddleware,
} from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { scriptedModel } from "../../src/testing/index.js";
import { asks, compare, goesOn, question, type Scenario } from "../support/create-agent.js";
import { call, made, priceTool } from "../support/middleware.js";

const stock = tool(() => "12", {
  name: "stock",
  description: "Gives the stock.",
  schema: z.object({}),
});

/** A conversation of four messages, the last a question. */
const long = () => ({
  messages: [
    new HumanMessage("What does tea cost, which is green?"),
    new AIMessage("3 euros."),
    new HumanMessage("And jam?"),
    new AIMessage("4 euros."),
    new HumanMessage("And milk?"),
  ],
});

const summarizing =
  (options: object, replies: readonly string[] = ["2 euros."]) =>
  () => {
    const model = scriptedModel(["Tea 3, jam 4."]);
    return { replies, middleware: [made(summarizationMiddleware, { model, ...options })] };
  };

const editing = (options: ConstructorParameters<typeof ClearToolUsesEdit>[0]) => () => {
  const edits = [new ClearToolUsesEdit(options)];
  return {
    replies: [call("tea", "c1"), call("milk", "c2"), call("jam", "c3"), "3, 3 and 3."],
    tools: [priceTool().price],
    middleware: [contextEditingMiddleware({ edits, tokenCountMethod: "approx" })],
  };
};

const cleared = (content: string) => ({ type: "tool", content, name: "price", id: "c2" });

const kept: Scenario["differs"] = {
  why: "only the request is edited; the conversation keeps its results",
  here: ({ runs, ...rest }) => ({
    ...rest,
    runs: runs.map((run) => ({
      ...run,
      messages: expect.arrayContaining([
        { type: "ai", content: "", calls: [["price", { item: "tea" }, "c1"]] },
        { type: "tool", content: "tea: 3 euros", name: "price", id: "c1" },
        { type: "tool", content: "milk: 3 euros", name: "price", id: "c2" },
        { type: "tool", content: "jam: 3 euros", name: "price", id: "c3" },
        { type: "ai", content: "3, 3 and 3." },
      ]),
    })),
  }),
};

const todo = (status: string, id: string) => ({
  name: "write_todos",
  args: { todos: [{ content: "Ask.", status }] },
  id,
});

const mails = "Mail bob@shop.org and ann@shop.org, card 4111 1111 1111 1111, from 10.1.2.3.";
const pii = (kind: string, options: Parameters<typeof piiMiddleware>[1]) => () => ({
  replies: [
    { toolCalls: [{ name: "mail", args: {}, id: "c1" }] },
    "Write to bob@shop.org from 10.1.2.3 at https://shop.org/a with sk-12345.",
  ],
  tools: [
    tool(() => "The address is eve@shop.org.", {
      name: "mail",
      description: "Gives an address.",
      schema: z.object({}),
    }),
  ],
  middleware: [piiMiddleware(kind, options)],
});
const everywhere = { applyToInput: true, applyToOutput: true, applyToToolResults: true } as const;
const toldMails = { messages: [{ role: "user", content: mails }] };

const scenarios: readonly Scenario[] = [
  {
    name: "a summary by the number of messages",
    make: summarizing({ trigger: { messages: 4 }, keep: { messages: 1 } }),
    runs: [long()],
    shows: { ...asks(1), requests: [{ messages: [{ type: "human" }, { content: "And milk?" }] }] },
  },
  {
    name: "a summary by tokens, keeping tokens",
    make: summarizing({ trigger: { tokens: 10 }, keep: { tokens: 4 } }),
    runs: [long()],
    shows: asks(1),
  },
  {
    name: "no summary below the trigger",
    make: summarizing({ trigger: { messages: 40 }, keep: { messages: 1 } }),
    runs: [long()],
    shows: { ...asks(1), requests: [{ messages: [{}, {}, {}, {}, {}] }] },
  },
  {
    name: "a summary by one of several triggers",
    make: summarizing({ trigger: [{ messages: 40 }, { tokens: 10 }], keep: { messages: 2 } }),
    runs: [long()],
    shows: asks(1),
  },
  {
    name: "a summary by two conditions of which one does not hold",
    make: summarizing({ trigger: { messages: 4, tokens: 10_000 }, keep: { messages: 1 } }),
    runs: [long()],
    shows: { requests: [{ messages: [{}, {}, {}, {}, {}] }] },
  },
  {
    name: "a summary with a prefix of its own, over two runs",
    make: summarizing(
      { trigger: { messages: 4 }, keep: { messages: 1 }, summaryPrefix: "So far:" },
      ["2 euros.", "Still."],
    ),
    runs: [long(), question],
    shows: asks(2),
  },
  {
    name: "clearing the results of old calls",
    make: editing({ trigger: { tokens: 1 }, keep: { messages: 1 } }),
    shows: { requests: [{}, {}, {}, { messages: expect.arrayContaining([cleared("[cleared]")]) }] },
    differs: kept,
  },
  {
    name: "clearing with a placeholder of its own and the arguments, too",
    make: editing({
      trigger: { tokens: 1 },
      keep: { messages: 1 },
      clearToolInputs: true,
      placeholder: "(gone)",
    }),
    shows: { requests: [{}, {}, {}, { messages: expect.arrayContaining([cleared("(gone)")]) }] },
    differs: kept,
  },
  {
    name: "clearing no result of an excluded tool",
    make: editing({ trigger: { tokens: 1 }, keep: { messages: 0 }, excludeTools: ["price"] }),
    shows: asks(4),
  },
  {
    name: "clearing nothing below the trigger",
    make: editing({ trigger: { tokens: 100_000 }, keep: { messages: 1 } }),
    shows: asks(4),
  },
  {
    name: "a choice of tools by a model of its own",
    make: () => {
      const selector = scriptedModel([
        { toolCalls: [{ name: "extract", args: { tools: ["price"] } }] },
      ]);
      return {
        replies: ["3 euros."],
        tools: [priceTool().price, stock],
        middleware: [made(llmToolSelectorMiddleware, { model: selector, maxTools: 1 })],
      };
    },
    shows: { requests: [{ tools: ["price"] }] },
  },
  {
    name: "a choice of tools with one that is always there",
    make: () => {
      const selector = scriptedModel([
        { toolCalls: [{ name: "extract", args: { tools: ["price"] } }] },
      ]);
      const options = { model: selector, maxTools: 1, alwaysInclude: ["stock"] };
      return {
        replies: ["3 euros."],
        tools: [priceTool().price, stock],
        middleware: [made(llmToolSelectorMiddleware, options)],
      };
    },
    shows: { requests: [{ tools: expect.arrayContaining(["price", "stock"]) }] },
  },
  {
    name: "a list of todos that changes",
    make: () => {
      return {
        replies: [
          { toolCalls: [todo("pending", "c1")] },
          { toolCalls: [todo("completed", "c2")] },
          "Done.",
        ],
        middleware: [todoListMiddleware()],
      };
    },
    shows: { ...asks(3), runs: [{ state: { todos: [{ content: "Ask.", status: "completed" }] } }] },
  },
  {
    name: "two lists of todos in one reply",
    make: () => {
      return {
        replies: [{ toolCalls: [todo("pending", "c1"), todo("completed", "c2")] }, "Done."],
        middleware: [todoListMiddleware()],
      };
    },
    shows: asks(1),
    differs: goesOn(["Done."], 2),
  },
  {
    name: "an emulated tool beside a real one",
    make: () => {
      const model = scriptedModel(["tea: 9 euros"]);
      const { price, runs: seen } = priceTool();
      const replies = [
        { toolCalls: [...call("tea", "c1").toolCalls, { name: "stock", args: {}, id: "c2" }] },
        "9 euros.",
      ];
      const middleware = [made(toolEmulatorMiddleware, { model, tools: ["price"] })];
      return { replies, tools: [price, stock], middleware, seen };
    },
    shows: { ...asks(2), seen: [] },
  },
  ...(["redact", "mask", "hash"] as const).flatMap((strategy): Scenario[] =>
    ["email", "credit_card", "ip", "url"].map((kind) => ({
      name: `${kind}: ${strategy}`,
      make: pii(kind, { strategy, ...everywhere }),
      runs: [toldMails],
      shows: asks(2),
    })),
  ),
  {
    name: "email: block in a question",
    make: pii("email", { strategy: "block" }),
    runs: [toldMails],
    shows: { ...asks(0), runs: [{ error: /email/ }] },
  },
  {
    name: "email: block in a result",
    make: pii("email", { strategy: "block", applyToToolResults: true }),
    shows: { ...asks(1), runs: [{ error: /email/ }] },
  },
  {
    name: "email: block in an answer",
    make: pii("email", { strategy: "block", applyToOutput: true }),
    shows: { ...asks(2), runs: [{ error: /email/ }] },
  },
  {
    name: "a pattern of one's own",
    make: pii("key", { detector: "sk-[0-9]+", strategy: "redact", applyToOutput: true }),
    shows: asks(2),
  },
];

describe("memory, context and personal data in createAgent's middleware", () => {
  it.each(scenarios)("$name", async (scenario) => {
    const { here, expected } = await compare(scenario);
    expect(here).toEqual(expected);
  });
});
