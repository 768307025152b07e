import { HumanMessage } from "@langchain/core/messages";
import type { GraphNode } from "@langchain/langgraph";

import type { ProviderTool } from "../models/provider-tool.js";
import type { StructuredReply } from "../models/structured-output.js";
import type { Reports } from "../plan/replanning.js";
import type { TaskStep } from "../plan/step.js";
import { agentPrompt } from "../roles/agent.js";
import { reportMessage } from "../prompts/shown-steps.js";
import {
  replanOutput,
  type Replanned,
  replannerPrompt,
  replanTask,
  reportTask,
} from "../roles/replanner.js";
import { type ExecutorForm, meansList } from "../roles/task-planner.js";
import type { AnswerChat } from "../run/answer-chat.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import { heard } from "../runtime/history.js";
import { type Instructions, textOf } from "../runtime/instructions.js";
import { meansOf, taskTools } from "../runtime/plan/context.js";
import { emitPlanChange } from "../runtime/plan/plan-events.js";
import {
  changePlan,
  checkPlan,
  isSamePlan,
  type PlanProgress,
  planProgress,
} from "../runtime/plan/task-plan.js";
import { answeredEnd, finalEnd, unansweredEnd } from "../runtime/reply-writes.js";
import type { Writes } from "../state/conversation.js";
import type { Planning, PlanState } from "../state/plan.js";
import type { Toolbox } from "../tools/toolbox.js";

type ReplannerOptions = {
  /** The tools with which steps run. */
  readonly toolbox: Toolbox;
  /** Tools that the model's server runs. */
  readonly provided?: readonly ProviderTool[];
  readonly instructions: Instructions;
  /** Whether the user hears how the plan goes on: not, in events, or in the chat as well. */
  readonly reports?: Reports;
  /** The executors to which the planner assigns tasks. */
  readonly executors?: readonly ExecutorForm[];
  /** Whether a person reviews a plan before it runs. */
  readonly isReviewed: boolean;
};

type Decided = Writes<typeof PlanState, "steps" | "planning" | "answer" | "draft" | "outcome"> &
  Partial<Writes<typeof PlanState, "messages">> & { readonly replans?: number };

/** Replans: reads the results, then answers or rewrites the open steps. Ended steps do not change. */
export function createReplanner(options: ReplannerOptions): GraphNode<typeof PlanState> {
  const { toolbox, instructions, isReviewed, provided = [], executors = [] } = options;
  const { reports = "none" } = options;
  return async function replanner(
    state,
    config,
  ): Promise<Decided & Writes<typeof PlanState, "planning" | "feedback" | "usage" | "run">> {
    const run = enterRun(state, config, "replanner");
    const names = executors.map(({ name }) => name);
    checkPlan(state, names);
    const progress = planProgress(state);
    const { ended, failed } = progress;
    const { planSteps } = run.settings.limits;
    const asked = new HumanMessage(replannerPrompt({ ...state, ...progress }));
    const { forms, acts } = await taskTools(toolbox, provided, run, state.objective);
    const means = meansList(meansOf(forms, executors, run));
    const text = `${textOf(instructions, state, run)}\n\n${means}`;
    const prompt = agentPrompt(heard("replanner", state, run), text, run.dateLine());
    const output = replanOutput({
      soFar: progress,
      failed,
      rejected: state.planning.earlierPlans,
      planSteps,
      acts,
      executors: names,
      reports: reports !== "none",
    });
    const chat = run.openChat();
    const reply = await run.askFor(
      "replanner",
      { output, task: reports === "none" ? replanTask : reportTask },
      { messages: [...prompt, asked], chat },
    );
    const decided = await decision(reply, progress, state, { run, chat });
    return {
      ...decided,
      ...told(reply, decided, state, { run, reports }),
      planning: {
        ...decided.planning,
        awaitsReview: isReviewed && (decided.replans ?? 0) > state.replans,
        reviewedStepIds: [...ended],
      },
      feedback: undefined,
      usage: reply.usage,
      run: run.record(),
    };
  };
}

/** Tells the user how the plan goes on. An answer that must pass first is not told in pieces. */
function told(
  reply: StructuredReply<Replanned>,
  { outcome }: Decided,
  { messages }: Planning,
  { run, reports }: { readonly run: Run; readonly reports: Reports },
): Partial<Writes<typeof PlanState, "messages">> {
  const isOver = outcome !== undefined || !reply.ok || reply.value.action === "respond";
  const report = isOver ? undefined : reply.value.report;
  if (report === undefined || reports === "none") return {};
  run.emit({ type: "progress", content: { text: report } });
  if (reports === "events" || run.holdsAnswer) return {};
  return { messages: [reportMessage(report, messages, run.runId)] };
}

/** The state after the replanner's reply; a change beyond the limit ends the run. */
async function decision(
  reply: StructuredReply<Replanned>,
  progress: PlanProgress,
  state: Planning,
  { run, chat }: { readonly run: Run; readonly chat: AnswerChat | undefined },
): Promise<Decided> {
  if (!reply.ok) {
    // The plan is accepted: the run continues with it.
    const isWanted = progress.failed.size === 0 && state.feedback === undefined;
    const mayContinue = progress.open.length > 0 && isWanted;
    return mayContinue && finalEnd(reply) === undefined
      ? {}
      : unansweredEnd(reply, "response", run);
  }
  const { value } = reply;
  if (value.action === "respond") {
    const over = progress.steps.filter(({ id }) => progress.ended.has(id));
    emitPlanChange(progress.steps, over, run);
    return answeredEnd(value.response, run, await chat?.end(value.response));
  }
  return continued(value.steps, progress, state, run);
}

function continued(
  open: readonly TaskStep[],
  progress: PlanProgress,
  { replans }: Planning,
  run: Run,
): Decided {
  const isSame = isSamePlan(open, progress.open);
  const { replans: limit } = run.settings.limits;
  if (!isSame && limit !== null && replans >= limit) {
    const reason = `the plan was to be changed once more: ${open.map(({ task }) => task).join(" ")}`;
    return { outcome: { status: "limit", limit: "replans", reason } };
  }
  return { ...changePlan(progress, open, run), ...(isSame ? {} : { replans: replans + 1 }) };
}
