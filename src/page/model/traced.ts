/** What a server tells of its runs. */
export type { Health, TracedEvent, TracedRun, TraceStatus } from "../../tracing/index.js";
