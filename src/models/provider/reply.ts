import { type AIMessage, AIMessageChunk } from "@langchain/core/messages";

import { acted, rewritten, unheeded } from "./action-reply.js";
import type { Expected, NormalizedReply, ProviderRequest } from "./tool-protocol.js";

/** Reads the reply to a request. Never throws. */
export function readReply(
  reply: AIMessage,
  sent: ProviderRequest,
  expected: Expected,
): NormalizedReply {
  if (expected.output !== undefined) {
    return outputReply(reply, sent, expected.output, expected.isCorrection);
  }
  const hasCalls = (reply.tool_calls ?? []).length + (reply.invalid_tool_calls ?? []).length > 0;
  if (hasCalls) return { message: reply };
  if (expected.isFinalAnswer === true) return finalAnswer(reply, sent);
  if (expected.tools.length === 0) return { message: reply };
  return sent.protocol.read(reply, sent, expected);
}

/** The final answer, in any form; a call in it is reported as one and is not the answer. */
function finalAnswer(reply: AIMessage, sent: ProviderRequest): NormalizedReply {
  const action = sent.protocol.action(reply, [], sent);
  const isRead = action?.kind === "answer" || (action?.kind === "calls" && action.isAlone);
  return isRead ? acted(reply, action) : { message: reply };
}

/** The requested object as text, from the text or from the arguments of the output tool. */
function outputReply(
  reply: AIMessage,
  sent: ProviderRequest,
  output: string,
  isCorrection = false,
): NormalizedReply {
  const call = (reply.tool_calls ?? []).find(({ name }) => name === output);
  const broken = (reply.invalid_tool_calls ?? []).find(({ name }) => name === output);
  if (call !== undefined) {
    return { message: rewritten(reply, writtenArguments(reply, output, call.args), "", []) };
  }
  if (broken !== undefined) return { message: rewritten(reply, broken.args ?? "", "", []) };
  const learned = unheeded(reply, sent, isCorrection);
  return {
    message: rewritten(reply, reply.text, "", []),
    ...(learned === undefined ? {} : { learned }),
  };
}

/** The original arguments: LangChain completes streamed ones that stop early by guessing. */
function writtenArguments(reply: AIMessage, output: string, args: object): string {
  const chunks = AIMessageChunk.isInstance(reply) ? (reply.tool_call_chunks ?? []) : [];
  const written = chunks.find(({ name }) => name === output)?.args ?? "";
  return written.trim() === "" ? JSON.stringify(args) : written;
}
