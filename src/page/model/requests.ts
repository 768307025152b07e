import type { JsonObject } from "../../json/json.js";
import type { AgentEvent } from "../../observe/events.js";
import type { Span } from "../../observe/span-tree.js";
import type { TraceStatus } from "./traced.js";

type Of<Type extends AgentEvent["type"]> = Extract<AgentEvent, { readonly type: Type }>;

/** What a person was asked in a run, and what was decided. */
export type Request = {
  readonly runId: string;
  /** The call or step that it is about; "plan" or "answer". */
  readonly callId: string;
  /** The tool; empty where the content was not kept. */
  readonly tool: string;
  /** What the person was shown; none where it was not kept. */
  readonly args?: JsonObject;
  readonly description?: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly decided?: Of<"decided">;
};

/** What people were asked in a run and in the runs inside it, in order; what is asked again is one request. */
export function requestsIn(events: readonly AgentEvent[]): readonly Request[] {
  const requests = new Map<string, Request>();
  for (const event of events) {
    if (event.type === "input_needed") {
      for (const [id, request] of asked(event)) {
        if (!requests.has(id)) requests.set(id, request);
      }
    } else if (event.type === "decided") {
      const id = decidedId(event, requests);
      const request = requests.get(id);
      if (request !== undefined) requests.set(id, { ...request, decided: event });
    }
  }
  return [...requests.values()];
}

function asked({ runId, at, callIds, content }: Of<"input_needed">): [string, Request][] {
  return callIds.map((callId, place) => {
    const action = content?.requests.action_requests[place];
    if (action === undefined) {
      return [`${runId} ${callId}`, { runId, callId, tool: "", askedAt: at }];
    }
    const { id, name: tool, args, description } = action;
    return [id, { runId, callId, tool, args, description, askedAt: at }];
  });
}

/** The id of the request; without content requests have none, and are decided in their order. */
function decidedId(
  { requestId, runId }: Of<"decided">,
  requests: ReadonlyMap<string, Request>,
): string {
  if (requests.has(requestId)) return requestId;
  const open = [...requests].find(
    ([, request]) =>
      request.runId === runId && request.tool === "" && request.decided === undefined,
  );
  return open?.[0] ?? "";
}

/** The requests that wait for people now: none of a run that goes on, or has ended without an answer to them. */
export function openRequests(
  requests: readonly Request[],
  status: TraceStatus,
): readonly Request[] {
  const waits = status === "paused" || status === "needs_input";
  return waits ? requests.filter(({ decided }) => decided === undefined) : [];
}

/** The requests about a call. A run that passes the requests of a run inside it on asks for that one's call. */
export function requestsOf(
  { start, runId }: Span,
  requests: readonly Request[],
): readonly Request[] {
  if (start.type !== "tool_started") return [];
  const about = requests.filter(({ callId }) => callId === start.callId);
  const own = about.filter((request) => request.runId === runId);
  return own.length > 0 || start.parent === undefined ? own : about;
}
