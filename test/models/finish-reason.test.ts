import { AIMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";

import { endedInError, howEnded } from "../../src/models/reply.js";

const reply = (metadata: Record<string, unknown>, kwargs: Record<string, unknown> = {}) =>
  new AIMessage({ content: "hm", response_metadata: metadata, additional_kwargs: kwargs });

it.each([
  { name: "OpenAI, to its end", metadata: { finish_reason: "stop" }, ended: "whole" },
  { name: "OpenAI, with calls", metadata: { finish_reason: "tool_calls" }, ended: "whole" },
  { name: "OpenAI, cut", metadata: { finish_reason: "length" }, ended: "cut" },
  { name: "OpenAI, filtered", metadata: { finish_reason: "content_filter" }, ended: "filtered" },
  {
    name: "OpenAI's Responses, cut",
    metadata: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
    ended: "cut",
  },
  {
    name: "OpenAI's Responses, filtered",
    metadata: { status: "incomplete", incomplete_details: { reason: "content_filter" } },
    ended: "filtered",
  },
  { name: "Anthropic, to its end", metadata: { stop_reason: "end_turn" }, ended: "whole" },
  { name: "Anthropic, cut", metadata: { stop_reason: "max_tokens" }, ended: "cut" },
  { name: "Anthropic, refused", metadata: { stop_reason: "refusal" }, ended: "refused" },
  { name: "Gemini, to its end", metadata: { finishReason: "STOP" }, ended: "whole" },
  { name: "Gemini, cut", metadata: { finishReason: "MAX_TOKENS" }, ended: "cut" },
  { name: "Gemini, for safety", metadata: { finishReason: "SAFETY" }, ended: "filtered" },
  {
    name: "Gemini, forbidden",
    metadata: { finish_reason: "PROHIBITED_CONTENT" },
    ended: "filtered",
  },
  { name: "Gemini, recitation", metadata: { finishReason: "RECITATION" }, ended: "filtered" },
  { name: "Bedrock, cut", metadata: { stopReason: "max_tokens" }, ended: "cut" },
  {
    name: "Bedrock's stream, by its guardrail",
    metadata: { messageStop: { stopReason: "guardrail_intervened" } },
    ended: "filtered",
  },
  { name: "Bedrock, filtered", metadata: { stopReason: "content_filtered" }, ended: "filtered" },
  { name: "Mistral, cut", metadata: { finish_reason: "model_length" }, ended: "cut" },
  { name: "Ollama, cut", metadata: { done_reason: "length" }, ended: "cut" },
  { name: "a word that nobody knows", metadata: { finish_reason: "eos" }, ended: "whole" },
  { name: "no word", metadata: {}, ended: "whole" },
  { name: "no text for a word", metadata: { finish_reason: 3 }, ended: "whole" },
])("$name: $ended", ({ metadata, ended }) => {
  expect(howEnded(reply(metadata))).toBe(ended);
});

it.each([
  { name: "words of a refusal", kwargs: { refusal: "No." }, ended: "refused" },
  { name: "no words", kwargs: { refusal: "" }, ended: "whole" },
  { name: "nothing", kwargs: { refusal: null }, ended: "whole" },
])("$name beside the text: $ended", ({ kwargs, ended }) => {
  expect(howEnded(reply({ finish_reason: "stop" }, kwargs))).toBe(ended);
});

it("tells a reply that an error broke off", () => {
  expect(endedInError(reply({ finish_reason: "error" }))).toBe(true);
  expect(endedInError(reply({ finish_reason: "stop" }))).toBe(false);
});
