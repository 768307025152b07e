import type { BaseMessage } from "@langchain/core/messages";

/** A message's text. LangChain's `text` translates the content first, which a plain string does not need. */
export function plainText(message: BaseMessage): string {
  return typeof message.content === "string" ? message.content : message.text;
}
