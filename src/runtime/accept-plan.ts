import { canonicalPlan } from "../plan/print-plan.js";
import type { ToolStep } from "../plan/step.js";
import { failedOutcome, isDeclined, type Outcome } from "../state/outcome.js";
import type { Planning } from "../state/plan.js";
import type { StreamedPlan } from "./stream-plan.js";

/** What a streamed plan makes of the run. */
export type AcceptedPlan = {
  /** The steps to run; of a plan that is not taken those that have begun. */
  readonly steps: readonly ToolStep[];
  /** How the run ends with it. */
  readonly outcome?: Outcome;
  readonly answer?: string;
  /** Why the rest of the plan did not come. */
  readonly unplanned?: string;
};

/**
 * Takes a plan for the run's, or says how the run ends. A plan that could not be completed is what of it has
 * begun; a new one that equals an earlier one, or does not come, ends the run with what is known. Without
 * any plan there are no steps and no outcome: the run goes on without one.
 */
export function acceptPlan(
  { reply, begun }: StreamedPlan,
  { steps: earlier, plans }: Pick<Planning, "steps" | "plans">,
): AcceptedPlan {
  if (!reply.ok) {
    const { limit, problem, cause } = reply;
    if (limit !== undefined) return { steps: begun, outcome: { status: "limit", limit } };
    if (isDeclined(cause)) return { steps: begun, outcome: failedOutcome(problem, cause) };
    if (begun.length > 0) return { steps: begun, unplanned: problem };
    return { steps: begun, ...(earlier.length > 0 ? noNewPlan(problem) : {}) };
  }
  const { value } = reply;
  if (value.kind === "answer") {
    // What is said in place of the rest of a plan that has begun knows nothing of its results.
    if (begun.length > 0) return { steps: begun };
    return { steps: [], outcome: { status: "answered" }, answer: value.text };
  }
  const { steps } = value;
  const isNew = steps.length > 0 && !plans.includes(canonicalPlan(steps));
  return isNew ? { steps } : { steps: begun, ...noNewPlan("the new plan repeats an earlier one") };
}

function noNewPlan(reason: string): { readonly outcome: Outcome } {
  return { outcome: { status: "limit", limit: "replans", reason } };
}
