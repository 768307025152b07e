import type { AgentEvent } from "../observe/events.js";
import type { Json } from "../plan/json.js";

/** A tool call that has started, and how it ended. */
export type Call = {
  readonly args: Json;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly end?: CallEnd;
};

/** The event of a call's end. */
export type CallEnd = Extract<AgentEvent, { type: "tool_finished" }>;

/** The calls of all runs, by `callKey`. */
export type Calls = ReadonlyMap<string, Call>;

/** Names a call among those of all runs: a run that is a tool has call ids of its own. */
export function callKey(runId: string, callId: string): string {
  return `${runId}/${callId}`;
}

/** The calls after an event. */
export function callsAfter(calls: Calls, event: AgentEvent): Calls {
  if (event.type !== "tool_started" && event.type !== "tool_finished") return calls;
  const key = callKey(event.runId, event.callId);
  const call: Call =
    event.type === "tool_started"
      ? { args: event.content?.args ?? {}, since: event.at }
      : { ...(calls.get(key) ?? { args: {}, since: event.at }), end: event };
  return new Map(calls).set(key, call);
}
