import { AIMessage, HumanMessage, type StandardMessageStructure } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { priceOf, replyUsage } from "../../src/models/usage.js";

const request = [new HumanMessage("a".repeat(300))];
const price = { input: 2, output: 10 };
const reported = new AIMessage<StandardMessageStructure>({
  content: "x",
  usage_metadata: { input_tokens: 1_000, output_tokens: 100, total_tokens: 1_100 },
});

describe("replyUsage", () => {
  it("books what the server reported, at the model's price, for the role", () => {
    const share = { modelCalls: 1, tokensIn: 1_000, tokensOut: 100, costUsd: 0.003 };
    expect(replyUsage("solver", reported, request, price)).toEqual({
      ...share,
      toolCalls: 0,
      byRole: { solver: share },
    });
  });

  it("costs nothing without a price", () => {
    expect(replyUsage("solver", reported, request, undefined).costUsd).toBe(0);
  });

  it("estimates what was not reported, and says so", () => {
    const usage = replyUsage("solver", new AIMessage("b".repeat(30)), request, price);
    expect(usage).toMatchObject({ estimated: true, modelCalls: 1 });
    expect(usage.tokensIn).toBeGreaterThanOrEqual(100);
    expect(usage.tokensOut).toBeGreaterThanOrEqual(10);
    expect(usage.costUsd).toBeGreaterThan(0);
  });

  it("estimates the tokens of tool calls too", () => {
    const args = { query: "q".repeat(300) };
    const reply = new AIMessage({ content: "", tool_calls: [{ id: "c", name: "t", args }] });
    expect(replyUsage("solver", reply, request, price).tokensOut).toBeGreaterThan(100);
  });

  it.each([
    { name: "negative", tokens: -1_000_000 },
    { name: "not a number", tokens: Number.NaN },
    { name: "without end", tokens: Infinity },
  ])("takes a number of tokens that is $name for none", ({ tokens }) => {
    const reply = new AIMessage<StandardMessageStructure>({
      content: "b".repeat(30),
      usage_metadata: { input_tokens: tokens, output_tokens: tokens, total_tokens: tokens },
    });
    const expected = replyUsage("solver", new AIMessage("b".repeat(30)), request, price);
    expect(replyUsage("solver", reply, request, price)).toEqual(expected);
    expect(expected).toMatchObject({ estimated: true });
  });

  it("does not call reported tokens estimated, even where they are zero", () => {
    const usage_metadata = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
    const usage = replyUsage(
      "solver",
      new AIMessage<StandardMessageStructure>({ content: "x", usage_metadata }),
      request,
      price,
    );
    expect(usage).toMatchObject({ tokensIn: 0, tokensOut: 0 });
    expect(usage).not.toHaveProperty("estimated");
  });
});

describe("priceOf", () => {
  const prices = { "openai:gpt-5": price, "qwen3:8b": { input: 0, output: 0 } };
  it.each([
    { model: "openai:gpt-5", found: price },
    { model: "ollama:qwen3:8b", found: { input: 0, output: 0 } },
    { model: "qwen3:8b", found: { input: 0, output: 0 } },
    { model: "gpt-5", found: undefined },
    { model: "openai:gpt-4", found: undefined },
  ])("looks up $model", ({ model, found }) => {
    expect(priceOf(model, prices)).toEqual(found);
  });
});
