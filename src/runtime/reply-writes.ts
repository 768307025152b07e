import type { BaseMessage } from "@langchain/core/messages";

import type { ModelReply } from "../models/model-request.js";
import { withUniqueIds } from "../models/unique-ids.js";
import type { ConversationState } from "../state/conversation.js";
import { failedOutcome } from "../state/outcome.js";
import type { Writes } from "../state/writes.js";
import type { Run } from "./enter-run.js";

/** What a node writes that answers, or acts, with a model's reply. */
export type ReplyWrites = Writes<
  typeof ConversationState,
  "messages" | "usage" | "run" | "outcome"
>;

/** A reply as the conversation's next message; one that did not come ends the run. */
export function replyWrites(
  reply: ModelReply,
  conversation: readonly BaseMessage[],
  run: Run,
): ReplyWrites {
  const base = { usage: reply.usage, run: run.record() };
  if (reply.kind === "replied") {
    return { ...base, messages: [withUniqueIds(reply.message, conversation)] };
  }
  if (reply.kind === "limit") {
    return { ...base, messages: [], outcome: { status: "limit", limit: reply.limit } };
  }
  return { ...base, messages: [], outcome: failedOutcome(reply.reason, reply.cause) };
}
