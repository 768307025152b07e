import { AIMessage, isAIMessage } from "@langchain/core/messages";

import type { Conversation, ConversationState } from "../state/conversation.js";
import type { Outcome } from "../state/outcome.js";
import { addUsage, type Usage } from "../state/usage.js";
import type { Writes } from "../state/writes.js";
import type { Run } from "./enter-run.js";

/** What a run ends with. */
export type Ending = {
  readonly answer: string;
  readonly outcome: Outcome;
  /** What putting it into words used. */
  readonly usage: Usage;
  readonly structuredResponse?: Conversation["structuredResponse"];
};

/** What the last node of a run writes. */
export type EndWrites = Writes<
  typeof ConversationState,
  "messages" | "answer" | "outcome" | "usage" | "run" | "structuredResponse"
>;

/** Closes a run: stops its clock, tells of its end, and makes the answer the conversation's last message. */
export function closeRun(state: Conversation, ending: Ending, run: Run): EndWrites {
  const { answer, outcome, usage, structuredResponse } = ending;
  const record = run.record();
  run.ledger.close();
  const { status, limit, reason } = outcome;
  run.emit({
    type: "run_finished",
    outcome: { status, ...(limit === undefined ? {} : { limit }) },
    ...(status === "failed" && reason !== undefined ? { error: reason } : {}),
    usage: addUsage(state.usage, usage),
    ms: record.activeMs,
    content: { answer },
  });
  return {
    messages: finalMessages(state, ending, record.id),
    answer,
    outcome,
    usage,
    structuredResponse,
    run: record,
  };
}

/** The answer as the conversation's last message, unless it is that already. */
function finalMessages(
  { messages }: Conversation,
  { answer, outcome }: Ending,
  runId: string,
): AIMessage[] {
  const last = messages.at(-1);
  const isLast = last !== undefined && isAIMessage(last) && (last.tool_calls ?? []).length === 0;
  if (isLast && last.text === answer) return [];
  const id = outcome.status === "needs_input" ? `waiting:${runId}` : `answer:${runId}`;
  return [new AIMessage({ id, content: answer })];
}
