import { z } from "zod";

import type { JsonObject } from "../plan/json.js";

const Args = z.record(z.string(), z.json()).transform((args): JsonObject => args);

/** What a person may answer to a request. */
export type AllowedDecision = z.infer<typeof AllowedDecision>;
const AllowedDecision = z.enum(["approve", "edit", "reject", "respond"]);

/** One thing a person is asked: to let a call run, or to answer a question. */
export type ActionRequest = z.infer<typeof ActionRequest>;
const ActionRequest = z
  .object({
    name: z.string(),
    /** The call's arguments; those of a question have an empty `answer` too, for a form to fill in. */
    args: Args,
    description: z.string(),
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

/** Reads a person's answer to one action request, as front ends send it. */
export const Decision = z.discriminatedUnion("type", [
  z.object({ type: z.literal("approve") }).readonly(),
  z
    .object({
      type: z.literal("edit"),
      edited_action: z.object({ name: z.string(), args: Args }),
    })
    .readonly(),
  z.object({ type: z.literal("reject"), message: z.string().exactOptional() }).readonly(),
  z.object({ type: z.literal("respond"), message: z.string() }).readonly(),
]);

/** A person's answer to one action request. */
export type Decision = z.infer<typeof Decision>;

/** Whether what may be answered says that a question was asked, rather than a call shown: words alone are an answer. */
export function isAnsweredInWords(allowed: readonly AllowedDecision[]): boolean {
  return allowed.includes("respond") && !allowed.includes("approve");
}
