import { isRecord } from "../../json/json.js";
import type { TracedRun } from "../../tracing/index.js";

/** Whether who sent a request may see a run. */
export type MaySee = (request: Request, run: TracedRun) => Promise<boolean>;

/** Where LangGraph's server keeps the function that calls its own API without a connection. */
const loopback = Symbol.for("langgraph_api:fetch");

/**
 * Shows the runs of threads that LangGraph's API shows to who asks, for one request. A run without a thread is nobody's; so
 * is one that is older than its thread: it was on another of the same id, which was deleted.
 */
export function byThreads(): MaySee {
  const known = new Map<string, Promise<number>>();
  return async (request, { threadId, startedAt }) => {
    if (threadId === undefined) return false;
    const created = known.get(threadId) ?? createdAt(request, threadId);
    known.set(threadId, created);
    return startedAt >= (await created);
  };
}

/** When a thread was made, in milliseconds since the epoch; never, for who may not see it. */
async function createdAt(request: Request, threadId: string): Promise<number> {
  const ask: unknown = Reflect.get(globalThis, loopback);
  if (typeof ask !== "function") return Infinity;
  const headers = new Headers(request.headers);
  for (const name of ["content-length", "content-type", "transfer-encoding"]) headers.delete(name);
  const path = `/threads/${encodeURIComponent(threadId)}`;
  const response: unknown = await Reflect.apply(ask, undefined, [path, { headers }]);
  if (!(response instanceof Response) || !response.ok) return Infinity;
  const thread: unknown = await response.json();
  const created = isRecord(thread) ? Date.parse(String(thread["created_at"])) : Number.NaN;
  return Number.isNaN(created) ? Infinity : created;
}
