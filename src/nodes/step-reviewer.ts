import type { GraphNode } from "@langchain/langgraph";

import { isRecord, type JsonObject } from "../json/json.js";
import { parsePlan } from "../plan/parse/parse-plan.js";
import { canonicalPlan, printPlan } from "../plan/print-plan.js";
import { type ToolStep, toolStepsOf } from "../plan/step.js";
import { planReading } from "../roles/plan-reading.js";
import { rejectedPlan, reviewOfCalls } from "../roles/reviewer.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import { askPeople, type ProblemWith } from "../runtime/interrupts.js";
import { planTools } from "../runtime/plan/context.js";
import { emitPlanChange } from "../runtime/plan/plan-events.js";
import { waitingEnd } from "../runtime/turn-writes.js";
import type { Writes } from "../state/conversation.js";
import type { Decision } from "../state/person-requests.js";
import type { Planning, PlanState } from "../state/plan.js";
import { requestId } from "../tools/human-input.js";
import type { PersonRequest } from "../tools/tool-call.js";
import type { Toolbox } from "../tools/toolbox.js";

type Reviewed = Writes<typeof PlanState, "steps" | "feedback" | "planning" | "reviews">;

/** A plan of calls, in two parts. */
type Parts = {
  /** The steps of earlier plans, which stay. */
  readonly before: readonly ToolStep[];
  /** The steps that nobody has decided on. */
  readonly open: readonly ToolStep[];
};

/**
 * Reviews a plan of tool calls before any of them runs: shows it to a person, to approve, to edit (drop, rewrite, add) or
 * to reject with a reason, which the planner reads. Edits that cannot run are requested again.
 */
export function createStepReviewer({
  toolbox,
}: {
  readonly toolbox: Toolbox;
}): GraphNode<typeof PlanState> {
  return async function reviewer(
    state,
    config,
  ): Promise<Reviewed & Writes<typeof PlanState, "decisions" | "outcome" | "answer" | "run">> {
    const run = enterRun(state, config, "reviewer");
    const parts = partsOf(state);
    const request = requestFor(parts, state, run);
    const edits = editsOf(parts, toolbox, run);
    const problemWith: ProblemWith = async ([decision]) => {
      const edited = await edits(decision);
      return edited.ok ? undefined : edited.problem;
    };
    const asked = await askPeople([request], state.decisions, run, problemWith);
    const base = { run: run.record(), decisions: undefined };
    if (asked.kind === "cannot_pause") return { ...base, ...waitingEnd([request], run) };
    const [decision] = asked.decisions;
    const reviews = [...state.reviews, ...asked.decisions.flatMap(({ record = [] }) => record)];
    const planning = { awaitsReview: false };
    if (decision?.type === "reject" || decision === undefined) {
      const earlierPlans = [...state.planning.earlierPlans, canonicalPlan(parts.open)];
      const feedback = rejectedPlan(printPlan(parts.open), decision?.message);
      return {
        ...base,
        feedback,
        reviews,
        steps: parts.before,
        planning: { ...planning, earlierPlans },
      };
    }
    const edited = await edits(decision);
    const steps = [...parts.before, ...(edited.ok ? edited.steps : parts.open)];
    emitPlanChange(state.steps, steps, run);
    return { ...base, reviews, steps, planning };
  };
}

/** No step of a plan runs before its review: those with a result, or before one, are of earlier plans. */
function partsOf({ steps, observations }: Pick<Planning, "steps" | "observations">): Parts {
  const ended = new Set(observations.map(({ callId }) => callId));
  const all = toolStepsOf(steps);
  const from = all.findLastIndex(({ id }) => ended.has(id)) + 1;
  return { before: all.slice(0, from), open: all.slice(from) };
}

function requestFor({ open }: Parts, { planning }: Planning, { runId }: Run): PersonRequest {
  const review = reviewOfCalls(open);
  return {
    callId: "plan",
    action: {
      id: requestId(runId, "plan", String(planning.earlierPlans.length), review.args),
      ...review,
    },
    allowed: ["approve", "edit", "reject"],
  };
}

type Edited =
  | { readonly ok: true; readonly steps: readonly ToolStep[] }
  | { readonly ok: false; readonly problem: string };

/** Reads the open steps as a decision has them; those of any other than an edit stay. */
function editsOf({ before, open }: Parts, toolbox: Toolbox, run: Run) {
  const earlier = before.map(({ id }) => id);
  const tools = planTools(run.allowed(toolbox), run);
  const reading = planReading(tools, { planSteps: null, earlier });
  return async (decision: Decision | undefined): Promise<Edited> => {
    if (decision?.type !== "edit") return { ok: true, steps: open };
    const plan = parsePlan(stepsIn(decision.edited_action.args), reading.options);
    const [issue] = await reading.issuesOf(plan);
    return issue === undefined
      ? { ok: true, steps: toolStepsOf(plan.steps) }
      : { ok: false, problem: issue.message };
  };
}

/** Front ends send the input of a field as text. */
function stepsIn(args: JsonObject) {
  const { steps = [] } = args;
  return typeof steps === "string" && !isRecord(steps) ? steps : { steps };
}
