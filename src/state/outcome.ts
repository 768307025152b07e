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

/** How a run ended. A paused run has not ended and has none. */
export type Outcome = {
  readonly status: "answered" | "needs_input" | "limit" | "handed_off" | "failed";
  /** One sentence for a person. */
  readonly reason?: string;
  /** Which limit, when `status` is "limit". */
  readonly limit?: LimitName;
  /** What a person is asked, when `status` is "needs_input": the run had no checkpointer to pause on. */
  readonly requests?: PersonRequests;
};
