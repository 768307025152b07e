import { HumanMessage } from "@langchain/core/messages";
import type { GraphNode } from "@langchain/langgraph";

import type { Card } from "../cards/card.js";
import type { CardReply } from "../cards/conversation.js";
import { readCardReply, tellMessages } from "../cards/tell-messages.js";
import { defined } from "../json/json.js";
import { enterRun } from "../runtime/enter-run.js";
import type { AssistantState, ClickedCard } from "../state/assist.js";
import type { Writes } from "../state/conversation.js";

/** Tells cards: puts sentences in the place of cards and clicks, and keeps what a valid click chose. */
export function createCardTeller(cards: readonly Card[]): GraphNode<typeof AssistantState> {
  return async function cardTeller(
    state,
    config,
  ): Promise<Writes<typeof AssistantState, "messages" | "clicked" | "run">> {
    const run = enterRun(state, config, "cardTeller");
    const { messages } = state;
    const reply = readCardReply(messages, cards);
    const clicked = clickedIn(reply);
    const last = messages.findLastIndex((message) => HumanMessage.isInstance(message));
    const told = tellMessages(messages, cards).flatMap((message, at) => {
      if (message === messages[at]) return [];
      return at === last && clicked !== undefined ? [withClick(message, clicked)] : [message];
    });
    return { messages: told, clicked, run: run.record() };
  };
}

function clickedIn(reply: CardReply | undefined): ClickedCard | undefined {
  return reply?.ok === true ? { ...reply.card, value: reply.value } : undefined;
}

/** The message with its click as data, so that the same card takes no second one. */
function withClick(
  {
    id,
    content,
    additional_kwargs: more,
  }: { id?: string | undefined; content: HumanMessage["content"]; additional_kwargs: object },
  { id: card, value }: ClickedCard,
): HumanMessage {
  const kwargs = { ...more, cardReply: { id: card, value } };
  return new HumanMessage({ ...defined({ id }), content, additional_kwargs: kwargs });
}
