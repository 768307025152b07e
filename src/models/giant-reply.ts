import { AIMessage } from "@langchain/core/messages";

import { isTooDeep } from "../json/json.js";
import { messageLike } from "./message-like.js";
import type { ReplyListener } from "./model-request.js";
import { plainText } from "./plain-text.js";
import { type ReplyPiece, replyPieces } from "./reply-pieces.js";

/**
 * The longest reply that is taken, in characters of its text, its thoughts and its arguments: more than any model is
 * meant to write at once. One that goes on is stopped, and is a reply that was cut.
 */
export const maxReplyChars = 500_000;

const cut = { finish_reason: "length" };

/** A reply while it comes. */
export type HeardReply = {
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
