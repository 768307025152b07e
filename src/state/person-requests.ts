import { z } from "zod";

import type { JsonObject } from "../json/json.js";

const Args = z.record(z.string(), z.json()).transform((args): JsonObject => args);

/** The kinds of decisions on a request. */
export type AllowedDecision = z.infer<typeof AllowedDecision>;
const AllowedDecision = z.enum(["approve", "edit", "reject", "respond"]);

/** One request to a person: to approve a call, or to answer a question. */
export type ActionRequest = z.infer<typeof ActionRequest>;
const ActionRequest = z
  .object({
    /**
     * Identifies this request: a decision with it is for no other. The same whenever the same is asked again; empty
     * when it was asked in another program.
     */
    id: z.string().default(""),
    name: z.string(),
    /** The call's arguments; a question also has an empty `answer`, for a form to fill in. */
    args: Args,
    /** The names of arguments that the application filled in, not a model; absent without any. */
    from_memory: z.array(z.string()).readonly().exactOptional(),
    description: z.string(),
    /** ISO time after which a decision is too late to be carried out; absent: never. */
    expires_at: z.string().exactOptional(),
    /** The call that it is about: the id of a call or step of the run, "plan" or "answer". */
    call_id: z.string().exactOptional(),
    /** The effect that the tool states; absent for a question, and where none is stated. */
    effect: z.enum(["read", "idempotent", "write"]).exactOptional(),
  })
  .readonly();

/** The allowed decisions on the request at the same position. */
export type ReviewConfig = z.infer<typeof ReviewConfig>;
const ReviewConfig = z
  .object({
    action_name: z.string(),
    allowed_decisions: z.array(AllowedDecision).readonly(),
    /** JSON Schema of the arguments that an edit may send; absent for a question in words, a plan and an answer. */
    args_schema: Args.exactOptional(),
  })
  .readonly();

/**
 * The requests of a pause, as an interrupt's value or in `outcome.requests`: LangChain's human-in-the-loop request,
 * which agent-chat-ui renders. The schema reads requests from outside, such as a front end's from a server; it drops
 * unknown fields.
 */
export const PersonRequests = z
  .object({
    action_requests: z.array(ActionRequest).readonly(),
    review_configs: z.array(ReviewConfig).readonly(),
    /** Why the last answer could not be used, when the same is asked again. */
    error: z.string().exactOptional(),
  })
  .readonly();

/** The requests of one pause. */
export type PersonRequests = z.infer<typeof PersonRequests>;

const given = {
  /** The `id` of the request; without one, a decision is matched by its place in the list. */
  id: z.string().exactOptional(),
  /** Who decided, if the caller says so. */
  by: z.string().exactOptional(),
};

/** Reads a decision as front ends send it. */
export const Decision = z.discriminatedUnion("type", [
  z.object({ ...given, type: z.literal("approve") }).readonly(),
  z
    .object({
      ...given,
      type: z.literal("edit"),
      edited_action: z.object({ name: z.string(), args: Args }),
    })
    .readonly(),
  z.object({ ...given, type: z.literal("reject"), message: z.string().exactOptional() }).readonly(),
  z.object({ ...given, type: z.literal("respond"), message: z.string() }).readonly(),
]);

/** A person's decision on one request. */
export type Decision = z.infer<typeof Decision>;

/** The record of a decision: who decided what, and when. */
export type DecisionRecord = {
  readonly requestId: string;
  readonly type: Decision["type"];
  /** Who decided: the decision's own `by`, else the context's `decidedBy`. */
  readonly by?: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  /** When the decision came, in milliseconds since the epoch. */
  readonly at: number;
};

/** A decision that was used, with its record. */
export type TakenDecision = Decision & { readonly record?: DecisionRecord };

/** Whether the allowed decisions show a question rather than a call: only words are an answer. */
export function isAnsweredInWords(allowed: readonly AllowedDecision[]): boolean {
  return allowed.includes("respond") && !allowed.includes("approve");
}
