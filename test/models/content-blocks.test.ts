import { AIMessage, type ContentBlock } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { normalizeReply } from "../../src/models/normalize-reply.js";

const blocks = (...content: ContentBlock[]) =>
  new AIMessage({
    id: "m",
    content,
    response_metadata: { output_version: "v1", finish_reason: "stop" },
  });

const broken = { type: "invalid_tool_call", id: "1", name: "t", args: "{", error: "no" } as const;

describe("normalizeReply", () => {
  it("leaves a plain reply, and another's blocks, as they are", () => {
    const plain = new AIMessage("hello");
    const other = new AIMessage({ content: [{ type: "text", text: "hello" }] });
    expect(normalizeReply(plain)).toBe(plain);
    expect(normalizeReply(other)).toBe(other);
  });

  it("makes texts one text and keeps id and end", () => {
    const reply = normalizeReply(
      blocks({ type: "text", text: "hel" }, { type: "text", text: "lo" }),
    );
    expect(reply).toMatchObject({
      id: "m",
      content: "hello",
      response_metadata: { finish_reason: "stop" },
    });
    expect(reply.response_metadata).not.toHaveProperty("output_version");
  });

  it("keeps calls and reasoning where plain replies have them", () => {
    const reply = normalizeReply(
      blocks(
        { type: "reasoning", reasoning: "hm" },
        { type: "tool_call", id: "1", name: "t", args: { a: 1 } },
      ),
    );
    expect(reply).toMatchObject({
      content: "",
      tool_calls: [{ id: "1", name: "t", args: { a: 1 } }],
      additional_kwargs: { reasoning_content: "hm" },
    });
  });

  it.each([
    { name: "alone", content: [broken], plain: true },
    { name: "behind a text", content: [{ type: "text", text: "I will." }, broken], plain: true },
    {
      name: "behind what must stay a block",
      content: [{ type: "reasoning", reasoning: "hm", signature: "s" }, broken],
      plain: false,
    },
  ])("tells of a call that could not be read $name", ({ content, plain }) => {
    const reply = normalizeReply(blocks(...content));
    expect(reply.invalid_tool_calls).toMatchObject([{ id: "1", name: "t", args: "{" }]);
    expect(typeof reply.content === "string").toBe(plain);
  });
});
