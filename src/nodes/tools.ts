import type { Command, GraphNode } from "@langchain/langgraph";

import { readResultName } from "../prompts/read-on-hint.js";
import { runToolBatch } from "../runtime/call-batch.js";
import { enterRun } from "../runtime/enter-run.js";
import { knownTexts, openTurn } from "../runtime/messages.js";
import type { TurnContext } from "../runtime/run-calls.js";
import { closeBatch, type TurnWrites } from "../runtime/turn-writes.js";
import type { ConversationState } from "../state/conversation.js";
import { withReadResult } from "../tools/builtin/read-kept-result.js";
import type { Toolbox } from "../tools/toolbox.js";

type ToolsOptions = { readonly toolbox: Toolbox };

/**
 * Acts: makes the calls of the last model turn, in parallel where their order allows it; isolated calls (writes, calls
 * that pause) get a superstep each. The results join the conversation together, in call order, at the end of the turn.
 */
export function createTools({ toolbox }: ToolsOptions): GraphNode<typeof ConversationState> {
  return async function tools(state, config): Promise<TurnWrites | Command> {
    const run = enterRun(state, config, "tools");
    const allowed = run.allowed(toolbox);
    const { messages, observations } = state;
    const turn = openTurn(messages, observations);
    const isRead = turn.pending.some(({ name }) => name === readResultName);
    const context: TurnContext = {
      toolbox: isRead ? withReadResult(allowed, observations) : allowed,
      run,
      config,
      observations,
      texts: () => knownTexts(messages, run),
      wrappers: run.settings.wrapToolCall,
      state,
    };
    return closeBatch(await runToolBatch(turn, state, context), turn, state, context);
  };
}
