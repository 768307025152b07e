import type { GraphNode } from "@langchain/langgraph";

import { enterRun } from "../runtime/enter-run.js";
import { summarized } from "../runtime/history.js";
import type { ConversationState, Writes } from "../state/conversation.js";

/** Summarises what roles no longer read of the conversation, once for each question. */
export function createHistory(): GraphNode<typeof ConversationState> {
  return async function history(
    state,
    config,
  ): Promise<Writes<typeof ConversationState, "summaries" | "usage" | "run">> {
    const run = enterRun(state, config, "history");
    return { ...(await summarized(state, run)), run: run.record() };
  };
}
