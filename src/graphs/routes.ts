import { hasOpenCalls, openTurn, unreported } from "../runtime/messages.js";
import type { Conversation } from "../state/conversation.js";
import type { Planning } from "../state/plan.js";

/** Where a run of an agent begins: with the agent, or with calls that wait, for people or for being made. */
export function beforeAgent({ decisions, messages }: Conversation) {
  return decisions !== undefined || hasOpenCalls(messages) ? "tools" : "agent";
}

/** Whether the agent has taken a run over for which there is no plan: it has made calls, or calls of it wait. */
export function isWithAgent(state: Conversation): boolean {
  const { messages, observations } = state;
  const isActing = unreported(messages, observations).length < observations.length;
  return isActing || beforeAgent(state) === "tools";
}

/** Where a run goes after the agent: to the tools that it calls, or to its end. */
export function afterAgent({ outcome, messages, observations }: Conversation) {
  const isOver = outcome !== undefined || openTurn(messages, observations).pending.length === 0;
  return isOver ? "finalizer" : "tools";
}

/** Where a run goes after the tools: on with those that run isolated, back to the agent, or to its end. */
export function afterTools({ outcome, pending }: Conversation) {
  if (outcome !== undefined) return "finalizer";
  return pending === undefined ? "agent" : "tools";
}

/** Whether every step of the plan has its result, and no call is left that runs isolated. */
export function isPlanDone({ steps, observations, pending }: Planning): boolean {
  const done = new Set(observations.map(({ callId }) => callId));
  return pending === undefined && steps.every(({ id }) => done.has(id));
}
