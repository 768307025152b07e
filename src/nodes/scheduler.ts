import { HumanMessage } from "@langchain/core/messages";
import type { Command, GraphNode } from "@langchain/langgraph";

import { defined } from "../json/json.js";
import { canonicalPlan } from "../plan/print-plan.js";
import { type ToolStep, toolStepsOf } from "../plan/step.js";
import type { PlanExample } from "../roles/examples.js";
import { figureDoubt, planReading, type PlanTools } from "../roles/plan-reading.js";
import { replanPrompt } from "../roles/planner.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import type { Instructions } from "../runtime/instructions.js";
import { isFollowUp, lastQuestion } from "../runtime/messages.js";
import { forReview } from "../runtime/plan/for-review.js";
import { planContext, plannerMessages, planTools } from "../runtime/plan/context.js";
import { type NextSteps, nextSteps } from "../runtime/plan/next-steps.js";
import { closePlan, resultsOf, runPlanBatch, batchOfRunner } from "../runtime/plan/run-plan.js";
import { openStepRunner } from "../runtime/plan/run-steps.js";
import {
  type PlanStream,
  startsEarly,
  type StreamedPlan,
  streamPlan,
} from "../runtime/plan/stream-plan.js";
import { answeredEnd, finalEnd } from "../runtime/reply-writes.js";
import { type BatchWrites, withCommands } from "../runtime/turn-writes.js";
import type { Writes } from "../state/conversation.js";
import type { Outcome } from "../state/outcome.js";
import { noPlan, type Planning, type PlanState } from "../state/plan.js";
import { addUsage } from "../state/usage.js";
import { toolsFor } from "../tools/searchable.js";
import type { Toolbox } from "../tools/toolbox.js";

type SchedulerOptions = {
  readonly toolbox: Toolbox;
  /** The planner's instructions. */
  readonly instructions: Instructions;
  /** Examples in place of the built-in one. */
  readonly examples?: readonly PlanExample[] | undefined;
  /** Whether the steps of the plan are shown in the conversation; default false. */
  readonly showsSteps?: boolean;
  /** Whether hooks see the plan before any of its steps runs. */
  readonly isWatched: boolean;
  /** Whether a person reviews a plan before any of its steps runs; default false. */
  readonly isReviewed?: boolean;
  /** Whether more steps are asked for where the results leave something open; default false. */
  readonly mayGrow?: boolean;
};

type Scheduled = BatchWrites &
  Writes<typeof PlanState, "objective" | "steps" | "feedback" | "planning">;

/**
 * Schedules: asks for a plan and runs each step when its text and the results it refers to are complete, while the
 * planner still writes. On feedback, a new plan is made. The worker continues what is left of a plan.
 */
export function createScheduler(options: SchedulerOptions): GraphNode<typeof PlanState> {
  const { toolbox, instructions, examples, showsSteps, isReviewed = false, mayGrow } = options;
  const waits = options.isWatched || isReviewed;
  return async function scheduler(state, config): Promise<Scheduled | NextSteps | Command> {
    const run = enterRun(state, config, "scheduler");
    const { open } = state.planning;
    if (open !== undefined) return nextSteps(open, state, run, { toolbox, instructions, examples });
    const allowed = run.allowed(toolbox);
    const objective = lastQuestion(state.messages);
    const tools = planTools(
      await toolsFor(allowed, [{ query: objective }], state.observations),
      run,
    );
    const context = { ...planContext(allowed, { ...state, objective }, run), showsSteps, mayGrow };
    const earlier = toolStepsOf(state.steps);
    const runner = openStepRunner(resultsOf(state.observations), 1, context);
    const chat = run.openChat();
    const request = {
      ...(await plannerRequest(state, run, { tools, instructions, examples })),
      chat,
    };
    const stream: PlanStream = {
      request,
      ...continuation(state, run, tools),
      mayStart: waits ? () => false : startsEarly(context.toolbox),
      toRun: (plan) => acceptPlan(plan, state).steps,
    };
    const planned = await streamPlan(stream, run, runner.start);
    const { steps, planningError, answer, ...other } = acceptPlan(planned, state);
    const end = answer === undefined ? other : answeredEnd(answer, run, await chat?.end(answer));
    const earlierPlans = [...state.planning.earlierPlans, canonicalPlan(steps)];
    const planning = { ...state.planning, earlierPlans, planningError };
    const batch =
      end.outcome === undefined && !waits
        ? await runPlanBatch(steps, state, context, runner)
        : await batchOfRunner(runner);
    const writes: Scheduled = {
      objective,
      steps: [...earlier, ...steps],
      feedback: undefined,
      planning,
      ...closePlan(batch, steps, { ...state, planning }, context),
      ...end,
      ...(isReviewed ? reviewed({ steps, ...end, planning }) : {}),
      usage: addUsage(planned.usage, batch.usage),
    };
    return withCommands(writes, batch, run);
  };
}

