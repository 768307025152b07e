import type { GraphNode } from "@langchain/langgraph";

import { canonicalPlan } from "../plan/print-plan.js";
import { editPlan } from "../plan/revise-plan.js";
import { reviewOf } from "../roles/reviewer.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import { askPeople, type ProblemWith } from "../runtime/interrupts.js";
import { changePlan, type PlanProgress, planProgress } from "../runtime/plan/task-plan.js";
import { waitingEnd } from "../runtime/turn-writes.js";
import type { Writes } from "../state/conversation.js";
import type { Decision } from "../state/person-requests.js";
import type { Planning, PlanState } from "../state/plan.js";
import { requestId } from "../tools/human-input.js";
import type { PersonRequest } from "../tools/tool-call.js";

type Reviewed = Writes<typeof PlanState, "steps" | "feedback" | "planning" | "reviews">;

/**
 * Reviews: shows a person the open steps, to approve, to edit (drop, reorder, rewrite, add), or to reject with a
 * reason. Edits that cannot be applied are requested again.
 */
export function createReviewer({
  executors = [],
}: {
  /** The names of the executors that steps may have. */
  readonly executors?: readonly string[];
} = {}): GraphNode<typeof PlanState> {
  return async function reviewer(
    state,
    config,
  ): Promise<Reviewed & Writes<typeof PlanState, "decisions" | "outcome" | "answer" | "run">> {
    const run = enterRun(state, config, "reviewer");
    const progress = { ...planProgress(state), executors };
    const id = requestId(
      run.runId,
      "plan",
      String(state.planning.earlierPlans.length),
      reviewOf(progress.open).args,
    );
    const request = requestFor(progress, id);
    const problemWith: ProblemWith = ([decision]) => {
      const edited = decision?.type === "edit" ? editOf(decision, progress) : undefined;
      return edited?.ok === false ? edited.problem : undefined;
    };
    const asked = await askPeople([request], state.decisions, run, problemWith);
    const base = { run: run.record(), decisions: undefined };
    if (asked.kind === "cannot_pause")
      return { ...base, ...waitingEnd([requestFor(progress, id, asked.problem)], run) };
    const reviews = [...state.reviews, ...asked.decisions.flatMap(({ record = [] }) => record)];
    const { planning, ...decided } = reviewed(asked.decisions[0], progress, state, run);
    return { ...base, ...decided, reviews, planning: { ...planning, awaitsReview: false } };
  };
}

function requestFor({ open }: PlanProgress, id: string, problem?: string): PersonRequest {
  return {
    callId: "plan",
    action: { id, ...reviewOf(open, problem) },
    allowed: ["approve", "edit", "reject"],
  };
}

function reviewed(
  decision: Decision | undefined,
  progress: Reviewing,
  state: Planning,
  run: Run,
): Reviewed {
  if (decision?.type === "reject") {
    const { message = "They gave no reason." } = decision;
    const earlierPlans = [...state.planning.earlierPlans, canonicalPlan(progress.open)];
    return { feedback: message, planning: { earlierPlans } };
  }
  const edited = decision?.type === "edit" ? editOf(decision, progress) : undefined;
  return edited?.ok === true ? changePlan(progress, edited.steps, run) : {};
}

/** A plan's progress, and who may carry out its steps. */
type Reviewing = PlanProgress & { readonly executors: readonly string[] };

function editOf({ edited_action }: Decision & { type: "edit" }, progress: Reviewing) {
  return editPlan(progress, edited_action.args, progress.executors);
}
