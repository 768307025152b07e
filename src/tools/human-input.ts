import { canonicalJson, defined, isRecord, type JsonObject } from "../json/json.js";
import { sha256 } from "../platform.js";
import type { Continuation, IsolatedCall, SubRun } from "../state/pending.js";
import {
  type AllowedDecision,
  Decision,
  type DecisionRecord,
  isAnsweredInWords,
  type PersonRequests,
} from "../state/person-requests.js";
import type { ToolPolicy } from "./policy.js";
import type { PersonRequest, ReadCall, ToolCallContext } from "./tool-call.js";
import type { ToolEntry } from "./toolbox.js";

/** Why an answer cannot be used. */
type Refusal = {
  readonly ok: false;
  readonly problem: string;
  /** The answer is for another request, which no longer waits. */
  readonly isAnswered?: true;
};

/** A person's decisions, one for each request, or why the answer cannot be used. */
export type ReadDecisions =
  { readonly ok: true; readonly decisions: readonly Decision[] } | Refusal;

type MatchOptions = {
  /** A decision without the id of its request is refused. */
  readonly requireIds?: boolean;
};

/** The interrupt value: requests and configs have the same positions. `askedAt` returns milliseconds since the epoch. */
export function personRequests(
  requests: readonly PersonRequest[],
  askedAt: (id: string) => number,
  error?: string,
): PersonRequests {
  return {
    action_requests: requests.map(({ callId, action, expiresAfter }) => {
      const request = { ...action, call_id: callId };
      if (expiresAfter === undefined) return request;
      return { ...request, expires_at: new Date(askedAt(action.id) + expiresAfter).toISOString() };
    }),
    review_configs: requests.map(({ action, allowed, form }) => ({
      action_name: action.name,
      allowed_decisions: allowed,
      ...defined({ args_schema: form }),
    })),
    ...defined({ error }),
  };
}

/** The requests of a sub-run as those of its call; each names the asker. */
export function subRunRequests({ callId, tool, isStep, requests }: SubRun): PersonRequest[] {
  const who = isStep === true ? callId : tool;
  return requests.action_requests.map((action, at) => ({
    callId,
    action: { ...action, description: `${who}: ${action.description}` },
    allowed: requests.review_configs[at]?.allowed_decisions ?? [],
    ...defined({ form: requests.review_configs[at]?.args_schema }),
  }));
}

/**
 * Reads the value of a resume: `{ decisions: […] }` or the list itself, in snake_case, camelCase or Agent Inbox's form.
 * Decisions with an id go to their request, in any order; others by position. A string answers a single question.
 */
export function readDecisions(
  answer: unknown,
  requests: readonly PersonRequest[],
  { requireIds = false }: MatchOptions = {},
): ReadDecisions {
  const list = listOf(answer);
  if (list === undefined) {
    return refuse(`expected { decisions: [ … ] } with ${count(requests)}, got ${preview(answer)}.`);
  }
  const ids = list.map(idOf);
  const isByPlace = !requireIds && ids.every((id) => id === undefined);
  const refusal = unmatched(ids, requests, isByPlace);
  if (refusal !== undefined) return refusal;
  const given = isByPlace ? list : requests.map(({ action }) => list[ids.indexOf(action.id)]);
  const decisions: Decision[] = [];
  for (const [at, request] of requests.entries()) {
    const decision = readOne(given[at], request);
    if (typeof decision === "string") {
      return refuse(`decision ${at + 1} (${request.action.name}): ${decision}`);
    }
    decisions.push(decision);
  }
  return { ok: true, decisions };
}

function refuse(problem: string): Refusal {
  return { ok: false, problem };
}

