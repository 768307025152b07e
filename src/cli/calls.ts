import type { Json } from "../json/json.js";
import type { AgentEvent, ParentCall } from "../observe/events.js";

/** A tool call that has started, and how it ended. */
export type Call = {
  readonly runId: string;
  readonly tool: string;
  readonly args: Json;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly end?: CallEnd;
};

/** The event of a call's end. */
export type CallEnd = Extract<AgentEvent, { type: "tool_finished" }>;

/** The calls of all runs, by `callKey`. */
export type Calls = ReadonlyMap<string, Call>;

/** The calls that runs work for, by the id of the run. */
export type Parents = ReadonlyMap<string, ParentCall>;

/** Names a call among those of all runs: a run that is a tool has call ids of its own. */
export function callKey(runId: string, callId: string): string {
  return `${runId}/${callId}`;
}

/** The calls after an event. */
export function callsAfter(calls: Calls, event: AgentEvent): Calls {
  if (event.type !== "tool_started" && event.type !== "tool_finished") return calls;
  const { runId, tool, at: since } = event;
  const key = callKey(runId, event.callId);
  const call: Call =
    event.type === "tool_started"
      ? { runId, tool, args: event.content?.args ?? {}, since }
      : { ...(calls.get(key) ?? { runId, tool, args: {}, since }), end: event };
  return new Map(calls).set(key, call);
}

/** The calls that runs work for, after an event. */
export function parentsAfter(parents: Parents, { runId, parent }: AgentEvent): Parents {
  if (parent === undefined || parents.has(runId)) return parents;
  return new Map(parents).set(runId, parent);
}

/** The keys of the calls that a run is inside of, the innermost first. */
export function callsAround(runId: string, parents: Parents): readonly string[] {
  const keys: string[] = [];
  let inner = parents.get(runId);
  // What is written to the stream by others may go round in circles.
  while (inner !== undefined && keys.length < parents.size) {
    keys.push(callKey(inner.runId, inner.callId));
    inner = parents.get(inner.runId);
  }
  return keys;
}
