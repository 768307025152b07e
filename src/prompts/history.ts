import {
  type BaseMessage,
  getBufferString,
  HumanMessage,
  SystemMessage,
} from "@langchain/core/messages";

const maxChars = 24_000;

/** Asks for a summary of a conversation whose beginning no model reads any more. */
export function historyPrompt(left: readonly BaseMessage[], before: string): BaseMessage[] {
  const text = getBufferString([...left]);
  const told = text.length > maxChars ? `…${text.slice(-maxChars)}` : text;
  const earlier = before === "" ? "" : `The summary of what came before:\n${before}\n\n`;
  return [
    new SystemMessage(
      "You summarise the beginning of a conversation for somebody who goes on with it and cannot read it. Keep what " +
        "the user wants and has decided, and every figure, name, id and date; say what was done and what is open. Add " +
        "nothing, answer nothing. At most 200 words.",
    ),
    new HumanMessage(`${earlier}The conversation:\n${told}\n\nWrite the summary.`),
  ];
}

/** What a model reads in place of the beginning of a conversation. */
export function historySummary(text: string): SystemMessage {
  return new SystemMessage(`The conversation before, in short:\n${text}`);
}
