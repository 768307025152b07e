import { AIMessage, AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";

import { requireComplete } from "../../src/models/normalize-reply.js";

const chunk = (content: string, metadata: Record<string, unknown>) =>
  new AIMessageChunk({ content, response_metadata: metadata });

const openai = { model_provider: "openai" };

it.each([
  { name: "a whole message", reply: new AIMessage("hello") },
  { name: "an empty whole message", reply: new AIMessage("") },
  { name: "a stream with its end", reply: chunk("hi", { ...openai, finish_reason: "stop" }) },
  { name: "an empty stream with its end", reply: chunk("", { ...openai, finish_reason: "stop" }) },
  { name: "another provider's stream", reply: chunk("hi", { model_provider: "else" }) },
])("accepts $name", ({ reply }) => {
  expect(requireComplete(reply)).toBe(reply);
});

it.each([
  { name: "OpenAI's without a finish reason", reply: chunk("half an ans", openai) },
  { name: "any with nothing in it", reply: chunk("", {}) },
])("takes a stream for broken off: $name", ({ reply }) => {
  expect(() => requireComplete(reply)).toThrow(expect.objectContaining({ kind: "unavailable" }));
});

it("refuses what is no AI message", () => {
  expect(() => requireComplete(new HumanMessage("me"))).toThrow(TypeError);
});
