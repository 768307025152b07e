import type { AgentEvent } from "./events.js";

/** A run's key is its id. The attempts of a model call follow one another, so that they share a key. */
export function modelKey({
  runId,
  modelCallId,
}: {
  readonly runId: string;
  readonly modelCallId: string;
}): string {
  return `${runId} model ${modelCallId}`;
}

export function callKey(runId: string, callId: string): string {
  return `${runId} call ${callId}`;
}

/** The keys of the work in which what an event starts may lie, the innermost first. */
export function placesOf(event: AgentEvent): readonly string[] {
  const { runId, parent } = event;
  if (event.type !== "run_started") {
    return "for" in event && event.for !== undefined ? [callKey(runId, event.for), runId] : [runId];
  }
  if (parent === undefined) return [];
  const { callId } = parent;
  return callId === undefined ? [parent.runId] : [callKey(parent.runId, callId), parent.runId];
}
