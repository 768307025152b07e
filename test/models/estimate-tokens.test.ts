import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";

import { estimateTokens, messageTokens } from "../../src/models/usage.js";

it.each([
  { name: "nothing", text: "", tokens: 0 },
  { name: "a letter", text: "a", tokens: 1 },
  { name: "English", text: "a".repeat(300), tokens: 100 },
  { name: "Chinese", text: "你好世界", tokens: 4 },
  { name: "Japanese", text: "こんにちは", tokens: 5 },
  { name: "Korean", text: "안녕하세요", tokens: 5 },
  { name: "full-width signs", text: "，：", tokens: 2 },
  { name: "Thai", text: "สวัสดี", tokens: 6 },
  { name: "Hindi", text: "नमस्ते", tokens: 6 },
  { name: "an emoji", text: "😀", tokens: 2 },
  { name: "a mixture", text: "abc你好", tokens: 3 },
])("estimates $name at $tokens tokens", ({ text, tokens }) => {
  expect(estimateTokens(text)).toBe(tokens);
});

it("counts a message's text, its tool calls and what surrounds them", () => {
  const plain = messageTokens(new AIMessage("abc"));
  expect(plain).toBeGreaterThan(estimateTokens("abc"));
  const calling = new AIMessage({
    content: "abc",
    tool_calls: [{ id: "c", name: "search", args: { query: "q".repeat(300) } }],
  });
  expect(messageTokens(calling)).toBeGreaterThan(plain + 100);
});

it("counts the texts of a list of parts", () => {
  const message = new HumanMessage({ content: [{ type: "text", text: "a".repeat(300) }] });
  expect(messageTokens(message)).toBeGreaterThan(100);
});

it("does not take a picture's data for text", () => {
  const url = `data:image/png;base64,${"A".repeat(1_000_000)}`;
  const message = new HumanMessage({ content: [{ type: "image_url", image_url: { url } }] });
  expect(messageTokens(message)).toBeLessThan(3_000);
});
