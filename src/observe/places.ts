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

/** The keys of the work in which what an event tells may lie, the innermost first. */
export function placesOf(event: AgentEvent): readonly string[] {
  const { type, runId, parent } = event;
  const worksFor = "for" in event ? event.for : undefined;
  return [
    ...(worksFor === undefined ? [] : [callKey(runId, worksFor)]),
    ...(type === "run_started" ? [] : [runId]),
    ...(parent?.callId === undefined ? [] : [callKey(parent.runId, parent.callId)]),
    ...(parent === undefined ? [] : [parent.runId]),
  ];
}
