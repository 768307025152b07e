import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { callModel } from "../../../src/models/call-model.js";
import { maxBlankChars, maxRepeatedChars } from "../../../src/models/call/endless.js";
import { maxReplyChars } from "../../../src/models/call/bounds.js";
import { boundedReply, hearReply } from "../../../src/models/call/invoke.js";
import type { ReplyListener } from "../../../src/models/model-request.js";
import { zodOutput } from "../../../src/models/response-format.js";
import { structuredReply } from "../../../src/models/structured-output.js";
import { replyProblem, withReadableCalls } from "../../../src/models/reply.js";
import type { ScriptedReply, ScriptedServer } from "../../../src/testing/index.js";
import { countingTools } from "../../support/counting-tools.js";
import { modelRequest, specModel, ways } from "../../support/model-request.js";
import { serve } from "../../testing/client.js";

/** Ten thousand characters in which no piece comes again and again. */
const piece = Array.from({ length: 2_000 }, (_, at) => `w${at} `)
  .join("")
  .slice(0, 10_000);
/** So many characters, in pieces that a server streams one by one. */
const pieces = (chars: number) =>
  Array.from({ length: Math.ceil(chars / piece.length) }, (_, at) =>
    piece.slice(0, chars - at * piece.length),
  );
const streams = ways.filter(({ way }) => way !== "invoke");

async function ask(server: ScriptedServer, options: Parameters<typeof modelRequest>[1]) {
  const { request } = modelRequest([await specModel(server)], options);
  return { reply: await callModel(request) };
}

type Callbacks = ReturnType<typeof hearReply>["callbacks"];

describe.each(streams)("a giant $way", ({ config }) => {
  it("of text is stopped, told as far as it came, and not continued", async () => {
    const server = await serve({ replies: [{ text: pieces(3 * maxReplyChars) }] });
    const heard: string[] = [];
    const listener = {
      begin: () => {},
      hear: (said: string) => heard.push(said),
      end: () => heard.push("end"),
    };
    const { reply } = await ask(server, { config: config(), listener });
    expect(reply).toMatchObject({ kind: "limit", limit: "outputTokens" });
    const said = reply.kind === "limit" ? (reply.said?.text ?? "") : "";
    expect(said.length).toBeGreaterThan(maxReplyChars);
    expect(said.length).toBeLessThan(maxReplyChars + 2 * piece.length);
    expect(heard.join("")).toBe(said);
    expect(reply.usage).toMatchObject({ modelCalls: 1, estimated: true });
    expect(reply.usage.tokensOut).toBeGreaterThan(maxReplyChars / 4);
    server.assertExhausted();
  });

  it("of thoughts is an empty reply, which is asked for again", async () => {
    const long: ScriptedReply = { text: ["<think>", ...pieces(2 * maxReplyChars)] };
    const server = await serve({ replies: [long, "short"] });
    const { reply } = await ask(server, { config: config() });
    expect(reply).toMatchObject({ kind: "replied", message: { content: "short" } });
    server.assertExhausted();
  });

  it("of exactly as much as is taken is whole", async () => {
    const server = await serve({ replies: [{ text: pieces(maxReplyChars) }] });
    const { reply } = await ask(server, { config: config() });
    expect(reply).toMatchObject({ kind: "replied" });
    expect(reply.kind === "replied" && reply.message.text.length).toBe(maxReplyChars);
  });
});

describe.each(streams)("a $way that goes on with white space", ({ config }) => {
  const endless = Array.from({ length: 60 }, () => "\n".repeat(maxBlankChars / 10));

  it.each([
    { name: "text", text: ["The price is 3.", ...endless], read: "The price is 3." },
    { name: "spaces of all kinds", text: ["3", "\n \t", ...endless], read: "3" },
    { name: "words after a gap", text: ["3", " ".repeat(maxBlankChars), "euros"], read: undefined },
  ])("is stopped, and whole: $name", async ({ text, read = text.join("") }) => {
    const server = await serve({ replies: [{ text }] });
    const { reply } = await ask(server, { config: config() });
    expect(reply).toMatchObject({ kind: "replied", message: { content: read } });
    expect(reply.usage.modelCalls).toBe(1);
    server.assertExhausted();
  });

  it("and nothing else is an empty reply, which is asked for again", async () => {
    const server = await serve({ replies: [{ text: endless }, "3"] });
    const { reply } = await ask(server, { config: config() });
    expect(reply).toMatchObject({ kind: "replied", message: { content: "3" } });
  });
});

