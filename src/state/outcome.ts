import { defined } from "../json/json.js";
import type { ReachedLimit } from "./limits.js";
import type { DecisionRecord, PersonRequests } from "./person-requests.js";

/** The causes for which a graph with the `hand_off` tool hands its runs off unless it says otherwise. */
export const usualHandOffCauses = ["failure", "no_tool", "unsupported_input"] as const;

/** All causes. */
export const handOffCauses = [
  ...usualHandOffCauses,
  "limit",
  "tool_failures",
  "no_knowledge",
] as const;

/**
 * Why a run is handed off to a person without a tool call. "failure": it would end failed. "no_tool": no tool of the
 * graph covers the case. "unsupported_input": the question has an image, audio, video or file that no model of its role
 * can read. "limit": it reached a limit; no model is asked for a last answer. "tool_failures": three calls of a tool in a
 * row failed, each after its retries, for a reason that is not the model's. "no_knowledge": an assistant has no evidence
 * for an answer.
 */
export type HandOffCause = (typeof handOffCauses)[number];

/**
 * Why a run failed, or was handed off. "filtered": the provider's content filter stopped the model or the question.
 * "refused": the model declined. Neither is asked again; for `handOffOn` both are a "failure".
 */
export type OutcomeCause = HandOffCause | "filtered" | "refused";

/** Whether a failed reply is final: asking again, or another model, would only bypass the refusal. */
export function isDeclined(cause: OutcomeCause | undefined): cause is "filtered" | "refused" {
  return cause === "filtered" || cause === "refused";
}

/** How a run ended; "refused": a check or a person did not let the question or the answer pass. A paused run has none. */
export type Outcome = {
  readonly status: "answered" | "needs_input" | "limit" | "handed_off" | "failed" | "refused";
  /** One sentence for a person. */
  readonly reason?: string;
  /** The limit, when `status` is "limit". For "outputTokens" the answer is cut, and `answer` is its beginning. */
  readonly limit?: ReachedLimit;
  /** The middleware that ended the run, by a jump to the end. */
  readonly endedBy?: string;
  /**
   * Why it was handed off without a tool call; for a failed run, unless it is "failure". "no_knowledge" beside
   * "answered": the answer says that it is not known.
   */
  readonly cause?: OutcomeCause;
  /** For the person who takes over, when `status` is "handed_off": the question, the results, what is open. */
  readonly summary?: string;
  /** The decision of the person who read the answer before it went out. */
  readonly review?: DecisionRecord;
  /** The requests to people, when `status` is "needs_input": the run had no checkpointer to pause on. */
  readonly requests?: PersonRequests;
};

/** How a run ended, for counting: one that says that it does not know has not answered. */
export function endOf({ status, cause }: Pick<Outcome, "status" | "cause">): string {
  return status === "answered" && cause === "no_knowledge" ? cause : status;
}

/** The outcome of a failed run. */
export function failedOutcome(reason: string, cause?: OutcomeCause): Outcome {
  return { status: "failed", reason, ...defined({ cause }) };
}

/** The end of a run whose answer was cut. */
export function cutEnd(
  answer: string,
  reason: string,
): { readonly outcome: Outcome; readonly answer?: string } {
  const outcome = { status: "limit", limit: "outputTokens", reason } as const;
  return answer === "" ? { outcome } : { outcome, answer };
}
