import { HumanMessage } from "@langchain/core/messages";
import type { GraphNode } from "@langchain/langgraph";

import type { Card } from "../cards/card.js";
import { tellConversation, type ToldMessage } from "../cards/tell-messages.js";
import { defined } from "../json/json.js";
import { enterRun } from "../runtime/enter-run.js";
import type { AssistantState } from "../state/assist.js";
import type { Writes } from "../state/conversation.js";
import type { ClickedCard } from "../state/memory.js";

/** Tells cards: puts sentences in the place of cards and clicks, and keeps what a valid click chose. */
export function createCardTeller(cards: readonly Card[]): GraphNode<typeof AssistantState> {
  return async function cardTeller(
    state,
    config,
  ): Promise<Writes<typeof AssistantState, "messages" | "clicked" | "run">> {
    const run = enterRun(state, config, "cardTeller");
    const told = tellConversation(state.messages, cards);
    const clicks = told.map(clickedIn);
    run.memory.hear({ clicked: clicks.findLast((click) => click !== undefined) });
    const last = told.findLastIndex(({ message }) => HumanMessage.isInstance(message));
    const clicked = clicks[last];
    const messages = told.flatMap(({ message }, at) => {
      if (message === state.messages[at]) return [];
      return at === last && clicked !== undefined ? [withClick(message, clicked)] : [message];
    });
    return { messages, clicked, run: run.record() };
  };
}

function clickedIn({ click }: ToldMessage): ClickedCard | undefined {
  return click?.ok === true ? { ...click.card, value: click.value } : undefined;
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
