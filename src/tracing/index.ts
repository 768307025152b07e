/** Keeps runs in a SQLite file, and reads them. Needs the peer dependency `@langchain/langgraph-checkpoint-sqlite`. */
export {
  type CallFigures,
  type Health,
  healthOf,
  type ModelFigures,
  type RetrievalFigures,
  type RunEvents,
  type ToolFigures,
} from "./health.js";
export { workflowText } from "./plan-workflow.js";
export { replayTest } from "./replay-test.js";
export { retain, type TraceKeep } from "./retention.js";
export { type TracedEvent, TraceFile, type TraceFilter } from "./trace-file.js";
export { type TracedRun, type TraceMark, type TraceStatus, traceStatuses } from "./traced-run.js";
export { type TraceStore, traceStore, type TraceStoreOptions } from "./trace-store.js";
