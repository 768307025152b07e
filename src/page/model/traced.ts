import type { TracedEvent, TracedRun, TraceStatus } from "../../tracing/index.js";

/** What a server tells of its runs. */
export type {
  Health,
  TracedEvent,
  TracedRun,
  TraceMark,
  TraceStatus,
} from "../../tracing/index.js";

const goingOn: ReadonlySet<TraceStatus> = new Set(["running", "paused", "drained"]);

/** Whether a run of this status may go on: one that is paused, or left to another process, is not at its end. */
export function mayGoOn(status: TraceStatus): boolean {
  return goingOn.has(status);
}

/** Whether a run had a plan of calls of which one at least has brought a result: it can be kept as a workflow. */
export function hadPlan({ id, question }: TracedRun, traced: readonly TracedEvent[]): boolean {
  const events = traced.map(({ event }) => event).filter(({ runId }) => runId === id);
  const done = new Set(
    events.flatMap((event) => (event.type === "tool_finished" && event.ok ? [event.callId] : [])),
  );
  const planned = events.flatMap((event) =>
    event.type === "plan_made" ? (event.content?.steps ?? []) : [],
  );
  return question !== undefined && planned.some((step) => "args" in step && done.has(step.id));
}
