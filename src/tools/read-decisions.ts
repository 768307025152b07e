import { z } from "zod";

import { isRecord, type JsonObject } from "../plan/json.js";
import type { SubRun } from "../state/conversation.js";
import type { Decision, PersonRequests } from "../state/person.js";
import type { PersonRequest } from "./tool-call.js";

/** A person's decisions, one for each request, or why the answer cannot be used. */
export type ReadDecisions =
  | { readonly ok: true; readonly decisions: readonly Decision[] }
  | { readonly ok: false; readonly problem: string };

const Args = z.record(z.string(), z.json()).transform((args): JsonObject => args);
const Decided = z.discriminatedUnion("type", [
  z.object({ type: z.literal("approve") }),
  z.object({
    type: z.literal("edit"),
    edited_action: z.object({ name: z.string(), args: Args }),
  }),
  z.object({ type: z.literal("reject"), message: z.string().optional() }),
  z.object({ type: z.literal("respond"), message: z.string() }),
]);

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
export function subRunRequests({ callId, tool, requests }: SubRun): PersonRequest[] {
  return requests.action_requests.map((action, at) => ({
    callId,
    action: { ...action, description: `${tool}: ${action.description}` },
    allowed: requests.review_configs[at]?.allowed_decisions ?? [],
  }));
}

/**
 * Reads what a run was resumed with: `{ decisions: […] }` or the list itself, in snake_case or
 * camelCase, matched to the requests by position; a plain string answers a single question.
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
  const parsed = Decided.safeParse(
    snakeCase(typeof given === "string" ? { type: "respond", message: given } : given),
  );
  if (!parsed.success) return `expected one of ${allowed.join(", ")}, got ${preview(given)}.`;
  const decision = withoutUndefined(parsed.data);
  if (!allowed.includes(decision.type)) {
    return `"${decision.type}" is not allowed here; expected one of ${allowed.join(", ")}.`;
  }
  if (decision.type === "edit" && decision.edited_action.name !== action.name) {
    return `the edited action must stay "${action.name}", got "${decision.edited_action.name}".`;
  }
  return decision;
}

function withoutUndefined(decided: z.infer<typeof Decided>): Decision {
  if (decided.type !== "reject") return decided;
  const { message } = decided;
  return message === undefined ? { type: "reject" } : { type: "reject", message };
}

function snakeCase(given: unknown): unknown {
  if (!isRecord(given) || given["editedAction"] === undefined) return given;
  return { ...given, edited_action: given["editedAction"] };
}

function count(requests: readonly PersonRequest[]): string {
  return requests.length === 1 ? "1 decision" : `${requests.length} decisions`;
}

function preview(value: unknown): string {
  return (JSON.stringify(value) ?? typeof value).slice(0, 200);
}
