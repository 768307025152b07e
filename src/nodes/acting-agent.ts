import { isAIMessage } from "@langchain/core/messages";
import type { GraphNode } from "@langchain/langgraph";

import { withoutChat } from "../run/answer-chat.js";
import { parentRunOf, withParentRun } from "../run/scope.js";
import type { AgentGraph } from "../runtime/graph-tool.js";
import type { AssistantState } from "../state/assist.js";
import { type RouteWrites, runRoute } from "./route.js";

/**
 * Acts: runs the agent's graph on the conversation. Nobody hears what it says until that has been checked: its answer is
 * none of the messages yet.
 */
export function createActingAgent(graph: AgentGraph): GraphNode<typeof AssistantState> {
  return async function agent(state, config): Promise<RouteWrites> {
    const parent = parentRunOf(config);
    const held =
      parent === undefined ? config : withParentRun(config, { ...parent, holdsChat: true });
    const writes = await runRoute("agent", graph, state, withoutChat(held));
    return { ...writes, messages: withoutAnswer(writes) };
  };
}

/** The messages without the answer, which joins them once it is checked. */
function withoutAnswer({ messages, answer, outcome }: RouteWrites): RouteWrites["messages"] {
  const last = messages.at(-1);
  const isHeld = outcome?.status === "needs_input" || outcome?.status === "handed_off";
  if (isHeld || last === undefined || !isAIMessage(last)) return messages;
  return last.text === answer ? messages.slice(0, -1) : messages;
}
