import {
  AIMessage,
  AIMessageChunk,
  type AIMessageChunkFields,
  type StandardMessageStructure,
  type UsageMetadata,
} from "@langchain/core/messages";
import type { InvalidToolCall, ToolCall, ToolCallChunk } from "@langchain/core/messages/tool";

import { type CompleteCall, type CompleteReply, type ScriptedUsage, splitText } from "./reply.js";

function usageMetadata(usage: ScriptedUsage): UsageMetadata {
  const { input, output, cached, reasoning } = usage;
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    ...(cached === undefined ? {} : { input_token_details: { cache_read: cached } }),
    ...(reasoning === undefined ? {} : { output_token_details: { reasoning } }),
  };
}

/** The usage in the form for callback handlers. */
export function tokenUsage(usage: ScriptedUsage | null): Record<string, unknown> {
  if (!usage) return {};
  const { input: promptTokens, output: completionTokens } = usage;
  const totalTokens = promptTokens + completionTokens;
  return { tokenUsage: { promptTokens, completionTokens, totalTokens } };
}

const validCall = ({ id, name, args }: CompleteCall): ToolCall[] =>
  args ? [{ type: "tool_call", id, name, args: { ...args } }] : [];

const invalidCall = ({ id, name, text, args }: CompleteCall): InvalidToolCall[] =>
  args ? [] : [{ type: "invalid_tool_call", id, name, args: text, error: "Malformed args." }];

// Without a structure type the compiler takes `usage_metadata` for `undefined` (exactOptionalPropertyTypes).
type Structure = StandardMessageStructure;

/** The message that a model returns for a reply. */
export function replyMessage(reply: CompleteReply, model: string): AIMessage {
  const { text, reasoning, refusal, calls, usage, finishReason, id } = reply;
  return new AIMessage<Structure>({
    content: text,
    tool_calls: calls.flatMap(validCall),
    invalid_tool_calls: calls.flatMap(invalidCall),
    additional_kwargs: {
      ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
      ...(refusal === "" ? {} : { refusal }),
    },
    response_metadata: { finish_reason: finishReason, model_name: model },
    ...(usage ? { usage_metadata: usageMetadata(usage) } : {}),
    ...(id === undefined ? {} : { id }),
  });
}

function callChunks({ id, name, text }: CompleteCall, index: number): ToolCallChunk[] {
  const pieces = splitText(text).map((args): ToolCallChunk => ({
    type: "tool_call_chunk",
    index,
    args,
  }));
  return [{ type: "tool_call_chunk", index, id, name, args: "" }, ...pieces];
}

const chunk = (fields: AIMessageChunkFields<Structure>): AIMessageChunk =>
  new AIMessageChunk<Structure>({ content: "", ...fields });

/** The chunks that a model streams for a reply: reasoning, text, tool calls, end, usage. */
export function replyChunks(reply: CompleteReply, model: string): AIMessageChunk[] {
  const { pieces, reasoning, refusal, calls, usage, finishReason, id } = reply;
  const end = { finish_reason: finishReason, model_name: model };
  const chunks = [
    ...splitText(reasoning).map((text) =>
      chunk({ additional_kwargs: { reasoning_content: text } }),
    ),
    ...pieces.map((content) => chunk({ content })),
    ...splitText(refusal).map((text) => chunk({ additional_kwargs: { refusal: text } })),
    ...calls.flatMap(callChunks).map((part) => chunk({ tool_call_chunks: [part] })),
    chunk({ response_metadata: end }),
    ...(usage ? [chunk({ usage_metadata: usageMetadata(usage) })] : []),
  ];
  if (id !== undefined) for (const part of chunks) part.id = id;
  return chunks;
}
