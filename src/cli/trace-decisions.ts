import type { GivenCase } from "../evaluation/index.js";
import { canonicalJson } from "../json/json.js";
import type { AgentEvent } from "../observe/events.js";
import { insideFence } from "../prompts/fence.js";
import type { ActionRequest } from "../state/person-requests.js";
import { askUser } from "../tools/builtin/people.js";
import { argumentsIn, isMasked } from "./trace-content.js";

/** What people decided, as a case says it. */
export type GivenDecisions = NonNullable<GivenCase["decisions"]>;
type GivenDecision = GivenDecisions[number];

type Of<Type extends AgentEvent["type"]> = Extract<AgentEvent, { readonly type: Type }>;
type Kind = Of<"decided">["decision"];

/** A request with the calls that it is about: that of the run, and that of a run inside it. */
type Asked = {
  readonly request: ActionRequest;
  readonly calls: readonly { readonly runId: string; readonly callId: string }[];
};

/** What is known of a decided request: what was asked, and the events of the run. */
type Recorded = Asked & { readonly type: Kind; readonly events: readonly AgentEvent[] };

/** A decision, or why the trace does not have it. */
type Read = { readonly decision: GivenDecision } | { readonly why: string };

/** What people decided in a recorded run, in the order in which they were asked; or why that is not known. */
export function decisionsIn(
  events: readonly AgentEvent[],
): { readonly decisions: GivenDecisions } | { readonly why: string } {
  const asked = requestsIn(events);
  const decided = events.filter((event) => event.type === "decided");
  if (decided.some(({ requestId }) => !asked.has(requestId))) {
    return { why: "a request to a person was not kept" };
  }
  const decisions: GivenDecision[] = [];
  for (const [id, request] of asked) {
    const type = decided.findLast(({ requestId }) => requestId === id)?.decision;
    if (type === undefined) continue;
    const read = decisionOn({ ...request, type, events });
    if ("why" in read) return read;
    decisions.push(read.decision);
  }
  return { decisions };
}

/** The requests by their ids: one that is asked again, or passed on by a run around it, is the same. */
function requestsIn(events: readonly AgentEvent[]): ReadonlyMap<string, Asked> {
  const asked = new Map<string, Asked>();
  for (const event of events) {
    if (event.type !== "input_needed") continue;
    const { runId, callIds, content } = event;
    for (const [at, request] of (content?.requests.action_requests ?? []).entries()) {
      const calls = asked.get(request.id)?.calls ?? [];
      const call = { runId, callId: callIds[at] ?? "" };
      asked.set(request.id, { request, calls: [...calls, call] });
    }
  }
  return asked;
}

function decisionOn(asked: Recorded): Read {
  const { request, type, calls } = asked;
  if (calls.some(({ callId }) => callId === "answer")) return onAnswer(asked);
  const end = eventOf(asked, "tool_finished");
  if (end?.type !== "tool_finished") {
    return type === "approve" ? { decision: type } : notKept(request.name);
  }
  return onEnd(asked, end);
}

function onEnd(asked: Recorded, end: Of<"tool_finished">): Read {
  const { request, type } = asked;
  const isInWords = type === "respond" || type === "reject" || isQuestion(request);
  if (isInWords && isMasked(end)) {
    return { why: `what a person said of ${request.name} was redacted` };
  }
  const result = insideFence(end.content?.result ?? "").text;
  return isQuestion(request)
    ? onQuestion(type, result)
    : onCall(asked, result, end.error === "denied");
}

function isQuestion({ name }: ActionRequest): boolean {
  return name === askUser.name;
}

/** The last event of a type of the tool call that a request is about. */
function eventOf(asked: Recorded, type: "tool_started" | "tool_finished"): AgentEvent | undefined {
  const calls = [...asked.calls, ...callsInside(asked)];
  return asked.events.findLast(
    (event) =>
      isToolEvent(event) &&
      event.type === type &&
      event.tool === asked.request.name &&
      calls.some(({ runId, callId }) => runId === event.runId && callId === event.callId),
  );
}

function isToolEvent(event: AgentEvent): event is Of<"tool_started"> | Of<"tool_finished"> {
  return event.type === "tool_started" || event.type === "tool_finished";
}

/**
 * The call in a run inside, where the run around it has passed the request on as one of its own call: the only one of
 * the tool, or the only one with the arguments that were shown.
 */
function callsInside({ request, calls, events }: Recorded): Asked["calls"] {
  const around = new Set(calls.map(keyOf));
  const inside = events.filter(
    (event) =>
      event.type === "tool_started" &&
      event.tool === request.name &&
      event.parent?.callId !== undefined &&
      around.has(keyOf({ runId: event.parent.runId, callId: event.parent.callId })),
  );
  const same = inside.filter(
    (event) => canonicalJson(argumentsIn(event)) === canonicalJson(request.args),
  );
  const found = inside.length === 1 ? inside : same;
  return found.length === 1 ? found.filter((event) => event.type === "tool_started") : [];
}

function keyOf({ runId, callId }: Asked["calls"][number]): string {
  return `${runId} ${callId}`;
}

function notKept(name: string): Read {
  return { why: `what a person said of ${name} is not in the trace` };
}

function onCall(asked: Recorded, result: string, isDenied: boolean): Read {
  const { type, request } = asked;
  if (type === "respond") return { decision: { type, message: result } };
  if (type === "reject") return { decision: rejected(result, /They said: ([^]+)$/) };
  // The people of a case are never late.
  if (isDenied) return { why: `the decision on ${request.name} came too late` };
  return type === "edit" ? onEdit(asked) : { decision: type };
}

function rejected(result: string, words: RegExp): GivenDecision {
  const [, message] = words.exec(result) ?? [];
  return message === undefined ? "reject" : { type: "reject", message };
}

function onQuestion(type: Kind, answer: string): Read {
  if (type === "reject") {
    return { decision: rejected(answer, /the user did not answer\. ([^]+)$/) };
  }
  return { decision: { type: "respond", message: answer } };
}

function onEdit(asked: Recorded): Read {
  const { name } = asked.request;
  const start = eventOf(asked, "tool_started");
  const args = start && argumentsIn(start);
  if (start === undefined || args === undefined) return notKept(name);
  if (isMasked(start)) return { why: `the arguments of ${name} were redacted` };
  return { decision: { type: "edit", edited_action: { name, args } } };
}

/** The answer that went out is what the person made of it. */
function onAnswer({ request, type, events }: Recorded): Read {
  if (type === "approve" || type === "reject") return { decision: type };
  const { name, args } = request;
  const answer = answerIn(events);
  if (answer === undefined) return notKept(name);
  if (type === "respond") return { decision: { type, message: answer } };
  if (args["structuredResponse"] !== undefined) return notKept(name);
  return { decision: { type, edited_action: { name, args: { answer } } } };
}

/** The answer of a run; undefined if it was not kept, or masked. */
function answerIn(events: readonly AgentEvent[]): string | undefined {
  const end = events.findLast((event) => event.type === "run_finished");
  return end === undefined || isMasked(end) ? undefined : end.content?.answer;
}