describe.each(streams)("a $way that goes round in a loop", ({ config }) => {
  const loop = Array.from({ length: 3_000 }, () => "{{E1}} / ");

  it("is stopped, counts as cut, and is not continued", async () => {
    const server = await serve({ replies: [{ text: ["It is ", ...loop] }, "and so on."] });
    const { reply } = await ask(server, { config: config() });
    expect(reply).toMatchObject({ kind: "limit", limit: "outputTokens" });
    const said = reply.kind === "limit" ? (reply.said?.text ?? "") : "";
    expect(said.length).toBeLessThan(maxRepeatedChars + 500);
    expect(reply.usage.modelCalls).toBe(1);
    expect(server.requests).toHaveLength(1);
  });

  it("of what a schema lets it write is asked for once more", async () => {
    const text = ['{"expression": "', ...loop];
    const server = await serve({ replies: [{ text }, '{"expression": "1 / 2"}'] });
    const { request } = modelRequest([await specModel(server)], { config: config() });
    const sum = zodOutput("sum", z.object({ expression: z.string() }));
    const reply = await structuredReply(request, sum, "Go on.");
    expect(reply).toMatchObject({ ok: true, value: { expression: "1 / 2" } });
  });
});

it("of white space is stopped where a model is held to a call, also in a request that nobody listens to", async () => {
  const server = await serve({
    replies: [{ text: ["It costs 99.", ...Array.from({ length: 20 }, () => " ".repeat(100))] }],
  });
  const { tools } = countingTools("price");
  const { reply } = await ask(server, { tools, call: "wanted", streamToUser: false });
  expect(reply).toMatchObject({ kind: "replied", message: { content: "It costs 99." } });
  expect(server.requests[0]?.body).toMatchObject({ stream: true, tool_choice: "required" });
});

it.each(["wanted", "required"] as const)(
  "a text without end, where a call is %s, is asked for a call in JSON",
  async (call) => {
    const action = { thought: "So.", action: "price", action_input: { item: "tea" } };
    const server = await serve({ replies: [{ text: pieces(20_000) }, JSON.stringify(action)] });
    const { tools } = countingTools("price");
    const { reply } = await ask(server, { tools, call, streamToUser: false });
    expect(reply).toMatchObject({
      kind: "replied",
      message: { tool_calls: [{ name: "price", args: { item: "tea" } }] },
    });
    expect(server.requests[1]?.body).toMatchObject({ response_format: { type: "json_schema" } });
  },
);

const made = (item: string) => ({ toolCalls: [{ name: "price", args: { item } }] });
const callOf = (item: string) =>
  JSON.stringify({ thought: "So.", action: "price", action_input: { item } });

it.each([
  { call: "wanted", chars: 4_500, requests: 2 },
  { call: "wanted", chars: 3_500, requests: 1 },
  { call: "required", chars: 4_500, requests: 1 },
  { call: undefined, chars: 4_500, requests: 1 },
] as const)(
  "a call in JSON of $chars characters, where one is $call, takes $requests requests",
  async ({ call, chars, requests }) => {
    const server = await serve({
      replies: [
        { text: callOf(pieces(chars).join("")).match(/.{1,50}/gs) ?? [] },
        callOf("tea"),
      ].slice(0, requests),
    });
    const { tools } = countingTools("price");
    const { reply } = await ask(server, { tools, call, protocol: "json", streamToUser: false });
    expect(reply).toMatchObject({ kind: "replied", message: { tool_calls: [{ name: "price" }] } });
    server.assertExhausted();
  },
);

it.each([
  { call: "wanted", chars: 4_500, requests: 2 },
  { call: "wanted", chars: 3_500, requests: 1 },
  { call: "required", chars: 4_500, requests: 1 },
] as const)(
  "a native call with $chars characters, where one is $call, takes $requests requests",
  async ({ call, chars, requests }) => {
    const replies = [made(pieces(chars).join("")), made("tea")].slice(0, requests);
    const server = await serve({ replies });
    const { tools } = countingTools("price");
    const { reply } = await ask(server, { tools, call, streamToUser: false });
    expect(reply).toMatchObject({ kind: "replied", message: { tool_calls: [{ name: "price" }] } });
    server.assertExhausted();
  },
);

