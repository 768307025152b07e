import { defined } from "../json/json.js";
import type { StructuredReply } from "../models/structured-output.js";
import { failedOutcome, type Outcome } from "../state/outcome.js";
import type { PassagesState } from "../state/passages.js";
import type { Writes } from "../state/conversation.js";
import type { Usage } from "../state/usage.js";
import { finishRun } from "./end-run.js";
import type { Run } from "./enter-run.js";

/** The state update of a node that reads passages. */
export type ReaderWrites = Writes<
  typeof PassagesState,
  "usage" | "run" | "outcome" | "answer" | "model"
> &
  Partial<Writes<typeof PassagesState, "scores" | "questions">>;

/** Ends a run with a model's reply about its passages. */
export function readerEnd(reply: StructuredReply<unknown>, before: Usage, run: Run) {
  const { usage } = reply;
  const answer = reply.ok ? JSON.stringify(reply.value) : "";
  const outcome = outcomeOf(reply);
  const record = finishRun(before, { answer, outcome, usage }, run);
  const model = reply.ok ? reply.model : undefined;
  return { usage, run: record, outcome, answer, model };
}

function outcomeOf(reply: StructuredReply<unknown>): Outcome {
  if (reply.ok) return { status: "answered" };
  const { limit, problem, cause } = reply;
  return limit === undefined
    ? failedOutcome(problem, cause)
    : { status: "limit", ...defined({ limit }), reason: problem };
}
