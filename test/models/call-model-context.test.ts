import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { callModel } from "../../src/models/call-model.js";
import { fault } from "../../src/testing/index.js";
import { modelRequest, specModel, ways } from "../support/model-request.js";
import { serve } from "../testing/client.js";

/** A question, and so many calls with results of so many characters. */
function research(calls: number, chars: number): BaseMessage[] {
  const turns = Array.from({ length: calls }, (_, at): BaseMessage[] => [
    new AIMessage({
      content: "",
      tool_calls: [{ id: `c${at}`, name: "search", args: { query: `about ${at}` } }],
    }),
    new ToolMessage({
      content: `result ${at}: ${"some words ".repeat(chars / 11)}`,
      tool_call_id: `c${at}`,
    }),
  ]);
  return [new SystemMessage("Be good."), new HumanMessage("the question"), ...turns.flat()];
}

const texts = (messages: readonly { readonly content?: unknown }[] = []) =>
  messages.map(({ content }) => String(content));

describe("a known context", () => {
  it.each([
    { contextTokens: 4_000, chars: 4_000 },
    { contextTokens: 8_000, chars: 20_000 },
    { contextTokens: 16_000, chars: 500 },
    { contextTokens: 1_000, chars: 5_000 },
  ])(
    "of $contextTokens tokens is never exceeded by 60 results of $chars characters",
    async ({ contextTokens, chars }) => {
      const server = await serve({ replies: () => "ok", contextTokens, strictPairing: true });
      const model = await specModel(server);
      const messages = research(60, chars);
      for (let length = 2; length <= messages.length; length += 2) {
        const { request } = modelRequest([model], {
          messages: messages.slice(0, length),
          contextTokens,
        });
        expect(await callModel(request)).toMatchObject({ kind: "replied" });
      }
      expect(server.requests.map(({ status }) => status)).toEqual(Array(61).fill(200));
      const sent = texts(server.requests.at(-1)?.body?.messages);
      expect(sent.slice(0, 2)).toEqual(["Be good.", "the question"]);
      expect(sent.at(-1)).toMatch(/^result 59/);
    },
  );

  it("of the model's own profile is used where the caller names none", async () => {
    const server = await serve({ replies: ["ok"] });
    const model = { ...(await specModel(server)), contextTokens: 1_000 };
    await callModel(modelRequest([model], { messages: research(5, 4_000) }).request);
    expect(server.requests[0]?.text.length).toBeLessThan(4_000);
  });

  it("leaves the messages alone where they fit", async () => {
    const server = await serve({ replies: ["ok"] });
    const messages = research(3, 110);
    await callModel(
      modelRequest([await specModel(server)], { messages, contextTokens: 9_000 }).request,
    );
    expect(texts(server.requests[0]?.body?.messages).slice(-1)).toEqual([messages.at(-1)?.text]);
  });
});

describe("an unknown context", () => {
  it.each(ways)(
    "$way shortens the messages and asks once more when it is exceeded",
    async ({ config }) => {
      const server = await serve({ replies: ["ok"], contextTokens: 6_000 });
      const { request } = modelRequest([await specModel(server)], {
        messages: research(6, 4_400),
        config: config(),
      });
      const reply = await callModel(request);
      expect(reply).toMatchObject({ kind: "replied", message: { content: "ok" } });
      expect(server.requests.map(({ status }) => status)).toEqual([400, 200]);
      expect(reply.usage.modelCalls).toBe(2);
    },
  );

  it.each(ways)("$way fails when the shorter messages do not fit either", async ({ config }) => {
    const server = await serve({ replies: [], contextTokens: 100 });
    const { request } = modelRequest([await specModel(server)], {
      messages: research(6, 4_400),
      config: config(),
    });
    expect(await callModel(request)).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("maximum context length"),
    });
    expect(server.requests).toHaveLength(2);
  });

  it("does not send again what cannot be shortened", async () => {
    const server = await serve({ replies: [], contextTokens: 100 });
    const { request } = modelRequest([await specModel(server)], { question: "x ".repeat(500) });
    expect(await callModel(request)).toMatchObject({ kind: "failed" });
    expect(server.requests).toHaveLength(1);
  });
});

it("makes a history whole before it is sent", async () => {
  const server = await serve({ replies: ["ok"], strictPairing: true });
  const messages = research(3, 110).filter((_, at) => at !== 3 && at !== 4);
  const reply = await callModel(modelRequest([await specModel(server)], { messages }).request);
  expect(reply.kind).toBe("replied");
});

it("closes with retries even when the time for work is over", async () => {
  const server = await serve({ replies: [fault.status(503), "closing words"] });
  const started = Date.now();
  const clock = { now: () => started, random: () => 0.5, sleep: async () => undefined };
  const { request, budget } = modelRequest([await specModel(server)], {
    limits: { seconds: 3 },
    reserve: 0.95,
    isFinalAnswer: true,
    clock,
  });
  await expect.poll(() => budget.signal().aborted).toBe(true);
  expect(await callModel(request)).toMatchObject({ kind: "replied" });
});
