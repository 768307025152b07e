import type { CallbackHandlerMethods } from "@langchain/core/callbacks/base";
import { AIMessageChunk } from "@langchain/core/messages";

import { isRecord } from "../json/json.js";

/** What comes of a reply at once. */
export type ReplyPiece = {
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
export function replyPieces(
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
