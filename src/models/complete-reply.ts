import {
  type AIMessage,
  AIMessageChunk,
  type BaseMessage,
  isAIMessage,
} from "@langchain/core/messages";

import { ClassifiedError } from "../run/errors.js";
import { endedInError } from "./finish-reason.js";

/**
 * A model's reply as an AI message. Throws for a stream that ended before its end: LangChain hands
 * out what had come by then, as if it were all.
 */
export function completeReply(reply: BaseMessage): AIMessage {
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

/** A stream of content blocks (LangGraph's v3) that tells nothing of itself never came to its end. */
function isWithoutEnd({ response_metadata: metadata }: AIMessage): boolean {
  const keys = Object.keys(metadata);
  return metadata["output_version"] === "v1" && keys.length === 1;
}

/** OpenAI's protocol ends every reply with a finish reason; of other providers only nothing at all is a sign. */
function isBrokenOff({
  response_metadata: metadata,
  content,
  tool_call_chunks: chunks,
}: AIMessageChunk) {
  if (metadata["finish_reason"] !== undefined) return false;
  const isEmpty = content.length === 0 && (chunks ?? []).length === 0;
  return isEmpty || metadata["model_provider"] === "openai";
}
