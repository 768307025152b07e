import { type BaseMessage, isHumanMessage } from "@langchain/core/messages";

/** What the user asked last; empty where nothing was asked. */
export function lastQuestion(messages: readonly BaseMessage[]): string {
  return messages.findLast(isHumanMessage)?.text ?? "";
}