/** The plan as it goes to its review: a repeated one has ended the run already. */
function reviewed(written: Parameters<typeof forReview>[0]) {
  const { steps: _steps, ...rest } = forReview(written, { planning: noPlan.planning });
  return rest;
}

type Planner = Pick<SchedulerOptions, "instructions" | "examples"> & { readonly tools: PlanTools };

/** Asks the planner for a plan, or for the missing parts of the last one. */
async function plannerRequest(
  state: Planning,
  run: Run,
  { tools, ...words }: Planner,
): Promise<PlanStream["request"]> {
  const { steps, observations, feedback } = state;
  const asked = plannerMessages(state, run, words)(tools.forms);
  const again =
    feedback === undefined
      ? []
      : [new HumanMessage(replanPrompt(feedback, toolStepsOf(steps), observations))];
  return run.request("planner", { messages: [...asked, ...again] });
}

/** The context of a new plan: the steps before it, and those of them that have results. */
function continuation({ messages, steps, observations }: Planning, run: Run, tools: PlanTools) {
  // A person may have removed a step with a result from the plan.
  const used = [...steps.map(({ id }) => id), ...observations.map(({ callId }) => callId)];
  const found = new Set(observations.filter(({ ok }) => ok).map(({ callId }) => callId));
  const { planSteps } = run.settings.limits;
  const mayAnswer = isFollowUp(messages);
  const reading = planReading(tools, { planSteps, earlier: used, mayAnswer });
  // What a later plan leaves out, an earlier one may have.
  const doubtOf = used.length === 0 ? figureDoubt(lastQuestion(messages), tools.forms) : undefined;
  return {
    reading: { ...reading, ...defined({ doubtOf }) },
    used,
    done: toolStepsOf(steps).filter(({ id }) => found.has(id)),
  };
}

type AcceptedPlan = {
  /** The steps to run; if the plan is not accepted, the begun ones. */
  readonly steps: readonly ToolStep[];
  /** How the run ends. */
  readonly outcome?: Outcome;
  /** The answer that came instead of a plan. */
  readonly answer?: string;
  /** Why the rest of the plan is missing. */
  readonly planningError?: string;
};

/**
 * Accepts a plan, or returns how the run ends. The begun steps of an incomplete plan stay; a missing or repeated replan
 * ends the run with the known results. With neither steps nor outcome, the run continues without a plan.
 */
function acceptPlan(
  { reply, begun }: StreamedPlan,
  { steps: earlier, planning }: Pick<Planning, "steps" | "planning">,
): AcceptedPlan {
  if (!reply.ok) {
    const { problem } = reply;
    const end = finalEnd(reply);
    if (end === undefined && begun.length > 0) return { steps: begun, planningError: problem };
    return { steps: begun, ...(end ?? (earlier.length > 0 ? noNewPlan(problem) : {})) };
  }
  const { value } = reply;
  if (value.kind === "answer") {
    // Text instead of the rest of a begun plan does not know its results.
    if (begun.length > 0) return { steps: begun };
    return { steps: [], answer: value.text };
  }
  const { steps } = value;
  const isNew = steps.length > 0 && !planning.earlierPlans.includes(canonicalPlan(steps));
  return isNew ? { steps } : { steps: begun, ...noNewPlan("the new plan repeats an earlier one") };
}

function noNewPlan(reason: string): { readonly outcome: Outcome } {
  return { outcome: { status: "limit", limit: "replans", reason } };
}
