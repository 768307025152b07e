import type { GraphNode } from "@langchain/langgraph";

import type { StructuredReply } from "../models/structured-output.js";
import { planReading } from "../roles/plan-reading.js";
import { planForm, type Planned, plannerPrompt, planTask } from "../roles/planner.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import { isFollowUp, lastQuestion } from "../runtime/messages.js";
import { planTools } from "../runtime/plan/context.js";
import { emitPlan } from "../runtime/plan/task-plan.js";
import type { Writes } from "../state/conversation.js";
import { failedOutcome, isDeclined } from "../state/outcome.js";
import type { PlanState } from "../state/plan.js";
import type { Toolbox } from "../tools/toolbox.js";

/** What plans are made of. */
export type PlannerOptions = {
  /** The tools that steps may call. */
  readonly toolbox: Toolbox;
  readonly instructions: string;
};

/** Plans: asks the planner model for all steps at once. A plan that cannot run goes back to it, twice at most. */
export function createPlanner({
  toolbox,
  instructions,
}: PlannerOptions): GraphNode<typeof PlanState> {
  return async function planner(
    state,
    config,
  ): Promise<
    Writes<typeof PlanState, "objective" | "steps" | "usage" | "run" | "outcome" | "answer">
  > {
    const run = enterRun(state, config, "planner");
    const tools = planTools(toolbox, run);
    const { planSteps } = run.settings.limits;
    const mayAnswer = isFollowUp(state.messages);
    const form = planForm(planReading(tools, { planSteps, mayAnswer }));
    const wanted = { form, task: planTask(mayAnswer) };
    const reply = await run.askFor("planner", wanted, {
      messages: plannerPrompt(state.messages, instructions, run.dateLine(), tools.forms),
    });
    return {
      objective: lastQuestion(state.messages),
      ...plannedWrites(reply, run),
      usage: reply.usage,
      run: run.record(),
    };
  };
}

/** What the planner's reply makes of the run. Without a plan that can run, the run goes on without one. */
function plannedWrites(
  reply: StructuredReply<Planned>,
  run: Run,
): Writes<typeof PlanState, "steps" | "outcome" | "answer"> {
  if (!reply.ok) {
    const { limit, problem, cause } = reply;
    if (limit !== undefined) return { steps: [], outcome: { status: "limit", limit } };
    if (isDeclined(cause)) return { steps: [], outcome: failedOutcome(problem, cause) };
    run.emit({ type: "degraded", to: "react", reason: problem });
    return { steps: [] };
  }
  const { value } = reply;
  if (value.kind === "answer") {
    return { steps: [], outcome: { status: "answered" }, answer: value.text };
  }
  emitPlan(value.steps, run);
  return { steps: value.steps };
}
