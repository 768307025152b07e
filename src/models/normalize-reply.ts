import {
  type AIMessage,
  AIMessageChunk,
  type BaseMessage,
  type ContentBlock,
  type InvalidToolCall,
  isAIMessage,
} from "@langchain/core/messages";

import { parseExact } from "../json/exact-json.js";
import { canonicalJson, isRecord, namedValues } from "../json/json.js";
import { ClassifiedError } from "../run/errors.js";
import { messageLike } from "./message.js";
import { splitThoughts } from "./protocol/text.js";
import { endedInError } from "./reply.js";

/** The content blocks that a plain message has own fields for. */
const plainTypes: ReadonlySet<string> = new Set([
  "text",
  "reasoning",
  "tool_call",
  "invalid_tool_call",
]);

/** A reply in the program's one form: text as a string, reasoning beside it, tool calls with exact arguments. */
export function normalizeReply(reply: AIMessage): AIMessage {
  return withExactArguments(withObjectArguments(withThoughtsAside(withoutBlocks(reply))));
}

/**
 * A reply of content blocks (LangGraph's v3 streams) in the usual form; only the blocks hold broken calls. Blocks that
 * return to the provider unchanged (pictures, signed reasoning) stay.
 */
function withoutBlocks(reply: AIMessage): AIMessage {
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

/** Rereads arguments whose numbers the client's parser changed from the original text, so that they keep their digits. */
function withExactArguments(reply: AIMessage): AIMessage {
  const texts = argumentTexts(reply).flatMap((text) => exactlyRead(text));
  if (texts.length === 0) return reply;
  reply.tool_calls = (reply.tool_calls ?? []).map((call) => {
    const found = texts.find(({ rounded }) => rounded === canonicalJson(call.args));
    return found === undefined ? call : { ...call, args: found.args };
  });
  return reply;
}

/** The original texts of the arguments, also of a streamed reply. */
function argumentTexts(reply: AIMessage): string[] {
  const raw: unknown = reply.additional_kwargs["tool_calls"];
  const sent = Array.isArray(raw) ? raw.map((call: unknown) => argumentText(call)) : [];
  const chunks = AIMessageChunk.isInstance(reply) ? (reply.tool_call_chunks ?? []) : [];
  return [...sent, ...chunks.map(({ args }) => args)].filter((text) => typeof text === "string");
}

function argumentText(call: unknown): unknown {
  const called: unknown = isRecord(call) ? call["function"] : undefined;
  return isRecord(called) ? called["arguments"] : undefined;
}

/** Exact arguments and their rounded form; empty if no number was changed. */
function exactlyRead(text: string) {
  try {
    const args = parseExact(text);
    const rounded = canonicalJson(JSON.parse(text));
    return isRecord(args) && canonicalJson(args) !== rounded ? [{ args, rounded }] : [];
  } catch {
    return [];
  }
}

/** Moves reasoning out of the text into its own field. */
function withThoughtsAside(reply: AIMessage): AIMessage {
  if (typeof reply.content !== "string") return reply;
  const { thoughts, rest } = splitThoughts(reply.content);
  if (rest === reply.content) return reply;
  reply.content = rest;
  const { reasoning_content: earlier } = reply.additional_kwargs;
  const all = [earlier, thoughts].filter((each) => typeof each === "string" && each !== "");
  reply.additional_kwargs = { ...reply.additional_kwargs, reasoning_content: all.join("\n") };
  return reply;
}

type NamedCall = { readonly id?: string | undefined; readonly name?: string | undefined };
type ObjectCall = { readonly id: string; readonly name: string; readonly args: object };

/** Accepts arguments sent as objects, which the client takes for broken text. */
function withObjectArguments(reply: AIMessage): AIMessage {
  const raw: unknown = reply.additional_kwargs["tool_calls"];
  const calls = Array.isArray(raw) ? raw.flatMap((call: unknown) => objectCall(call)) : [];
  if (calls.length === 0) return reply;
  const { tool_calls: _raw, ...kwargs } = reply.additional_kwargs;
  // By name too: servers give the same id, or none, to every call.
  const isMended = ({ id = "", name }: NamedCall) =>
    calls.some((call) => call.id === id && call.name === name);
  return messageLike(reply, {
    additional_kwargs: kwargs,
    tool_calls: [
      ...(reply.tool_calls ?? []).filter((call) => !isMended(call)),
      ...calls.map((call) => ({ ...call, args: { ...call.args } })),
    ],
    invalid_tool_calls: (reply.invalid_tool_calls ?? []).filter((call) => !isMended(call)),
  });
}

function objectCall(raw: unknown): ObjectCall[] {
  if (!isRecord(raw) || !isRecord(raw["function"])) return [];
  const { name, arguments: given } = raw["function"];
  const { id = "" } = raw;
  const args = isRecord(given) ? given : namedValues(given);
  if (typeof name !== "string" || typeof id !== "string" || args === undefined) return [];
  return [{ id, name, args }];
}

/** A reply as an AI message. Throws for a broken-off stream: LangChain returns its beginning as if it were complete. */
export function requireComplete(reply: BaseMessage): AIMessage {
  if (!isAIMessage(reply)) throw new TypeError("the model returned no AI message");
  if (isWithoutEnd(reply) && reply.content.length === 0) {
    throw new TypeError("the model's stream held no reply");
  }
  if (isWithoutEnd(reply) || (AIMessageChunk.isInstance(reply) && isBrokenOff(reply))) {
    throw new ClassifiedError(
      "unavailable",
      "the server's stream broke off before the reply was complete",
    );
  }
  if (endedInError(reply)) {
    throw new ClassifiedError("unavailable", "the server broke the reply off because of an error");
  }
  return reply;
}

/** A stream of content blocks (LangGraph's v3) without metadata never reached its end. */
function isWithoutEnd({ response_metadata: metadata }: AIMessage): boolean {
  const keys = Object.keys(metadata);
  return metadata["output_version"] === "v1" && keys.length === 1;
}

/** OpenAI's protocol ends every reply with a finish reason; for other providers only an empty reply is a sign. */
function isBrokenOff({
  response_metadata: metadata,
  content,
  tool_call_chunks: chunks,
}: AIMessageChunk) {
  if (metadata["finish_reason"] !== undefined) return false;
  const isEmpty = content.length === 0 && (chunks ?? []).length === 0;
  return isEmpty || metadata["model_provider"] === "openai";
}
