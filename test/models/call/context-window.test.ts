import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { contextWindow } from "../../../src/models/call/context-window.js";
import { modelCall, namedModel, replyOf, scriptedNext } from "../../support/model-call.js";
import type { RequestOptions } from "../../support/model-request.js";

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

const tooLong = Object.assign(new Error("400 maximum context length is 10"), { status: 400 });

/** The prompts of the calls that the stage makes, and what it throws. */
async function prompts(options: RequestOptions, outcomes: readonly Error[] = []) {
  const { call } = modelCall(await namedModel("a"), { messages, ...options });
  const { next, calls } = scriptedNext([...outcomes, replyOf("It is 4.")]);
  const thrown = await contextWindow(call, next).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { sent: calls.map(({ prompt = [] }) => prompt), thrown };
}

const lengths = (list: readonly { readonly text: string }[] = []) =>
  list.map(({ text }) => text.length);

describe("the prompt", () => {
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
  ])("holds the results whole in $name: $isWhole", async ({ contextTokens, tools, isWhole }) => {
    const { sent } = await prompts({ contextTokens, tools });
    expect(sent.map((prompt) => lengths(prompt)[2] === 1_500)).toEqual([isWhole]);
  });

  it("counts a tool the same the second time", async () => {
    const [first, second] = [
      await prompts({ contextTokens: 1_000, tools: [search] }),
      await prompts({ contextTokens: 1_000, tools: [search] }),
    ];
    expect(lengths(first.sent[0])).toEqual(lengths(second.sent[0]));
  });

  it("ends with the trailing messages, whole, and makes room for it", async () => {
    const trailingMessages = [new HumanMessage("y".repeat(1_500))];
    const { sent } = await prompts({ contextTokens: 1_000, trailingMessages });
    const [prompt = []] = sent;
    expect(prompt.at(-1)).toBe(trailingMessages[0]);
    expect(prompt[0]).toBe(messages[0]);
    expect(prompt[2]?.text.length).toBeLessThan(1_500);
  });
});

describe("a prompt that the server finds too long", () => {
  it.each([
    { name: "the context is unknown", contextTokens: undefined },
    { name: "the context is said to be large", contextTokens: 1_000_000 },
    { name: "the context is small", contextTokens: 700 },
  ])("is trimmed and sent once more where $name", async ({ contextTokens }) => {
    const { sent, thrown } = await prompts({ contextTokens }, [tooLong]);
    expect(thrown).toBeUndefined();
    const [whole, shorter] = sent.map((prompt) => lengths(prompt)[2] ?? 0);
    expect(sent).toHaveLength(2);
    expect(shorter).toBeLessThan(whole ?? 0);
  });

  it("fails where it is too long a second time", async () => {
    const { sent, thrown } = await prompts({}, [tooLong, tooLong]);
    expect([sent.length, thrown]).toEqual([2, tooLong]);
  });

  it("fails at once where nothing can be left out", async () => {
    const { sent, thrown } = await prompts({ messages: [new HumanMessage("q")] }, [tooLong]);
    expect([sent.length, thrown]).toEqual([1, tooLong]);
  });

  it("is told from other errors", async () => {
    const error = new Error("down");
    const { sent, thrown } = await prompts({}, [error]);
    expect([sent.length, thrown]).toEqual([1, error]);
  });
});
