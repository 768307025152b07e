import { HumanMessage } from "@langchain/core/messages";
import type { GraphNode } from "@langchain/langgraph";

import type { ProviderTool } from "../models/provider-tool.js";
import type { StructuredReply } from "../models/structured-output.js";
import type { Step } from "../plan/step.js";
import type { PlanExample, TaskExample } from "../roles/examples.js";
import { figureDoubt, planMeaning, planReading } from "../roles/plan-reading.js";
import { planOutput, type PlanOrAnswer, planTask, replanPrompt } from "../roles/planner.js";
import { type ExecutorForm, taskPlanOutput, taskPlannerPrompt } from "../roles/task-planner.js";
import type { AnswerChat } from "../run/answer-chat.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import { heard } from "../runtime/history.js";
import { type Instructions, textOf } from "../runtime/instructions.js";
import { isFollowUp, lastQuestion, wholeTask } from "../runtime/messages.js";
import { askWithSearches } from "../runtime/plan/ask-with-searches.js";
import { meansOf, plannerMessages, planTools, taskTools } from "../runtime/plan/context.js";
import { forReview } from "../runtime/plan/for-review.js";
import { nextSteps } from "../runtime/plan/next-steps.js";
import { emitPlan } from "../runtime/plan/plan-events.js";
import { answeredEnd, finalEnd } from "../runtime/reply-writes.js";
import type { Writes } from "../state/conversation.js";
import type { Planning, PlanState } from "../state/plan.js";
import type { Toolbox } from "../tools/toolbox.js";

type PlannerOptions = {
  /** The tools that steps call or run with. */
  readonly toolbox: Toolbox;
  readonly instructions: Instructions;
  /** Examples in place of the built-in one. */
  readonly examples?: readonly PlanExample[] | undefined;
  /** Whether a person reviews a plan before it runs; default false. */
  readonly isReviewed?: boolean;
};

type TaskPlannerOptions = Omit<PlannerOptions, "examples"> & {
  /** Examples in place of the built-in one. */
  readonly examples?: readonly TaskExample[] | undefined;
  /** Tools that the model's server runs. */
  readonly provided?: readonly ProviderTool[];
  /** Whether a person reviews a plan before it runs. */
  readonly isReviewed: boolean;
  /** The executors to which the planner assigns tasks. */
  readonly executors?: readonly ExecutorForm[];
};

type Planned = { readonly steps: readonly Step[] } & Writes<typeof PlanState, "outcome"> &
  Partial<Writes<typeof PlanState, "messages" | "draft">>;
type PlannerWrites = Planned & Writes<typeof PlanState, "objective" | "usage" | "run">;

/** Plans: asks the planner model for all steps at once. An invalid plan goes back to it, at most twice. */
export function createPlanner({
  toolbox,
  instructions,
  examples,
  isReviewed = false,
}: PlannerOptions): GraphNode<typeof PlanState> {
  return async function planner(
    state,
    config,
  ): Promise<Partial<PlannerWrites> & Partial<Writes<typeof PlanState, "planning" | "feedback">>> {
    const run = enterRun(state, config, "planner");
    const { open } = state.planning;
    if (open !== undefined) return nextSteps(open, state, run, { toolbox, instructions, examples });
    const objective = lastQuestion(state.messages);
    const { planSteps } = run.settings.limits;
    const mayAnswer = isFollowUp(state.messages);
    const messagesFor = plannerMessages(state, run, { instructions, examples });
    const chat = run.openChat();
    const reply = await askWithSearches(run.allowed(toolbox), objective, async (seen) => {
      const tools = planTools(seen, run);
      const doubtOf = figureDoubt(objective, tools.forms);
      const meantBy = planMeaning(objective, tools);
      const reading = planReading(tools, { planSteps, mayAnswer });
      const output = planOutput({ ...reading, doubtOf, meantBy });
      const messages = [...messagesFor(tools.forms), ...rejectedBefore(state)];
      return run.askFor("planner", { output, task: planTask(mayAnswer) }, { messages, chat });
    });
    const writes = await planned(reply, [], run, chat);
    return {
      objective,
      ...writes,
      ...(isReviewed ? forReview(writes, state) : {}),
      usage: reply.usage,
      run: run.record(),
    };
  };
}

/** What a person said against the last plan. */
function rejectedBefore({ feedback }: Planning): HumanMessage[] {
  return feedback === undefined ? [] : [new HumanMessage(replanPrompt(feedback, [], []))];
}

/** Plans tasks. An invalid plan goes back to the model, at most twice; then the question is the only task. */
export function createTaskPlanner({
  toolbox,
  instructions,
  examples,
  isReviewed,
  provided = [],
  executors = [],
}: TaskPlannerOptions): GraphNode<typeof PlanState> {
  return async function planner(
    state,
    config,
  ): Promise<PlannerWrites & Writes<typeof PlanState, "planning">> {
    const run = enterRun(state, config, "planner");
    const objective = lastQuestion(state.messages);
    const mayAnswer = isFollowUp(state.messages);
    const { forms, acts } = await taskTools(toolbox, provided, run, objective);
    const { planSteps } = run.settings.limits;
    const names = executors.map(({ name }) => name);
    const output = taskPlanOutput(planSteps, acts, mayAnswer, names);
    const wanted = { output, task: planTask(mayAnswer) };
    const chat = run.openChat();
    const reply = await run.askFor("planner", wanted, {
      messages: taskPlannerPrompt(
        heard("planner", state, run),
        textOf(instructions, state, run),
        run.dateLine(),
        meansOf(forms, executors, run),
        examples,
      ),
      chat,
    });
    const whole = { kind: "task", id: "S1", task: wholeTask(objective), final: true } as const;
    const writes = await planned(reply, [whole], run, chat);
    return {
      objective,
      ...writes,
      planning: { awaitsReview: isReviewed && writes.outcome === undefined },
      usage: reply.usage,
      run: run.record(),
    };
  };
}

/** The state after the planner's reply; without a valid plan, the run continues with the steps of `instead`. */
async function planned<S extends Step>(
  reply: StructuredReply<PlanOrAnswer<S>>,
  instead: readonly S[],
  run: Run,
  chat: AnswerChat | undefined,
): Promise<Planned> {
  if (!reply.ok) {
    const end = finalEnd(reply);
    if (end !== undefined) return { steps: [], ...end };
    run.emit({ type: "degraded", to: "react", reason: reply.problem });
    if (instead.length > 0) emitPlan(instead, run);
    return { steps: instead };
  }
  const { value } = reply;
  if (value.kind === "answer") {
    return { steps: [], ...answeredEnd(value.text, run, await chat?.end(value.text)) };
  }
  emitPlan(value.steps, run);
  return { steps: value.steps };
}
