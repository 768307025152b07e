import type { TraceStore } from "../tracing/index.js";

/** Opens the file that `--trace` names, if it was given. The SQLite driver is loaded only for it. */
export async function openTraces(file: string | undefined): Promise<TraceStore | undefined> {
  if (file === undefined) return undefined;
  const { traceStore } = await import("../tracing/index.js");
  return traceStore({ file });
}
