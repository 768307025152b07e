/** Keeps runs in a SQLite file, and reads them. Needs the peer dependency `@langchain/langgraph-checkpoint-sqlite`. */
export { retain, type TraceKeep } from "./retention.js";
export { type TracedEvent, TraceFile, type TraceFilter } from "./trace-file.js";
export { type TracedRun, type TraceMark, type TraceStatus, traceStatuses } from "./traced-run.js";
export { type TraceStore, traceStore, type TraceStoreOptions } from "./trace-store.js";
