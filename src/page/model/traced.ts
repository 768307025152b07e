import type { TraceStatus } from "../../tracing/index.js";

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
