import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";

import { defined } from "../json/json.js";
import type { Card } from "./card.js";
import { cardsIn } from "./card-message.js";
import { CardConversation, type CardReply, type Side } from "./conversation.js";

/**
 * The conversation as text for a model: each card in it is told, on either side. Messages without cards are returned as
 * they are, the others are new ones with the same ids. Messages of tools and of the system are not read.
 */
export function tellMessages(
  messages: readonly BaseMessage[],
  cards: readonly Card[],
): BaseMessage[] {
  return tellConversation(messages, cards).map(({ message }) => message);
}

/**
 * The click in the last human message: as `additional_kwargs.cardReply = { id, value }`, or as JSON text with `type` and
 * `id`; `undefined` without one. It counts for a card that these messages show, once, and with a value that fits its
 * definition. `told` is the content for the model: the click in words, with what the user typed beside it. The messages
 * must be those that the server keeps: who may write them, may show cards.
 */
export function readCardReply(
  messages: readonly BaseMessage[],
  cards: readonly Card[],
): CardReply | undefined {
  const told = tellConversation(messages, cards);
  return told.findLast(({ message }) => HumanMessage.isInstance(message))?.click;
}

/** A message without card data, and the click in it. */
export type ToldMessage = { readonly message: BaseMessage; readonly click?: CardReply | undefined };

/** The messages as text for a model, and the click of each. */
export function tellConversation(
  messages: readonly BaseMessage[],
  cards: readonly Card[],
): readonly ToldMessage[] {
  const conversation = new CardConversation(cards);
  return messages.map((message) => tellMessage(message, conversation));
}

function tellMessage(message: BaseMessage, conversation: CardConversation): ToldMessage {
  if (AIMessage.isInstance(message)) {
    for (const shown of cardsIn(message.additional_kwargs)) conversation.show(shown);
    const { content } = toldContent(message.content, "assistant", conversation);
    return { message: content === message.content ? message : aiMessage(message, content) };
  }
  return HumanMessage.isInstance(message) ? toldHuman(message, conversation) : { message };
}

function toldHuman(message: HumanMessage, conversation: CardConversation): ToldMessage {
  const { cardReply } = message.additional_kwargs;
  const clicked = cardReply === undefined ? undefined : conversation.click(cardReply, message.text);
  const read = toldContent(message.content, "user", conversation);
  const { text } = read;
  const isTold = clicked === undefined || text.includes(clicked.told);
  // Where a click is refused, what was typed beside it, or made of it earlier, says more.
  const isAdded = !isTold && (clicked.ok || text.trim() === "");
  const content = isAdded ? withFirst(clicked.told, read.content) : read.content;
  const click = clicked ?? read.click;
  return {
    message: content === message.content ? message : humanMessage(message, content),
    click: click && { ...click, told: isTold ? text : joined(click.told, text) },
  };
}

type Content = BaseMessage["content"];

/** A content with its cards told: the same one if it has none. */
function toldContent(content: Content, side: Side, conversation: CardConversation) {
  if (typeof content === "string") {
    const { text, click } = conversation.text(side, content);
    return { content: text, text, click };
  }
  const blocks = content.map((block) => {
    const text = block.type === "text" && typeof block.text === "string" ? block.text : undefined;
    const told =
      text === undefined ? conversation.value(side, block) : conversation.text(side, text);
    const isSame = told === undefined || told.text === text;
    return { told, block: isSame ? block : { type: "text" as const, text: told.text }, isSame };
  });
  return {
    content: blocks.every(({ isSame }) => isSame) ? content : blocks.map(({ block }) => block),
    text: blocks.flatMap(({ told }) => (told === undefined ? [] : [told.text])).join("\n"),
    click: blocks.find(({ told }) => told?.click !== undefined)?.told?.click,
  };
}

function withFirst(sentence: string, content: Content): Content {
  return typeof content === "string"
    ? joined(sentence, content)
    : [{ type: "text" as const, text: sentence }, ...content];
}

function joined(sentence: string, text: string): string {
  return text.trim() === "" ? sentence : `${sentence}\n${text}`;
}

function humanMessage(message: HumanMessage, content: Content): HumanMessage {
  return new HumanMessage({ ...fieldsOf(message), content });
}

function aiMessage(message: AIMessage, content: Content): AIMessage {
  const { tool_calls = [], invalid_tool_calls = [], usage_metadata } = message;
  return new AIMessage({
    ...fieldsOf(message),
    content,
    tool_calls,
    invalid_tool_calls,
    ...defined({ usage_metadata }),
  });
}

function fieldsOf({ id, name, additional_kwargs, response_metadata }: BaseMessage) {
  return { additional_kwargs, response_metadata, ...defined({ id, name }) };
}
