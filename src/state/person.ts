import { z } from "zod";

import type { JsonObject } from "../json/json.js";

const Args = z.record(z.string(), z.json()).transform((args): JsonObject => args);

/** What a person may answer to a request. */
export type AllowedDecision = z.infer<typeof AllowedDecision>;
const AllowedDecision = z.enum(["approve", "edit", "reject", "respond"]);

/** One thing a person is asked: to let a call run, or to answer a question. */
export type ActionRequest = z.infer<typeof ActionRequest>;
const ActionRequest = z
  .object({
    /**
     * Names this request: a decision with it is for this request and no other. The same whenever the same is asked
     * again; empty where it was asked in another program.
     */
    id: z.string().default(""),
    name: z.string(),
    /** The call's arguments; those of a question have an empty `answer` too, for a form to fill in. */
    args: Args,
    description: z.string(),
    /** ISO time after which a decision comes too late to be carried out; absent: never. */
    expires_at: z.string().exactOptional(),
    /** What the tool states that running it does; absent for what is no call of a tool, and where nothing is stated. */
    effect: z.enum(["read", "idempotent", "write"]).exactOptional(),
  })
  .readonly();

/** What may be answered to the action request at the same position. */
export type ReviewConfig = z.infer<typeof ReviewConfig>;
const ReviewConfig = z
  .object({
    action_name: z.string(),
    allowed_decisions: z.array(AllowedDecision).readonly(),
  })
  .readonly();

/**
 * The one shape in which a run asks people, as an interrupt's value or in `outcome.requests`:
 * LangChain's human-in-the-loop request, which agent-chat-ui renders. The schema reads it where it
 * comes from outside, as a front end has it from a server; it drops fields that it does not know.
 */
export const PersonRequests = z
  .object({
    action_requests: z.array(ActionRequest).readonly(),
    review_configs: z.array(ReviewConfig).readonly(),
    /** Why the last answer could not be used, when the same is asked again. */
    error: z.string().exactOptional(),
  })
  .readonly();

/** What people are asked in one pause. */
export type PersonRequests = z.infer<typeof PersonRequests>;

const given = {
  /** The `id` of the request that is answered; without one a decision is bound to nothing but its place in the list. */
  id: z.string().exactOptional(),
  /** Who decided, as far as the caller tells. */
  by: z.string().exactOptional(),
};

/** Reads a person's answer to one action request, as front ends send it. */
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

/** A person's answer to one action request. */
export type Decision = z.infer<typeof Decision>;

/** What is kept of a decision: who decided what, and when. */
export type DecisionRecord = {
  readonly requestId: string;
  readonly type: Decision["type"];
  /** Who decided, as far as the caller tells: the decision's own `by`, else the context's `decidedBy`. */
  readonly by?: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  /** When the decision came, in milliseconds since the epoch. */
  readonly at: number;
};

/** A decision that was taken for an answer, with what is kept of it. */
export type TakenDecision = Decision & { readonly record?: DecisionRecord };

/** Whether what may be answered says that a question was asked, rather than a call shown: words alone are an answer. */
export function isAnsweredInWords(allowed: readonly AllowedDecision[]): boolean {
  return allowed.includes("respond") && !allowed.includes("approve");
}