it("a long text is the answer where a call is wanted from a server that holds no model to one", async () => {
  const server = await serve({ replies: [{ text: pieces(20_000) }] });
  const { tools } = countingTools("price");
  const model = { ...(await specModel(server)), missing: new Set(["no_forced_tool"] as const) };
  const { request } = modelRequest([model], { tools, call: "wanted", streamToUser: false });
  const reply = await callModel(request);
  expect(reply.kind === "replied" && reply.message.text.length).toBe(20_000);
  expect(server.requests[0]?.body).not.toHaveProperty("tool_choice");
});

it("a long text and a call are both kept where a call is wanted", async () => {
  const text = "some words of it ".repeat(100);
  const server = await serve({
    replies: [{ text, toolCalls: [{ name: "price", args: { item: "tea" } }] }],
  });
  const { tools } = countingTools("price");
  const { reply } = await ask(server, { tools, call: "wanted" });
  expect(reply).toMatchObject({ kind: "replied", message: { tool_calls: [{ name: "price" }] } });
});

const calls = (chars: number) => [{ id: "1", name: "price", args: { item: "x".repeat(chars) } }];
const chunk = (tool_call_chunk: object) => {
  const message = new AIMessageChunk({
    content: "",
    id: "r1",
    tool_call_chunks: [{ index: 0, ...tool_call_chunk }],
  });
  return { chunk: new ChatGenerationChunk({ text: "", message }) };
};
const event = (fields: object) =>
  ({
    event: "content-block-delta",
    index: 0,
    delta: { type: "block-delta", fields: { type: "tool_call_chunk", ...fields } },
  }) as const;

const silent: ReplyListener = { begin: () => {}, hear: () => {}, end: () => {} };

describe("arguments that never end", () => {
  const args = '{"item": "tea'.padEnd(maxReplyChars, piece);

  it.each([
    {
      name: "tokens",
      tell: ({ handleLLMNewToken: hear }: Callbacks, said: string) =>
        hear(
          "",
          { prompt: 0, completion: 0 },
          "",
          undefined,
          undefined,
          chunk({ name: "price", args: said }),
        ),
      again: "!",
    },
    {
      name: "blocks",
      tell: ({ handleChatModelStreamEvent: hear }: Callbacks, said: string) =>
        hear(event({ name: "price", args: said }), ""),
      again: `${args}!`,
    },
  ])("are stopped once, and are a call that was cut ($name)", ({ tell, again }) => {
    let stops = 0;
    const heard = hearReply(silent, () => {
      stops += 1;
    });
    tell(heard.callbacks, args);
    expect(heard.stopped()).toBeUndefined();
    tell(heard.callbacks, again);
    tell(heard.callbacks, again);
    expect(stops).toBe(1);
    const reply = heard.stopped();
    expect(reply).toMatchObject({
      content: "",
      tool_calls: [],
      invalid_tool_calls: [{ name: "price", args: `${args}!` }],
    });
    expect(reply && replyProblem(withReadableCalls(reply))).toContain(
      "its tool call is incomplete and was not run",
    );
  });
});

it("continues a cut text only until it is as long as a reply may be", async () => {
  const long = { text: pieces(0.7 * maxReplyChars), finishReason: "length" };
  const server = await serve({
    replies: [long, { ...long, text: ["2".repeat(0.7 * maxReplyChars)] }],
  });
  const { reply } = await ask(server, { listener: silent });
  expect([reply.kind, reply.usage.modelCalls]).toEqual(["limit", 2]);
  server.assertExhausted();
});

describe("a reply that came in one piece", () => {
  it.each([
    {
      name: "with too long a text",
      fields: { content: "x".repeat(maxReplyChars + 1) },
      ending: "length",
    },
    {
      name: "with too long arguments",
      fields: { content: "", tool_calls: calls(maxReplyChars) },
      ending: "length",
    },
    {
      name: "with too long a text and arguments together",
      fields: { content: "x".repeat(maxReplyChars / 2), tool_calls: calls(maxReplyChars / 2) },
      ending: "length",
    },
    {
      name: "as long as a reply may be",
      fields: { content: "x".repeat(maxReplyChars) },
      ending: "stop",
    },
    { name: "with a call", fields: { content: "", tool_calls: calls(1_000) }, ending: "stop" },
  ])("$name ends with $ending", ({ fields, ending }) => {
    const reply = new AIMessage({ ...fields, response_metadata: { finish_reason: "stop" } });
    const bounded = boundedReply(reply);
    expect(bounded.response_metadata).toMatchObject({ finish_reason: ending });
    expect(bounded.text.length).toBe(Math.min(fields.content.length, maxReplyChars));
  });
});
