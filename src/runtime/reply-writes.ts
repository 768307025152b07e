import type { BaseMessage } from "@langchain/core/messages";

import type { ModelReply } from "../models/model-request.js";
import { withUniqueIds } from "../models/unique-ids.js";
import type { ConversationState, Writes } from "../state/conversation.js";
import { failedOutcome } from "../state/outcome.js";
import type { Run } from "./enter-run.js";

/** What a node writes that answers, or acts, with a model's reply. */
export type ReplyWrites = Writes<
  typeof ConversationState,
  "messages" | "usage" | "run" | "outcome" | "answer"
>;

/** A reply as the conversation's next message; one that did not come, or not whole, ends the run. */
export function replyWrites(
  reply: ModelReply,
  conversation: readonly BaseMessage[],
  run: Run,
): ReplyWrites {
  const base = { usage: reply.usage, run: run.record() };
  if (reply.kind === "replied") {
    return { ...base, messages: [withUniqueIds(reply.message, conversation)] };
  }
  const { said, reason } = reply;
  const isSaid = said !== undefined && said.text !== "";
  const told = isSaid
    ? { messages: [withUniqueIds(said, conversation)], answer: said.text }
    : { messages: [] };
  if (reply.kind === "failed") {
    return { ...base, ...told, outcome: failedOutcome(reply.reason, reply.cause) };
  }
  const { limit } = reply;
  const why = reason === undefined ? {} : { reason };
  return { ...base, ...told, outcome: { status: "limit", limit, ...why } };
}
