import type { PersonRequests } from "./person.js";

/** The limits a run can be given; see `Limits` for their units and defaults. */
export type LimitName =
  | "modelCalls"
  | "toolCalls"
  | "replans"
  | "planSteps"
  | "seconds"
  | "tokens"
  | "costUsd"
  | "repeatedCalls";

/** All there are. */
export const handOffCauses = ["failure", "uncovered", "unreadable"] as const;

/**
 * What makes a person take a run over although no tool says so. "failure": it would end failed. "uncovered": nothing
 * that the graph has covers the case. "unreadable": the question holds an image, a sound, a video or a file that no
 * model of its role can read.
 */
export type HandOffCause = (typeof handOffCauses)[number];

/** How a run ended. A paused run has not ended and has none. */
export type Outcome = {
  readonly status: "answered" | "needs_input" | "limit" | "handed_off" | "failed";
  /** One sentence for a person. */
  readonly reason?: string;
  /** Which limit, when `status` is "limit". */
  readonly limit?: LimitName;
  /** What it came to grief of, where a person takes over for that; of a failed run too, unless it is "failure". */
  readonly cause?: HandOffCause;
  /** For the person who takes over, when `status` is "handed_off": what was asked, what came of it, what is open. */
  readonly summary?: string;
  /** What a person is asked, when `status` is "needs_input": the run had no checkpointer to pause on. */
  readonly requests?: PersonRequests;
};

/** How a run ends that failed of something. */
export function failedOutcome(reason: string, cause?: HandOffCause): Outcome {
  return { status: "failed", reason, ...(cause === undefined ? {} : { cause }) };
}
