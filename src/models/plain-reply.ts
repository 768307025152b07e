import { type AIMessage, type ContentBlock, type InvalidToolCall } from "@langchain/core/messages";

import { messageLike } from "./message-like.js";

/** What a plain message has a place of its own for. */
const plainTypes: ReadonlySet<string> = new Set([
  "text",
  "reasoning",
  "tool_call",
  "invalid_tool_call",
]);

/**
 * A reply that came as content blocks, in the form of every other reply. LangGraph's v3 streams make
 * models answer so, and what is no readable call is then told in the blocks only. Blocks that need to
 * go back to the provider as they are (pictures, signed reasoning) stay.
 */
export function plainReply(reply: AIMessage): AIMessage {
  const { content, response_metadata: metadata } = reply;
  if (typeof content === "string" || metadata["output_version"] !== "v1") return reply;
  const broken = [...(reply.invalid_tool_calls ?? []), ...content.flatMap(brokenCall)];
  if (!content.every(isPlain)) {
    reply.invalid_tool_calls = broken;
    return reply;
  }
  const { output_version: _version, ...rest } = metadata;
  const reasoning = content.map((block) => fieldOf(block, "reasoning") ?? "").join("");
  return messageLike(reply, {
    content: reply.text,
    additional_kwargs: {
      ...reply.additional_kwargs,
      ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    },
    response_metadata: rest,
    invalid_tool_calls: broken,
  });
}

function isPlain(block: ContentBlock): boolean {
  return plainTypes.has(block.type) && fieldOf(block, "signature") === undefined;
}

function brokenCall(block: ContentBlock): InvalidToolCall[] {
  if (block.type !== "invalid_tool_call") return [];
  const [id, name, args] = ["id", "name", "args"].map((field) => fieldOf(block, field));
  return [
    {
      type: "invalid_tool_call",
      ...(id === undefined ? {} : { id }),
      ...(name === undefined ? {} : { name }),
      ...(args === undefined ? {} : { args }),
      error: "Malformed args.",
    },
  ];
}

function fieldOf(block: ContentBlock, field: string): string | undefined {
  const value: unknown = Reflect.get(block, field);
  return typeof value === "string" ? value : undefined;
}
