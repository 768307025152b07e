import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import type { CallbackHandlerMethods } from "@langchain/core/callbacks/base";

import { isRecord, isTooDeep } from "../json/json.js";
import type { ReplyListener } from "./model-request.js";
import { messageLike, plainText } from "./message.js";

/**
 * The longest reply that is taken, in characters of its text, its thoughts and its arguments: more than any model is
 * meant to write at once. One that goes on is stopped, and is a reply that was cut.
 */
export const maxReplyChars = 500_000;

const cut = { finish_reason: "length" };

/** A reply while it comes. */
type HeardReply = {
  readonly callbacks: ReturnType<typeof replyPieces>;
  /** What was heard of a reply that became too long; nothing of any other. */
  readonly giant: () => AIMessage | undefined;
};

/** Hears a reply, for a listener too, until it is too long: then calls `stop`, once, and hears nothing more. */
export function hearReply(listener: ReplyListener | undefined, stop: () => void): HeardReply {
  const heard = { text: "", thought: "", args: "", tool: "", id: "" };
  const chars = () => heard.text.length + heard.thought.length + heard.args.length;
  const hear = ({ text, thought, args, tool, id }: ReplyPiece) => {
    if (chars() > maxReplyChars) return;
    heard.text += text;
    heard.thought += thought;
    heard.args += args;
    heard.tool = tool ?? heard.tool;
    heard.id = id ?? heard.id;
    if (text + args !== "") listener?.hear(text + args);
    if (chars() > maxReplyChars) stop();
  };
  return {
    callbacks: replyPieces(hear),
    giant: () => (chars() > maxReplyChars ? asCut(heard) : undefined),
  };
}

function asCut({ text, thought, args, tool, id }: Required<ReplyPiece>): AIMessage {
  const call = { type: "invalid_tool_call", name: tool, args, error: "Cut off." } as const;
  return new AIMessage({
    content: text,
    ...(id === "" ? {} : { id }),
    additional_kwargs: thought === "" ? {} : { reasoning_content: thought },
    invalid_tool_calls: args === "" ? [] : [call],
    response_metadata: cut,
  });
}

/** A reply that came in one piece; of one that is too long the beginning, as a reply that was cut. */
export function boundedReply(reply: AIMessage): AIMessage {
  const text = plainText(reply);
  const args = (reply.tool_calls ?? []).filter((call) => !isTooDeep(call.args));
  const broken = (reply.invalid_tool_calls ?? []).map((call) => call.args?.length ?? 0);
  const sizes = [...args.map((call) => JSON.stringify(call.args).length), ...broken];
  const chars = sizes.reduce((sum, size) => sum + size, text.length);
  if (chars <= maxReplyChars) return reply;
  return messageLike(reply, {
    ...(text.length > maxReplyChars ? { content: text.slice(0, maxReplyChars) } : {}),
    response_metadata: { ...reply.response_metadata, ...cut },
  });
}

/** What comes of a reply at once. */
type ReplyPiece = {
  readonly text: string;
  readonly thought: string;
  /** Of the arguments of its tool calls. */
  readonly args: string;
  /** The name of the tool, where a call begins. */
  readonly tool?: string;
  /** The id of the message, as far as it is known. */
  readonly id?: string;
};

const nothing: ReplyPiece = { text: "", thought: "", args: "" };

/**
 * Callbacks that hand on a reply's text, its thoughts and the arguments of its tool calls as they come.
 * LangChain tells of tokens or, where LangGraph listens for them, of events.
 */
function replyPieces(
  hear: (piece: ReplyPiece) => void,
): Required<Pick<CallbackHandlerMethods, "handleLLMNewToken" | "handleChatModelStreamEvent">> {
  let known = "";
  return {
    handleLLMNewToken: (token, _index, _runId, _parent, _tags, fields) => {
      hear({ ...piecesOf(fields?.chunk), text: token });
    },
    handleChatModelStreamEvent: (event) => {
      if (event.event === "message-start" && event.id !== undefined)
        hear({ ...nothing, id: event.id });
      const delta: unknown = Reflect.get(event, "delta");
      if (!isRecord(delta)) return;
      const { fields } = delta;
      const [text, thought] = [textIn(delta, "text"), textIn(delta, "reasoning")];
      const all = isRecord(fields) ? textIn(fields, "args") : "";
      const tool = isRecord(fields) ? textIn(fields, "name") : "";
      // Arguments come as all there is of them by now.
      const args = all.startsWith(known) ? all.slice(known.length) : all;
      if (all !== "") known = all;
      hear({ text, thought, args, ...(tool === "" ? {} : { tool }) });
    },
  };
}

/** What a chunk of a message holds beside its text. */
function piecesOf(chunk: object | undefined): ReplyPiece {
  const message: unknown = chunk === undefined ? undefined : Reflect.get(chunk, "message");
  if (!AIMessageChunk.isInstance(message)) return nothing;
  const { id, additional_kwargs: kwargs, tool_call_chunks: calls = [] } = message;
  const tool = calls.find(({ name = "" }) => name !== "")?.name;
  return {
    text: "",
    thought: textIn(kwargs, "reasoning_content"),
    args: calls.map(({ args = "" }) => args).join(""),
    ...(tool === undefined ? {} : { tool }),
    ...(id === undefined ? {} : { id }),
  };
}

function textIn(fields: Record<string, unknown>, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : "";
}
