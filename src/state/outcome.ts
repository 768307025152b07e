import type { ReachedLimit } from "./limits.js";
import type { PersonRequests } from "./person.js";

/** All there are. */
export const handOffCauses = ["failure", "no_tool", "unsupported_input"] as const;

/**
 * What makes a person take a run over although no tool says so. "failure": it would end failed. "no_tool": nothing
 * that the graph has covers the case. "unsupported_input": the question holds an image, a sound, a video or a file that no
 * model of its role can read.
 */
export type HandOffCause = (typeof handOffCauses)[number];

/**
 * Why a run failed, or was handed off. "filtered": the provider's content filter stopped the model, or kept the
 * question from it. "refused": the model declined. Neither is asked again; for `handOffOn` both are a "failure".
 */
export type OutcomeCause = HandOffCause | "filtered" | "refused";

/** Whether a model's reply is final although it failed: asked again, or by another model, it would only be got around. */
export function isDeclined(cause: OutcomeCause | undefined): cause is "filtered" | "refused" {
  return cause === "filtered" || cause === "refused";
}

/** How a run ended. A paused run has not ended and has none. */
export type Outcome = {
  readonly status: "answered" | "needs_input" | "limit" | "handed_off" | "failed";
  /** One sentence for a person. */
  readonly reason?: string;
  /** Which limit, when `status` is "limit". "outputTokens": the answer is cut, and `answer` is as far as it came. */
  readonly limit?: ReachedLimit;
  /** What it came to grief of, where a person takes over for that; of a failed run too, unless it is "failure". */
  readonly cause?: OutcomeCause;
  /** For the person who takes over, when `status` is "handed_off": what was asked, what came of it, what is open. */
  readonly summary?: string;
  /** What a person is asked, when `status` is "needs_input": the run had no checkpointer to pause on. */
  readonly requests?: PersonRequests;
};

/** How a run ends that failed of something. */
export function failedOutcome(reason: string, cause?: OutcomeCause): Outcome {
  return { status: "failed", reason, ...(cause === undefined ? {} : { cause }) };
}

/** How a run ends whose answer stayed cut, with the answer as far as it came. */
export function cutEnd(
  answer: string,
  reason: string,
): { readonly outcome: Outcome; readonly answer?: string } {
  const outcome = { status: "limit", limit: "outputTokens", reason } as const;
  return answer === "" ? { outcome } : { outcome, answer };
}
