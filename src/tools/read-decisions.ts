import { isRecord } from "../plan/json.js";
import type { SubRun } from "../state/conversation.js";
import {
  type AllowedDecision,
  Decision,
  isAnsweredInWords,
  type PersonRequests,
} from "../state/person.js";
import type { PersonRequest } from "./tool-call.js";

/** A person's decisions, one for each request, or why the answer cannot be used. */
export type ReadDecisions =
  | { readonly ok: true; readonly decisions: readonly Decision[] }
  | { readonly ok: false; readonly problem: string };

/** The interrupt value in which people are asked; requests and configs stand at the same positions. */
export function personRequests(requests: readonly PersonRequest[], error?: string): PersonRequests {
  return {
    action_requests: requests.map(({ action }) => action),
    review_configs: requests.map(({ action, allowed }) => ({
      action_name: action.name,
      allowed_decisions: allowed,
    })),
    ...(error === undefined ? {} : { error }),
  };
}

/** What a sub-run asks, as requests of the call that it is; each says who asks. */
export function subRunRequests({ callId, tool, isStep, requests }: SubRun): PersonRequest[] {
  const who = isStep === true ? callId : tool;
  return requests.action_requests.map((action, at) => ({
    callId,
    action: { ...action, description: `${who}: ${action.description}` },
    allowed: requests.review_configs[at]?.allowed_decisions ?? [],
  }));
}

/**
 * Reads what a run was resumed with: `{ decisions: […] }` or the list itself, in snake_case or
 * camelCase or as Agent Inbox writes them, matched to the requests by position; a plain string answers
 * a single question.
 */
export function readDecisions(answer: unknown, requests: readonly PersonRequest[]): ReadDecisions {
  const given = listOf(answer);
  if (given === undefined) {
    return {
      ok: false,
      problem: `expected { decisions: [ … ] } with ${count(requests)}, got ${preview(answer)}.`,
    };
  }
  if (given.length !== requests.length) {
    return {
      ok: false,
      problem: `expected ${count(requests)}, one for each request in order, got ${given.length}.`,
    };
  }
  const decisions: Decision[] = [];
  for (const [at, request] of requests.entries()) {
    const decision = readOne(given[at], request);
    if (typeof decision === "string")
      return {
        ok: false,
        problem: `decision ${at + 1} (${request.action.name}): ${decision}`,
      };
    decisions.push(decision);
  }
  return { ok: true, decisions };
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

/** A decision in whatever form front ends send it, in the one form that is read. */
function inOneForm(given: unknown, allowed: readonly AllowedDecision[]): unknown {
  if (typeof given === "string") return inWords(given, allowed, given);
  if (!isRecord(given)) return given;
  const fields = Object.fromEntries(
    Object.entries(given).filter(([, field]) => field !== undefined),
  );
  const { type, args, edited_action: edited } = fields;
  if (type === "ignore") return { type: "reject" };
  if (type === "edit") {
    return { ...fields, edited_action: edited ?? fields["editedAction"] ?? inboxAction(args) };
  }
  // Agent Inbox sends whatever is typed to the assistant as a rejection: to a question it is the answer.
  if (type === "reject" && typeof args === "string") {
    return inWords(args, allowed, { type: "reject", message: args });
  }
  return fields;
}

/** Words alone answer a question. To an approval they are not taken for the call's result. */
function inWords(message: string, allowed: readonly AllowedDecision[], other: unknown): unknown {
  return isAnsweredInWords(allowed) ? { type: "respond", message } : other;
}

/** The edited call as Agent Inbox writes it. */
function inboxAction(given: unknown): unknown {
  return isRecord(given) ? { name: given["action"], args: given["args"] } : undefined;
}

function count(requests: readonly PersonRequest[]): string {
  return requests.length === 1 ? "1 decision" : `${requests.length} decisions`;
}

function preview(value: unknown): string {
  return (JSON.stringify(value) ?? typeof value).slice(0, 200);
}
