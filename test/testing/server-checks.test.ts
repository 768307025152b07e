import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";

import { estimateTokens, fault } from "../../src/testing/index.js";
import { client, serve } from "./client.js";

it("refuses every key but its own", async () => {
  const server = await serve({ replies: ["x"], apiKey: "other" });
  await expect(client(server).invoke("q")).rejects.toMatchObject({
    status: 401,
    code: "invalid_api_key",
  });
  expect(() => server.assertExhausted()).toThrow("never asked for");
});

it("intercepts requests without touching the script", async () => {
  const server = await serve({
    replies: ["plain"],
    intercept: ({ response_format }) =>
      response_format ? fault.status(400, { param: "response_format" }) : undefined,
  });
  const json = client(server).withConfig({
    response_format: { type: "json_object" },
  });
  await expect(json.invoke("q")).rejects.toMatchObject({
    param: "response_format",
  });
  expect((await client(server).invoke("q")).text).toBe("plain");
  server.assertExhausted();
});

const question = new HumanMessage("2 + 3?");
const call = (id: string) => ({ id, name: "add", args: {} });
const calls = (...ids: string[]) => new AIMessage({ content: "", tool_calls: ids.map(call) });
const result = (id: string) => new ToolMessage({ content: "5", tool_call_id: id });

it.each([
  { name: "no calls", history: [question], refused: undefined },
  {
    name: "paired calls",
    history: [question, calls("1", "2"), result("2"), result("1"), question],
    refused: undefined,
  },
  {
    name: "an unanswered call at the end",
    history: [question, calls("1", "2"), result("1")],
    refused: "did not have response messages: 2",
  },
  {
    name: "an unanswered call",
    history: [question, calls("1"), question],
    refused: "did not have response messages: 1",
  },
  {
    name: "a result without calls",
    history: [question, result("1")],
    refused: "must be a response to a preceeding message",
  },
  {
    name: "a result that comes late",
    history: [calls("1"), result("1"), question, result("1")],
    refused: "must be a response to a preceeding message",
  },
  {
    name: "a result of another call",
    history: [question, calls("1"), result("9")],
    refused: "'tool_call_id' of '9' not found",
  },
])("strict pairing, $name: refused is $refused", async ({ history, refused }) => {
  const server = await serve({ replies: () => "x", strictPairing: true });
  const asked = client(server)
    .invoke(history)
    .then(({ text }) => text);
  const seen = await asked.catch((error: unknown) => String(error));
  expect(seen).toContain(refused ?? "x");
  expect(server.requests[0]?.status).toBe(refused === undefined ? 200 : 400);
  server.assertExhausted();
});

it("refuses what does not fit the context as OpenAI does, and accepts what just fits", async () => {
  const server = await serve({ replies: () => "x", contextTokens: 20 });
  // [{"role":"user","content":"…"}] has 30 characters beside the content.
  expect((await client(server).invoke("a".repeat(50))).text).toBe("x");
  await expect(client(server).invoke("a".repeat(51))).rejects.toMatchObject({
    name: "ContextOverflowError",
    cause: { status: 400, code: "context_length_exceeded" },
  });
});

it.each([
  { name: "messages alone", body: { messages: [{ role: "u" }] }, tokens: 4 },
  { name: "messages and tools", body: { messages: [], tools: [] }, tokens: 1 },
])("estimates the tokens of $name", ({ body, tokens }) => {
  expect(estimateTokens(body)).toBe(tokens);
});

it.each([
  { header: "Authorization", sent: "Bearer secret", recorded: "Bearer ***" },
  { header: "Authorization", sent: "secret", recorded: "***" },
  { header: "X-Api-Key", sent: "secret", recorded: "***" },
  { header: "Cookie", sent: "session=secret", recorded: "***" },
  { header: "X-Title", sent: "plain", recorded: "plain" },
])("records $header: $sent as $recorded", async ({ header, sent, recorded }) => {
  const server = await serve({ replies: [] });
  await fetch(`${server.url}/models`, { headers: { [header]: sent } });
  expect(server.requests[0]?.headers).toMatchObject({ [header.toLowerCase()]: recorded });
});
