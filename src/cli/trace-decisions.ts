import { z } from "zod";

import type { GivenCase } from "../evaluation/index.js";
import type { AgentEvent } from "../observe/events.js";
import type { ActionRequest } from "../state/person-requests.js";
import { isMasked } from "../observe/masked.js";

/** What people decided, as a case says it. */
export type GivenDecisions = NonNullable<GivenCase["decisions"]>;

/** A decision, or why the trace does not have it. */
type Read = { readonly decision: GivenDecisions[number] } | { readonly why: string };

type Decided = Extract<AgentEvent, { readonly type: "decided" }>;

/** What a person said, or made of a call, in a file. */
const Said = z.object({
  message: z.string().optional(),
  edited_action: z.object({ name: z.string(), args: z.record(z.string(), z.json()) }).optional(),
});

/** What people decided in a recorded run, in the order in which they were asked; or why that is not known. */
export function decisionsIn(
  events: readonly AgentEvent[],
): { readonly decisions: GivenDecisions } | { readonly why: string } {
  const asked = requestsIn(events);
  const decided = events.filter((event) => event.type === "decided");
  if (decided.some(({ requestId }) => !asked.has(requestId))) {
    return { why: "a request to a person was not kept" };
  }
  const decisions: GivenDecisions[number][] = [];
  for (const [id, request] of asked) {
    const event = decided.findLast(({ requestId }) => requestId === id);
    if (event === undefined) continue;
    const read = decisionOn(request, event);
    if ("why" in read) return read;
    decisions.push(read.decision);
  }
  return { decisions };
}

/** The requests by their ids: one that is asked again, or passed on by a run around it, is the same. */
function requestsIn(events: readonly AgentEvent[]): ReadonlyMap<string, ActionRequest> {
  const shown = events.flatMap((event) =>
    event.type === "input_needed" ? (event.content?.requests.action_requests ?? []) : [],
  );
  return new Map(shown.map((request) => [request.id, request]));
}

function decisionOn({ name, expires_at: expires }: ActionRequest, event: Decided): Read {
  const { decision: type } = event;
  // The people of a case are never late.
  if (expires !== undefined && event.at > Date.parse(expires)) {
    return { why: `the decision on ${name} came too late` };
  }
  if (type === "approve") return { decision: type };
  const words = `what a person said of ${name}`;
  if (isMasked(event)) {
    const what = type === "edit" ? `the arguments of ${name} were` : `${words} was`;
    return { why: `${what} redacted` };
  }
  const said = Said.safeParse(event.content).data;
  const decision = said === undefined ? undefined : decisionFrom(type, said);
  return decision === undefined ? { why: `${words} is not in the trace` } : { decision };
}

function decisionFrom(
  type: Exclude<Decided["decision"], "approve">,
  { message = "", edited_action: edited }: z.output<typeof Said>,
): GivenDecisions[number] | undefined {
  if (type === "edit") return edited && { type, edited_action: edited };
  if (type === "respond") return message === "" ? undefined : { type, message };
  return message === "" ? type : { type, message };
}
