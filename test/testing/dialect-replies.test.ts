import { expect, it } from "vitest";

import { type DialectName, type ScriptedReply } from "../../src/testing/index.js";
import { serve } from "./client.js";
import { post } from "./post.js";

const call = { name: "add", args: { a: 2, b: 3 } };
const calling = { toolCalls: [call, call] };
const one = { toolCalls: [call] };
const thought = { text: "five", reasoning: "2 + 3" };
const forced = { tool_choice: "required" };

const withCall = (id: string, text: unknown = '{"a":2,"b":3}') => ({
  id,
  type: "function",
  function: { name: "add", arguments: text },
});
const role = "assistant";

type Row = {
  readonly dialect: DialectName;
  readonly reply: string | ScriptedReply;
  readonly request?: object;
  /** What is asked of the message in one piece, the choice around it included. */
  readonly whole: object;
  /** Fields that neither the message nor any part of it has. */
  readonly without?: readonly string[];
  /** Parts that are streamed exactly so. */
  readonly deltas?: readonly object[];
  /** What all streamed parts of the content add up to. */
  readonly content?: string;
};

const rows: readonly Row[] = [
  {
    dialect: "reasoning-content",
    reply: "five",
    whole: { message: { reasoning_content: "Let me see what is asked here.", content: "five" } },
    deltas: [{ reasoning_content: "Let me " }],
    content: "five",
  },
  {
    dialect: "reasoning-content",
    reply: thought,
    whole: { message: { reasoning_content: "2 + 3", content: "five" } },
  },
  {
    dialect: "reasoning",
    without: ["reasoning_content"],
    reply: thought,
    whole: { message: { reasoning: "2 + 3", content: "five" } },
    deltas: [{ reasoning: "2" }],
    content: "five",
  },
  {
    dialect: "thinking-no-forced-tools",
    reply: "five",
    whole: { message: { reasoning_content: "Let me see what is asked here." } },
  },
  {
    dialect: "reasoning-demanded-back",
    reply: "five",
    whole: { message: { reasoning_content: "Let me see what is asked here." } },
  },
  {
    dialect: "inline-thinking",
    without: ["reasoning_content"],
    reply: thought,
    whole: { message: { role, content: "<think>\n2 + 3\n</think>\n\nfive", refusal: null } },
    content: "<think>\n2 + 3\n</think>\n\nfive",
  },
  {
    dialect: "inline-thinking-unopened",
    without: ["reasoning_content"],
    reply: { ...thought, ...one },
    whole: { finish_reason: "tool_calls", message: { content: "2 + 3\n</think>\n\nfive" } },
    content: "2 + 3\n</think>\n\nfive",
  },
  {
    dialect: "object-arguments",
    reply: one,
    whole: { message: { tool_calls: [withCall("call_1", call.args)] } },
    deltas: [{ tool_calls: [{ index: 0, ...withCall("call_2", call.args) }] }],
  },
  {
    dialect: "object-arguments",
    reply: { invalidToolCalls: [{ name: "add", args: '{"a' }] },
    whole: { message: { tool_calls: [withCall("call_1", '{"a')] } },
  },
  {
    dialect: "same-call-index",
    reply: calling,
    whole: { message: { tool_calls: [withCall("call_1"), withCall("call_2")] } },
    deltas: [
      { tool_calls: [{ index: 0, ...withCall("call_3") }] },
      { tool_calls: [{ index: 0, ...withCall("call_4") }] },
    ],
  },
  {
    dialect: "calls-finish-with-stop",
    reply: one,
    whole: { finish_reason: "stop", message: { tool_calls: [withCall("call_1")] } },
  },
  {
    dialect: "calls-finish-with-stop",
    reply: { ...one, finishReason: "length" },
    whole: { finish_reason: "length" },
  },
  {
    dialect: "same-call-id",
    reply: calling,
    whole: { message: { tool_calls: [withCall("call_0"), withCall("call_0")] } },
    deltas: [{ tool_calls: [{ index: 1, ...withCall("call_0", "") }] }],
  },
  {
    dialect: "empty-call-id",
    reply: one,
    whole: { message: { tool_calls: [withCall("")] } },
    deltas: [{ tool_calls: [{ index: 0, ...withCall("", "") }] }],
  },
  {
    dialect: "calls-as-fenced-text",
    without: ["tool_calls"],
    reply: { ...one, text: "I add." },
    whole: {
      finish_reason: "stop",
      message: {
        role,
        refusal: null,
        content: 'I add.\n```json\n{"name": "add", "arguments": {"a":2,"b":3}}\n```',
      },
    },
    content: 'I add.\n```json\n{"name": "add", "arguments": {"a":2,"b":3}}\n```',
  },
  {
    dialect: "calls-as-tagged-text",
    without: ["tool_calls"],
    reply: { invalidToolCalls: [{ name: "add", args: '{"a' }], finishReason: "length" },
    whole: {
      finish_reason: "length",
      message: { content: '<tool_call>\n{"name": "add", "arguments": {"a}\n</tool_call>' },
    },
    content: '<tool_call>\n{"name": "add", "arguments": {"a}\n</tool_call>',
  },
  {
    dialect: "calls-as-tagged-text",
    reply: "five",
    whole: { finish_reason: "stop", message: { content: "five" } },
    content: "five",
  },
  {
    dialect: "forced-tools-ignored",
    without: ["tool_calls"],
    reply: one,
    request: forced,
    whole: { finish_reason: "stop", message: { role, refusal: null, content: '{"a":2,"b":3}' } },
    content: '{"a":2,"b":3}',
  },
  {
    dialect: "forced-tools-ignored",
    without: ["tool_calls"],
    reply: { ...one, text: "Hello!" },
    request: forced,
    whole: { finish_reason: "stop", message: { role, refusal: null, content: "Hello!" } },
    content: "Hello!",
  },
  {
    dialect: "forced-tools-ignored",
    reply: one,
    whole: { message: { tool_calls: [withCall("call_1")] } },
  },
  {
    dialect: "content-null",
    reply: one,
    whole: { message: { content: null, tool_calls: [withCall("call_1")] } },
    deltas: [{ role, content: null }],
  },
  {
    dialect: "content-missing",
    without: ["content"],
    reply: one,
    whole: { message: { role, refusal: null, tool_calls: [withCall("call_1")] } },
    deltas: [{ role }],
  },
  {
    dialect: "content-parts",
    without: ["reasoning_content"],
    reply: thought,
    whole: {
      message: {
        role,
        refusal: null,
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "2 + 3" }] },
          { type: "text", text: "five" },
        ],
      },
    },
    deltas: [
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "2" }] }] },
      { content: [{ type: "text", text: "f" }] },
    ],
  },
  {
    dialect: "content-parts",
    reply: one,
    whole: { message: { content: null } },
    deltas: [{ role, content: "" }],
  },
  {
    dialect: "empty-tool-calls",
    reply: "five",
    whole: { message: { content: "five", tool_calls: [] } },
    deltas: [{ content: "f", tool_calls: [] }],
  },
  {
    dialect: "empty-tool-calls",
    reply: one,
    whole: { message: { tool_calls: [withCall("call_1")] } },
  },
];

it.each(rows)("$dialect writes $reply", async (row) => {
  const { dialect, reply, request, whole, without = [], deltas = [], content } = row;
  const server = await serve({ replies: [reply, reply], dialect });
  const { bodies } = await post(server, { ...request });
  expect(bodies[0]?.choices[0]).toMatchObject(whole);
  const { bodies: events } = await post(server, { ...request, stream: true });
  const parts = events.flatMap(({ choices }) => choices.map(({ delta }) => delta ?? {}));
  for (const field of without) {
    expect(bodies[0]?.choices[0]?.message).not.toHaveProperty(field);
    for (const part of parts) expect(part).not.toHaveProperty(field);
  }
  for (const delta of deltas) expect(parts).toContainEqual(delta);
  const texts = parts.map((part) => part["content"]).filter((text) => typeof text === "string");
  expect(texts.join("")).toBe(content ?? texts.join(""));
  server.assertExhausted();
});
