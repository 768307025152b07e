import { type BaseMessage, SystemMessage } from "@langchain/core/messages";

/** What the agent is told when the caller says nothing else. */
export const defaultAgentInstructions =
  "You answer the user's question with the help of tools. You do not know figures, names or dates " +
  "yourself: before you answer, call a tool for every fact that you need, one thing at a time. Use " +
  "what the tools returned, and do not repeat a call that you already made. When the results contain " +
  "what you need, answer in plain text. Say so when something could not be found out.";

/** The conversation as the agent's model reads it: one system message with instructions and date, then the rest. */
export function agentPrompt(
  messages: readonly BaseMessage[],
  instructions: string,
  date: string,
): BaseMessage[] {
  const given = messages.filter(({ type }) => type === "system").map(({ text }) => text);
  const rest = given.length === 0 ? messages : messages.filter(({ type }) => type !== "system");
  return [new SystemMessage([instructions, ...given, date].join("\n\n")), ...rest];
}