/** Why these ids do not match the requests one to one. */
function unmatched(
  ids: readonly (string | undefined)[],
  requests: readonly PersonRequest[],
  isByPlace: boolean,
): Refusal | undefined {
  const asked = new Set(requests.map(({ action }) => action.id));
  const other = ids.find((id) => id !== undefined && !asked.has(id));
  if (other !== undefined) return { ...refuse(answeredAlready(other)), isAnswered: true };
  if (ids.length !== requests.length) {
    return refuse(`expected ${count(requests)}, one for each request in order, got ${ids.length}.`);
  }
  if (isByPlace) return undefined;
  const nameless = ids.indexOf(undefined);
  if (nameless !== -1) {
    return refuse(
      `decision ${nameless + 1} has no id: expected the \`id\` of its request in each.`,
    );
  }
  const missing = requests.find(({ action }) => !ids.includes(action.id));
  if (missing === undefined) return undefined;
  const { id, name } = missing.action;
  return refuse(`two decisions are for one request, and none is for "${id}" (${name}).`);
}

/** The request that a decision names. */
export function idOf(given: unknown): string | undefined {
  const id = isRecord(given) ? given["id"] : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** The message that nothing waits for a decision on a request. */
export function answeredAlready(id: string): string {
  return `no request "${id}" waits for a decision: it was answered already, or is of another run.`;
}

/** The unparsed decisions in the value of a resume; empty if it is not an answer to requests. */
export function decisionsIn(answer: unknown): readonly unknown[] {
  return listOf(answer) ?? [];
}

/** The answer with the ids of these requests in its decisions. */
export function boundTo(
  { action_requests: requests, review_configs: configs }: PersonRequests,
  answer: unknown,
): unknown {
  const list = listOf(answer);
  if (list === undefined) return answer;
  const decisions = list.map((given, at) => {
    const id = idOf(requests[at]);
    if (id === undefined || idOf(given) !== undefined) return given;
    if (isRecord(given)) return { ...given, id };
    const isWords =
      typeof given === "string" && isAnsweredInWords(configs[at]?.allowed_decisions ?? []);
    return isWords ? { type: "respond", message: given, id } : given;
  });
  return { decisions };
}

function listOf(answer: unknown): readonly unknown[] | undefined {
  if (typeof answer === "string") return [answer];
  const list = isRecord(answer)
    ? (answer["decisions"] ?? (answer["type"] === undefined ? undefined : [answer]))
    : answer;
  return Array.isArray(list) ? list : undefined;
}

function readOne(given: unknown, { action, allowed }: PersonRequest): Decision | string {
  const parsed = Decision.safeParse(inOneForm(given, allowed));
  if (!parsed.success) return `expected one of ${allowed.join(", ")}, got ${preview(given)}.`;
  const decision = parsed.data;
  if (!allowed.includes(decision.type)) {
    return `"${decision.type}" is not allowed here; expected one of ${allowed.join(", ")}.`;
  }
  if (decision.type === "edit" && decision.edited_action.name !== action.name) {
    return `the edited action must stay "${action.name}", got "${decision.edited_action.name}".`;
  }
  return decision;
}

/** A decision from any front end, in one form. */
export function inOneForm(given: unknown, allowed: readonly AllowedDecision[]): unknown {
  if (typeof given === "string") return inWords(given, allowed, given);
  if (!isRecord(given)) return given;
  const fields: Record<string, unknown> = defined(given);
  const { type, args, edited_action: edited } = fields;
  if (type === "ignore") return { ...namesOf(fields), type: "reject" };
  if (type === "edit") {
    return { ...fields, edited_action: edited ?? fields["editedAction"] ?? inboxAction(args) };
  }
  // Agent Inbox sends all typed text as a rejection: for a question it is the answer.
  if (type === "reject" && typeof args === "string") {
    const named = namesOf(fields);
    const said = inWords(args, allowed, { type: "reject", message: args });
    return isRecord(said) ? { ...named, ...said } : said;
  }
  return fields;
}

function namesOf({ id, by }: Record<string, unknown>) {
  return defined({ id, by });
}

/** Plain text answers a question. For an approval it is not the call's result. */
function inWords(message: string, allowed: readonly AllowedDecision[], other: unknown): unknown {
  return isAnsweredInWords(allowed) ? { type: "respond", message } : other;
}

function inboxAction(given: unknown): unknown {
  return isRecord(given) ? { name: given["action"], args: given["args"] } : undefined;
}

function count(requests: readonly PersonRequest[]): string {
  return requests.length === 1 ? "1 decision" : `${requests.length} decisions`;
}

function preview(value: unknown): string {
  return (JSON.stringify(value) ?? typeof value).slice(0, 200);
}

/** A request's id: equal for the same question in any process, else different. `asking` separates a call's requests. */
export function requestId(runId: string, callId: string, asking: string, args: JsonObject): string {
  const key = sha256([runId, callId, asking, canonicalJson(args)].join("\n"));
  // Not hexadecimal digits alone: LangGraph reads those as the id of an interrupt.
  return `req_${key.slice(0, 24)}`;
}

/** The request with a call's question to a person, in words or as arguments to fill in. */
export function questionRequest({ id, name, args }: ReadCall, runId: string): PersonRequest {
  const { question } = args;
  const description = typeof question === "string" ? question : name;
  // Front ends without text answers show the arguments for editing: one of them is for the answer.
  const action = {
    id: requestId(runId, id, "question", args),
    name,
    args: { ...args, answer: "" },
    description,
  };
  return { callId: id, action, allowed: ["respond", "edit", "reject"] };
}

/** The answer in any kind of decision: an edit holds it as `answer`, or in place of the question. */
export function answerIn(decision: Decision, question: unknown): string {
  if (decision.type === "respond") return decision.message;
  if (decision.type === "reject") return decision.message ?? "";
  if (decision.type === "approve") return "yes";
  const { answer, ...rest } = decision.edited_action.args;
  const texts = [answer, ...Object.values(rest).filter((value) => value !== question)];
  return texts.find(isSaid) ?? "(The user gave no answer.)";
}

function isSaid(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

type Decided = Pick<ToolCallContext, "decision" | "decisions">;

/** The decisions on a call that it keeps until it resumes. */
export function decidedAs({
  decision,
  decisions,
}: Decided): Pick<IsolatedCall, "decided" | "decisions"> {
  const { type } = decision ?? {};
  return {
    ...(type === "approve" || type === "edit" ? { decided: type } : {}),
    ...withDecisions(recordsOf({ decision, decisions })),
  };
}

/** All decisions on a call, with the last one. */
export function recordsOf({ decision, decisions = [] }: Decided): readonly DecisionRecord[] {
  return decision?.record === undefined ? decisions : [...decisions, decision.record];
}

/** The records of all decisions on a call that has waited. A sub-run keeps those that it asked for with its own calls. */
export function decisionsOn(
  { subRun, decisions }: Continuation,
  { elicits = false }: Pick<ToolEntry, "elicits">,
): readonly DecisionRecord[] {
  const records = elicits ? decisions.flatMap(({ record }) => record ?? []) : [];
  return [...(subRun.decisions ?? []), ...records];
}

/** The records as a field; no field if there are none. */
export function withDecisions(records: readonly DecisionRecord[]): Pick<IsolatedCall, "decisions"> {
  return records.length === 0 ? {} : { decisions: records };
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** From this delay on the model reads how long the answer took: earlier results may be out of date. */
const lateMs = hourMs;

/** The note for the model after a late answer. */
export function lateNote(record: DecisionRecord | undefined): string | undefined {
  if (record === undefined || record.at - record.askedAt < lateMs) return undefined;
  const after = duration(record.at - record.askedAt);
  return `(A person agreed ${after} after it was asked: results from before may be out of date.)`;
}

/** Why an approval is too late; nothing for one in time, and for a person's response. */
export function whyTooLate(
  record: DecisionRecord | undefined,
  { expiresAfter = Infinity }: ToolPolicy,
): string | undefined {
  if (record?.type !== "approve" && record?.type !== "edit") return undefined;
  const waited = record.at - record.askedAt;
  if (waited <= expiresAfter) return undefined;
  return `a person agreed ${duration(waited)} after it was asked, which is too late.`;
}

function duration(ms: number): string {
  const units = [
    { name: "day", of: dayMs },
    { name: "hour", of: hourMs },
    { name: "minute", of: minuteMs },
  ];
  const { name, of } = units.find((unit) => ms >= unit.of) ?? { name: "second", of: 1000 };
  const amount = Math.floor(ms / of);
  return amount === 1 ? `1 ${name}` : `${amount} ${name}s`;
}
