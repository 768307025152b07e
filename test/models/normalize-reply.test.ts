import { AIMessage, type AIMessageFields } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { invokeModel } from "../../src/models/call/invoke.js";
import { normalizeReply } from "../../src/models/normalize-reply.js";
import { modelCall } from "../support/model-call.js";
import { specModel, ways } from "../support/model-request.js";
import { requestOf } from "../support/provider-requests.js";
import { serve } from "../testing/client.js";

const message = (fields: AIMessageFields) => new AIMessage({ content: "", ...fields });

describe("normalizeReply", () => {
  it.each([
    { name: "a text", reply: message({ content: " It is 4.\n" }) },
    { name: "a call", reply: message({ tool_calls: [{ id: "1", name: "a", args: {} }] }) },
    {
      name: "content in parts",
      reply: message({ content: [{ type: "text", text: "<think>a</think>b" }] }),
    },
    { name: "a text about thinking tags", reply: message({ content: "It writes <think> first." }) },
  ])("gives $name back as it was", ({ reply }) => {
    const before = JSON.stringify(reply);
    expect(normalizeReply(reply)).toBe(reply);
    expect(JSON.stringify(reply)).toBe(before);
  });

  it("puts thinking beside the text, behind what stands there", () => {
    const content = "<think>\nHm.\n</think>\n\nIt is 4.";
    const reply = message({
      content,
      additional_kwargs: { reasoning_content: "First.", other: 1 },
    });
    expect(normalizeReply(reply)).toMatchObject({
      content: "It is 4.",
      additional_kwargs: { reasoning_content: "First.\nHm.", other: 1 },
    });
  });
});

describe("calls whose arguments come as objects", () => {
  const calls = [
    { name: "search", args: { query: "x" } },
    { name: "remove", args: { path: "/data" } },
  ];

  it.each(
    ways.flatMap((way) => ["own ids", "one id for all", "no ids"].map((ids) => ({ ...way, ids }))),
  )("$way takes beside one whose arguments are text, with $ids", async ({ way, config, ids }) => {
    const idOf = { "own ids": undefined, "one id for all": "call_0", "no ids": "" }[ids];
    const server = await serve({
      replies: [{ toolCalls: calls }],
      dialect: {
        description: "A server that writes the arguments of its first call as an object.",
        reshape: (reply) => ({
          ...reply,
          calls: reply.calls.map((call, at) => ({
            ...call,
            id: idOf ?? call.id,
            sent: at === 0 ? (call.args ?? call.text) : call.text,
          })),
        }),
      },
    });
    const { call } = modelCall(await specModel(server), { config: config() });
    const reply = await invokeModel(call, requestOf());
    const read = [...(reply.tool_calls ?? []), ...(reply.invalid_tool_calls ?? [])];
    expect(new Set(read.map(({ name }) => name))).toEqual(new Set(["remove", "search"]));
    expect(read).toHaveLength(2);
    // Of a stream of blocks LangChain's client hands on nothing of an object: that call is malformed.
    const taken = way === "stream of blocks" ? reply.invalid_tool_calls : reply.tool_calls;
    expect(taken).toContainEqual(
      expect.objectContaining(way === "stream of blocks" ? { name: "search" } : calls[0]),
    );
  });
});
