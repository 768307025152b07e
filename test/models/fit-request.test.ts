import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { fitRequest, shorterContext } from "../../src/models/send-request.js";
import { modelRequest } from "../support/model-request.js";

const messages = [
  new HumanMessage("question"),
  new AIMessage({ content: "", tool_calls: [{ id: "1", name: "search", args: {} }] }),
  new ToolMessage({ content: "x".repeat(1_500), tool_call_id: "1" }),
];

const search = tool(() => "", {
  name: "search",
  description: "word ".repeat(300),
  schema: z.object({ query: z.string() }),
});

const lengths = (list: readonly { readonly text: string }[]) => list.map(({ text }) => text.length);

describe("fitRequest", () => {
  it.each([
    { name: "a known context with room", contextTokens: 1_000, tools: [], isWhole: true },
    {
      name: "a context that its tools fill",
      contextTokens: 1_000,
      tools: [search],
      isWhole: false,
    },
    { name: "a small context", contextTokens: 500, tools: [], isWhole: false },
    { name: "an unknown context", contextTokens: undefined, tools: [search], isWhole: true },
  ])("leaves the results whole in $name: $isWhole", ({ contextTokens, tools, isWhole }) => {
    const { request } = modelRequest([], { messages, tools });
    const fitted = fitRequest(request, contextTokens);
    expect(lengths(fitted)[2] === 1_500).toBe(isWhole);
  });

  it("counts a tool the same the second time", () => {
    const { request } = modelRequest([], { messages, tools: [search] });
    expect(lengths(fitRequest(request, 1_000))).toEqual(lengths(fitRequest(request, 1_000)));
  });

  it("sends the postscript whole, behind the messages, and makes room for it", () => {
    const postscript = [new HumanMessage("y".repeat(1_500))];
    const { request } = modelRequest([], { messages, postscript });
    const fitted = fitRequest(request, 1_000);
    expect(fitted.at(-1)).toBe(postscript[0]);
    expect(fitted[0]).toBe(messages[0]);
    expect(fitted[2]?.text.length).toBeLessThan(1_500);
  });
});

it.each([
  { name: "the messages where the context is unknown", known: undefined },
  { name: "the messages where the context is large", known: 1_000_000 },
  { name: "the context where that is smaller", known: 100 },
])("shorterContext is below $name", ({ known }) => {
  const { request } = modelRequest([], { messages });
  expect(shorterContext(request, known)).toBeLessThan(known === 100 ? 100 : 500);
});
