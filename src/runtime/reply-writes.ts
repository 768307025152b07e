import { AIMessage, type BaseMessage } from "@langchain/core/messages";

import { defined } from "../json/json.js";
import type { ModelReply } from "../models/model-request.js";
import { cutValue, type StructuredReply } from "../models/structured-output.js";
import { messageLike } from "../models/message.js";
import { withUniqueIds } from "../models/reply.js";
import type { ConversationState, Draft, Writes } from "../state/conversation.js";
import { cutEnd, failedOutcome, isDeclined, type Outcome } from "../state/outcome.js";
import { answerId, type Run } from "./enter-run.js";

/** The state update of a node that answers or acts with a model's reply. */
export type ReplyWrites = Writes<
  typeof ConversationState,
  "messages" | "usage" | "run" | "outcome" | "answer" | "draft"
>;

/** Adds a reply to the conversation; a failed or cut reply ends the run. */
export function replyWrites(
  reply: ModelReply,
  conversation: readonly BaseMessage[],
  run: Run,
  /** The id under which its text was streamed, if not as the model's own. */
  id?: string,
): ReplyWrites {
  const base = { usage: reply.usage, run: run.record() };
  if (reply.kind === "replied") {
    const message = withUniqueIds(reply.message, conversation);
    const said = id === undefined ? message : messageLike(message, { id });
    const isCall = (message.tool_calls ?? []).length > 0;
    return { ...base, ...(isCall ? { messages: [said] } : saying(said, run)) };
  }
  const { said, reason } = reply;
  const partial =
    said === undefined || said.text === ""
      ? { messages: [] }
      : { ...saying(withUniqueIds(said, conversation), run), ...answering(said.text, run) };
  if (reply.kind === "failed") {
    return { ...base, ...partial, outcome: failedOutcome(reply.reason, reply.cause) };
  }
  return {
    ...base,
    ...partial,
    outcome: { status: "limit", limit: reply.limit, ...defined({ reason }) },
  };
}

/** Adds an answer to the conversation; where it must pass first, it is a draft. */
function saying(message: AIMessage, { holdsAnswer }: Pick<Run, "holdsAnswer">) {
  return holdsAnswer ? { messages: [], draft: { answer: message.text } } : { messages: [message] };
}

/** The answer of a run; where it must pass first, it is a draft. */
export function answering(answer: string, { holdsAnswer }: Pick<Run, "holdsAnswer">) {
  return holdsAnswer ? { draft: { answer } } : { answer };
}

/** The end of a run with an answer that a node has: the answer is the last message. */
export function answeredEnd(
  content: string,
  run: Pick<Run, "runId" | "holdsAnswer">,
  /** The id under which it was streamed. */
  id = answerId(run.runId),
) {
  const outcome: Outcome = { status: "answered" };
  return { outcome, ...saying(new AIMessage({ id, content }), run) };
}

type FailedReply = StructuredReply<unknown> & { readonly ok: false };
type End = { readonly outcome: Outcome; readonly answer?: string; readonly draft?: Draft };

/** How the run ends where no object came and asking again makes no sense: at a limit, or when the model declined. */
export function finalEnd({ limit, problem, cause }: FailedReply): End | undefined {
  if (limit !== undefined) return { outcome: { status: "limit", limit } };
  return isDeclined(cause) ? { outcome: failedOutcome(problem, cause) } : undefined;
}

/** How the run ends where the object with its answer did not come; in a cut object the text of `field` is the answer. */
export function unansweredEnd(
  { limit, problem, cause, cut }: FailedReply,
  field: string,
  run: Pick<Run, "holdsAnswer">,
): End {
  if (limit !== undefined) return { outcome: { status: "limit", limit } };
  if (cut === undefined) return { outcome: failedOutcome(problem, cause) };
  const { outcome, answer } = cutEnd(cutValue(cut, field), problem);
  return { outcome, ...(answer === undefined ? {} : answering(answer, run)) };
}
