/** Where LangGraph's server keeps the function that calls its own API without a connection. */
const loopback = Symbol.for("langgraph_api:fetch");

/** Whether LangGraph's API shows a thread to who sent a request. A run without a thread is nobody's. */
export async function maySeeThread(
  request: Request,
  threadId: string | undefined,
): Promise<boolean> {
  const ask: unknown = Reflect.get(globalThis, loopback);
  if (threadId === undefined || typeof ask !== "function") return false;
  const headers = new Headers(request.headers);
  for (const name of ["content-length", "content-type", "transfer-encoding"]) headers.delete(name);
  const path = `/threads/${encodeURIComponent(threadId)}`;
  const response: unknown = await Reflect.apply(ask, undefined, [path, { headers }]);
  return response instanceof Response && response.ok;
}
