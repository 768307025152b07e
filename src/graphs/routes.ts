import { hasOpenCalls, openTurn, unreported } from "../runtime/messages.js";
import type { Conversation } from "../state/conversation.js";
import type { Planning } from "../state/plan.js";

/** Where an agent's run begins: at the agent, or at pending tool calls. */
export function beforeAgent({ decisions, messages }: Conversation) {
  return decisions !== undefined || hasOpenCalls(messages) ? "tools" : "agent";
}

/** Whether the agent runs without a plan: it has made calls, or has pending ones. */
export function isWithAgent(state: Conversation): boolean {
  const { messages, observations } = state;
  const isActing = unreported(messages, observations).length < observations.length;
  return isActing || beforeAgent(state) === "tools";
}

/** Whether no node has worked for the run yet: it is not resumed. */
export function isNewRun(state: Conversation & Partial<Planning>): boolean {
  return (state.steps ?? []).length === 0 && !isWithAgent(state);
}

/** After the agent: its tool calls, or the end. */
export function afterAgent({ outcome, messages, observations }: Conversation) {
  const isOver = outcome !== undefined || openTurn(messages, observations).pending.length === 0;
  return isOver ? "finalizer" : "tools";
}

/** After the tools: isolated calls, the agent, or the end. */
export function afterTools({ outcome, pending }: Conversation) {
  if (outcome !== undefined) return "finalizer";
  return pending === undefined ? "agent" : "tools";
}

/** Whether every step of the plan has its result, and no isolated call is pending. */
export function isPlanDone({ steps, observations, pending }: Planning): boolean {
  const done = new Set(observations.map(({ callId }) => callId));
  return pending === undefined && steps.every(({ id }) => done.has(id));
}
