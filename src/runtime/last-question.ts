import { type BaseMessage, isHumanMessage } from "@langchain/core/messages";

/** What the user asked last; empty where nothing was asked. */
export function lastQuestion(messages: readonly BaseMessage[]): string {
  return messages.findLast(isHumanMessage)?.text ?? "";
}

/** Whether a conversation may hold the answer already: of a first question there is nothing but the question. */
export function isFollowUp(messages: readonly BaseMessage[]): boolean {
  return messages.filter(({ type }) => type !== "system").length > 1;
}

const clarifying = "question:";

/** The id of the message in which a run asks the user, for the nth time, what the question is about. */
export function clarifyingId(runId: string, nth: number): string {
  return `${clarifying}${runId}:${nth}`;
}

/** What the user asked last, with what the user was asked of it and answered. */
export function clarifiedQuestion(messages: readonly BaseMessage[]): string {
  const at = messages.findLastIndex(isHumanMessage);
  const before = messages[at - 1];
  if (before?.id?.startsWith(clarifying) !== true) return lastQuestion(messages);
  const asked = clarifiedQuestion(messages.slice(0, at - 1));
  return [asked, before.text, lastQuestion(messages)].join("\n");
}

/** The task that is a whole question; a question without words, an image say, has some too. */
export function wholeTask(question: string): string {
  return question.trim() === "" ? "Answer the user's message." : question;
}
