import type { CallbackHandlerMethods } from "@langchain/core/callbacks/base";
import { AIMessageChunk } from "@langchain/core/messages";

import { isRecord } from "../plan/json.js";
import type { ReplyListener } from "./model-request.js";

/**
 * Callbacks that hand a reply's text, and the arguments of its tool calls, to a listener as they come.
 * LangChain tells of tokens or, where LangGraph listens for them, of events.
 */
export function replyPieces(
  listener: ReplyListener,
): Required<Pick<CallbackHandlerMethods, "handleLLMNewToken" | "handleChatModelStreamEvent">> {
  let known = "";
  return {
    handleLLMNewToken: (token, _index, _runId, _parent, _tags, fields) => {
      listener.hear(token + argumentsIn(fields?.chunk));
    },
    handleChatModelStreamEvent: (event) => {
      const delta: unknown = Reflect.get(event, "delta");
      if (!isRecord(delta)) return;
      const { text, fields } = delta;
      if (typeof text === "string") listener.hear(text);
      const { args } = isRecord(fields) ? fields : {};
      if (typeof args !== "string") return;
      // Arguments come as all there is of them by now.
      listener.hear(args.startsWith(known) ? args.slice(known.length) : args);
      known = args;
    },
  };
}

function argumentsIn(chunk: object | undefined): string {
  const message: unknown = chunk === undefined ? undefined : Reflect.get(chunk, "message");
  if (!AIMessageChunk.isInstance(message)) return "";
  return (message.tool_call_chunks ?? []).map(({ args = "" }) => args).join("");
}
