import type { GraphNode } from "@langchain/langgraph";

import { toolForm } from "../models/model-request.js";
import type { StructuredReply } from "../models/structured-output.js";
import { planTask } from "../roles/planner.js";
import { taskPlanForm, taskPlannerPrompt, type TasksPlanned } from "../roles/task-planner.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import { isFollowUp, lastQuestion, wholeTask } from "../runtime/messages.js";
import { emitPlan } from "../runtime/plan/task-plan.js";
import type { Writes } from "../state/conversation.js";
import { failedOutcome, isDeclined } from "../state/outcome.js";
import type { PlanState } from "../state/plan.js";
import { changesSomething, type Toolbox } from "../tools/toolbox.js";

/** What a plan of tasks is made with. */
export type TaskPlannerOptions = {
  /** The tools that steps are carried out with. */
  readonly toolbox: Toolbox;
  readonly instructions: string;
  /** Whether a person sees a plan before it is carried out. */
  readonly isReviewed: boolean;
};

type Planned = Writes<typeof PlanState, "steps" | "planning" | "outcome" | "answer">;

/**
 * Plans: asks the planner model for the tasks that lead to the answer. A plan that cannot be carried out goes
 * back to it, twice at most; then the whole question is the only task.
 */
export function createTaskPlanner({
  toolbox,
  instructions,
  isReviewed,
}: TaskPlannerOptions): GraphNode<typeof PlanState> {
  const tools = [...toolbox.values()].map(({ tool }) => toolForm(tool));
  const acts = changesSomething(toolbox);
  return async function planner(
    state,
    config,
  ): Promise<Planned & Writes<typeof PlanState, "objective" | "usage" | "run">> {
    const run = enterRun(state, config, "planner");
    const objective = lastQuestion(state.messages);
    const mayAnswer = isFollowUp(state.messages);
    const form = taskPlanForm(run.settings.limits.planSteps, acts, mayAnswer);
    const wanted = { form, task: planTask(mayAnswer) };
    const reply = await run.askFor("planner", wanted, {
      messages: taskPlannerPrompt(state.messages, instructions, run.dateLine(), tools),
    });
    const planned = plannedWrites(reply, objective, run);
    const awaitsReview = isReviewed && planned.outcome === undefined;
    return {
      objective,
      ...planned,
      planning: { awaitsReview },
      usage: reply.usage,
      run: run.record(),
    };
  };
}

/** What the planner's reply makes of the run. Without a plan the question is asked of the executor as it is. */
function plannedWrites(
  reply: StructuredReply<TasksPlanned>,
  objective: string,
  run: Run,
): Pick<Planned, "steps" | "outcome" | "answer"> {
  if (!reply.ok) {
    const { limit, problem, cause } = reply;
    if (limit !== undefined) return { steps: [], outcome: { status: "limit", limit } };
    if (isDeclined(cause)) return { steps: [], outcome: failedOutcome(problem, cause) };
    run.emit({ type: "degraded", to: "react", reason: problem });
    const whole = [{ kind: "task", id: "S1", task: wholeTask(objective), final: true }] as const;
    emitPlan(whole, run);
    return { steps: whole };
  }
  const { value } = reply;
  if (value.kind === "answer") {
    return { steps: [], outcome: { status: "answered" }, answer: value.text };
  }
  emitPlan(value.steps, run);
  return { steps: value.steps };
}
