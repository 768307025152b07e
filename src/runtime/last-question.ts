import { type BaseMessage, isHumanMessage } from "@langchain/core/messages";

/** What the user asked last; empty where nothing was asked. */
export function lastQuestion(messages: readonly BaseMessage[]): string {
  return messages.findLast(isHumanMessage)?.text ?? "";
}

/** The task that is a whole question; a question without words, an image say, has some too. */
export function wholeTask(question: string): string {
  return question.trim() === "" ? "Answer the user's message." : question;
}
