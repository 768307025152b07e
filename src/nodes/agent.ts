import type { StructuredToolInterface } from "@langchain/core/tools";
import type { GraphNode } from "@langchain/langgraph";

import { callModel } from "../models/call-model.js";
import { withUniqueIds } from "../models/unique-ids.js";
import { agentPrompt } from "../prompts/agent.js";
import { dateLine } from "../prompts/date-line.js";
import { enterRun } from "../runtime/enter-run.js";
import { modelRequest } from "../runtime/model-request.js";
import type { ConversationState } from "../state/conversation.js";
import type { Writes } from "../state/writes.js";
import { replyOutcome } from "../runtime/reply-outcome.js";

/** What the agent thinks with. */
export type AgentOptions = {
  readonly tools: readonly StructuredToolInterface[];
  readonly instructions: string;
};

/** Thinks: asks the executor model for its next tool calls, or for the answer. */
export function createAgent({
  tools,
  instructions,
}: AgentOptions): GraphNode<typeof ConversationState> {
  return async function agent(
    state,
    config,
  ): Promise<Writes<typeof ConversationState, "messages" | "usage" | "run" | "outcome">> {
    const run = enterRun(state, config, "agent");
    const date = dateLine(run.clock.now(), run.settings.timeZone);
    const messages = agentPrompt(state.messages, instructions, date);
    const reply = await callModel({
      ...(await modelRequest(run, config, "executor")),
      messages,
      tools,
      toUser: true,
    });
    const outcome = replyOutcome(reply);
    return {
      messages: reply.kind === "replied" ? [withUniqueIds(reply.message, state.messages)] : [],
      ...(outcome === undefined ? {} : { outcome }),
      usage: reply.usage,
      run: run.record(),
    };
  };
}
