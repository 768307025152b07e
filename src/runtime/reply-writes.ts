import { AIMessage, type BaseMessage } from "@langchain/core/messages";

import { defined } from "../json/json.js";
import type { ModelReply } from "../models/model-request.js";
import { cutValue, type StructuredReply } from "../models/structured-output.js";
import { withUniqueIds } from "../models/reply.js";
import type { ConversationState, Writes } from "../state/conversation.js";
import { cutEnd, failedOutcome, isDeclined, type Outcome } from "../state/outcome.js";
import type { Run } from "./enter-run.js";

/** The state update of a node that answers or acts with a model's reply. */
export type ReplyWrites = Writes<
  typeof ConversationState,
  "messages" | "usage" | "run" | "outcome" | "answer"
>;

/** Adds a reply to the conversation; a failed or cut reply ends the run. */
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
  const partial =
    said === undefined || said.text === ""
      ? { messages: [] }
      : { messages: [withUniqueIds(said, conversation)], answer: said.text };
  if (reply.kind === "failed") {
    return { ...base, ...partial, outcome: failedOutcome(reply.reason, reply.cause) };
  }
  return {
    ...base,
    ...partial,
    outcome: { status: "limit", limit: reply.limit, ...defined({ reason }) },
  };
}

/** The end of a run with an answer that a node has: the answer is the last message. */
export function answeredEnd(answer: string, { runId }: Pick<Run, "runId">) {
  const outcome: Outcome = { status: "answered" };
  return { outcome, messages: [answerMessage(answer, runId)] };
}

/** The answer of a run as a message; a run has one, so that a later one takes its place. */
export function answerMessage(
  content: string,
  runId: string,
  additional_kwargs: AIMessage["additional_kwargs"] = {},
): AIMessage {
  return new AIMessage({ id: `answer:${runId}`, content, additional_kwargs });
}

type FailedReply = StructuredReply<unknown> & { readonly ok: false };
type End = { readonly outcome: Outcome; readonly answer?: string };

/** How the run ends where no object came and asking again makes no sense: at a limit, or when the model declined. */
export function finalEnd({ limit, problem, cause }: FailedReply): End | undefined {
  if (limit !== undefined) return { outcome: { status: "limit", limit } };
  return isDeclined(cause) ? { outcome: failedOutcome(problem, cause) } : undefined;
}

/** How the run ends where the object with its answer did not come; in a cut object the text of `field` is the answer. */
export function unansweredEnd({ limit, problem, cause, cut }: FailedReply, field: string): End {
  if (limit !== undefined) return { outcome: { status: "limit", limit } };
  return cut === undefined
    ? { outcome: failedOutcome(problem, cause) }
    : cutEnd(cutValue(cut, field), problem);
}
