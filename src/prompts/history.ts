import {
  type BaseMessage,
  getBufferString,
  HumanMessage,
  SystemMessage,
} from "@langchain/core/messages";

const maxChars = 24_000;

// A small model loses names and numbers in a "summary", and keeps them in notes.
const notes =
  "Write down in short sentences what the user has said and wants, and what was answered or done. Copy every name, " +
  "number, id and date exactly. Leave nothing out, add nothing. At most 200 words.";

/** Asks for a summary of a conversation whose beginning no model reads any more. */
export function historyPrompt(left: readonly BaseMessage[], before: string): BaseMessage[] {
  const text = getBufferString([...left]);
  const told = text.length > maxChars ? `…${text.slice(-maxChars)}` : text;
  const earlier = before === "" ? "" : `The summary of what came before:\n${before}\n\n`;
  return [
    new SystemMessage(
      "You take notes of the beginning of a conversation, for somebody who goes on with it and cannot read it.",
    ),
    new HumanMessage(`${earlier}The conversation:\n${told}\n\n${notes}`),
  ];
}

/** What a model reads in place of the beginning of a conversation. */
export function historySummary(text: string): SystemMessage {
  return new SystemMessage(`The conversation before, in short:\n${text}`);
}
