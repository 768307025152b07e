import { HumanMessage } from "@langchain/core/messages";
import type { GraphNode, LangGraphRunnableConfig } from "@langchain/langgraph";

import { canonicalPlan } from "../plan/print-plan.js";
import { toolStepsOf } from "../plan/step.js";
import { dateLine } from "../prompts/date-line.js";
import { planReading, type PlanTools } from "../roles/plan-reading.js";
import { plannerPrompt, replanPrompt } from "../roles/planner.js";
import { acceptPlan } from "../runtime/accept-plan.js";
import { closePlan, type PlanWrites } from "../runtime/close-plan.js";
import { startsEarly } from "../runtime/early-steps.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import { isFollowUp, lastQuestion } from "../runtime/last-question.js";
import { modelRequest } from "../runtime/model-request.js";
import { planContext } from "../runtime/plan-context.js";
import { planTools } from "../runtime/plan-tools.js";
import { resultsOf, roundOfPlan, roundOfWave } from "../runtime/run-plan.js";
import { openWave } from "../runtime/run-wave.js";
import { type PlanStream, streamPlan } from "../runtime/stream-plan.js";
import type { Writes } from "../state/conversation.js";
import type { Planning, PlanState } from "../state/plan.js";
import { addUsage } from "../state/usage.js";
import type { Toolbox } from "../tools/toolbox.js";

/** What the scheduler works with. */
export type SchedulerOptions = {
  readonly toolbox: Toolbox;
  /** What the planner is told. */
  readonly instructions: string;
};

type Scheduled = PlanWrites &
  Writes<typeof PlanState, "objective" | "steps" | "plans" | "feedback" | "unplanned">;

/**
 * Schedules: has a plan made and runs its steps, each as soon as its text is complete and what it refers to
 * is there, while the planner is still writing. A plan that has begun is worked off; a run without one,
 * or with one that is to be replaced, gets a new one.
 */
export function createScheduler({
  toolbox,
  instructions,
}: SchedulerOptions): GraphNode<typeof PlanState> {
  return async function scheduler(state, config): Promise<Scheduled | PlanWrites> {
    const run = enterRun(state, config, "scheduler");
    const tools = planTools(toolbox, run);
    const context = planContext(toolbox, state, run, config);
    const earlier = toolStepsOf(state.steps);
    if (earlier.length > 0 && state.feedback === undefined) {
      return closePlan(await roundOfPlan(earlier, state, context), earlier, state, context);
    }
    const wave = openWave(resultsOf(state.observations), 1, context);
    const request = await plannerRequest(state, run, config, { tools, instructions });
    const stream: PlanStream = {
      request,
      ...goingOn(state, run, tools),
      mayStart: startsEarly(context.toolbox),
      toRun: (plan) => acceptPlan(plan, state).steps,
    };
    const planned = await streamPlan(stream, run, wave.start);
    const { steps, ...end } = acceptPlan(planned, state);
    const round =
      end.outcome === undefined
        ? await roundOfPlan(steps, state, context, wave)
        : await roundOfWave(wave);
    return {
      objective: lastQuestion(state.messages),
      steps: [...earlier, ...steps],
      plans: [...state.plans, canonicalPlan(steps)],
      feedback: undefined,
      unplanned: undefined,
      ...closePlan(round, steps, { ...state, unplanned: end.unplanned }, context),
      ...end,
      usage: addUsage(planned.usage, round.usage),
    };
  };
}

type Planner = { readonly tools: PlanTools; readonly instructions: string };

/** What the planner is asked: for a plan, or for what the plan lacked. */
async function plannerRequest(
  { messages, steps, observations, feedback }: Planning,
  run: Run,
  config: LangGraphRunnableConfig,
  { tools, instructions }: Planner,
): Promise<PlanStream["request"]> {
  const date = dateLine(run.clock.now(), run.settings.timeZone);
  const asked = plannerPrompt(messages, instructions, date, tools.forms);
  const again =
    feedback === undefined
      ? []
      : [new HumanMessage(replanPrompt(feedback, toolStepsOf(steps), observations))];
  return { ...(await modelRequest(run, config, "planner")), messages: [...asked, ...again] };
}

/** What a plan goes on from: the steps before it, and those of them whose results stand. */
function goingOn({ messages, steps, observations }: Planning, run: Run, tools: PlanTools) {
  // A person may have taken a step out of the plan that has a result.
  const used = [...steps.map(({ id }) => id), ...observations.map(({ callId }) => callId)];
  const found = new Set(observations.filter(({ ok }) => ok).map(({ callId }) => callId));
  const { planSteps } = run.settings.limits;
  const mayAnswer = isFollowUp(messages);
  return {
    reading: planReading(tools, { planSteps, earlier: used, mayAnswer }),
    used,
    done: toolStepsOf(steps).filter(({ id }) => found.has(id)),
  };
}
