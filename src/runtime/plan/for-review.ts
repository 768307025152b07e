import { canonicalPlan } from "../../plan/print-plan.js";
import type { Step } from "../../plan/step.js";
import type { Writes } from "../../state/conversation.js";
import { failedOutcome, type Outcome } from "../../state/outcome.js";
import type { Planning, PlanState } from "../../state/plan.js";

/** What a planner has written. */
type Written = Partial<Writes<typeof PlanState, "outcome" | "planning">> & {
  readonly steps?: readonly Step[];
};

/**
 * Leads a new plan to its review. Without a plan the run ends, and with one that a person has rejected: nothing runs that
 * nobody has seen.
 */
export function forReview(
  { steps = [], outcome, planning = {} }: Written,
  { planning: { earlierPlans } }: Pick<Planning, "planning">,
): Written & Writes<typeof PlanState, "feedback"> {
  const feedback = undefined;
  if (outcome !== undefined) return { feedback };
  if (steps.length === 0) {
    const reason = "No plan came that can run, and only one that a person has seen may.";
    return { feedback, outcome: failedOutcome(reason) };
  }
  if (earlierPlans.includes(canonicalPlan(steps))) {
    return { feedback, steps: [], outcome: repeated };
  }
  return { feedback, planning: { ...planning, awaitsReview: true } };
}

const repeated: Outcome = {
  status: "limit",
  limit: "replans",
  reason: "the new plan repeats one that a person rejected",
};
