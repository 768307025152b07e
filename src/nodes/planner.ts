import { isHumanMessage } from "@langchain/core/messages";
import type { GraphNode } from "@langchain/langgraph";

import { planForm, type Planned } from "../models/plan-form.js";
import { structuredReply, type StructuredReply } from "../models/structured-reply.js";
import { toolForm } from "../models/tool-forms.js";
import { dateLine } from "../prompts/date-line.js";
import { plannerPrompt, planTask } from "../prompts/planner.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import { modelRequest } from "../runtime/model-request.js";
import type { Outcome } from "../state/outcome.js";
import type { PlanState } from "../state/plan.js";
import type { Writes } from "../state/writes.js";
import { checkPlanArguments } from "../tools/check-plan-arguments.js";
import { createLlmTool } from "../tools/llm.js";
import type { Toolbox } from "../tools/toolbox.js";

/** What plans are made of. */
export type PlannerOptions = {
  /** The tools that steps may call. */
  readonly toolbox: Toolbox;
  readonly instructions: string;
};

/** How plans are told of the steps that reason. */
const llmForm = toolForm(createLlmTool(async () => ""));

/** Plans: asks the planner model for all steps at once. A plan that cannot run goes back to it, twice at most. */
export function createPlanner({
  toolbox,
  instructions,
}: PlannerOptions): GraphNode<typeof PlanState> {
  const forms = [...[...toolbox.values()].map(({ tool }) => toolForm(tool)), llmForm];
  return async function planner(
    state,
    config,
  ): Promise<
    Writes<typeof PlanState, "objective" | "steps" | "usage" | "run" | "outcome" | "answer">
  > {
    const run = enterRun(state, config, "planner");
    const date = dateLine(run.clock.now(), run.settings.timeZone);
    const { planSteps } = run.settings.limits;
    const check = (tool: string, args: Parameters<typeof checkPlanArguments>[2]) =>
      checkPlanArguments(toolbox, tool, args);
    const reply = await structuredReply(
      {
        ...(await modelRequest(run, config, "planner")),
        messages: plannerPrompt(state.messages, instructions, date, forms),
      },
      planForm({ forms, check }, { planSteps }),
      planTask,
    );
    return {
      objective: state.messages.findLast(isHumanMessage)?.text ?? "",
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
    const { limit, problem } = reply;
    const outcome: Outcome | undefined =
      limit === undefined ? undefined : { status: "limit", limit };
    if (outcome === undefined) run.emit({ type: "degraded", to: "react", reason: problem });
    return { steps: [], ...(outcome === undefined ? {} : { outcome }) };
  }
  const { value } = reply;
  if (value.kind === "answer") {
    return { steps: [], outcome: { status: "answered" }, answer: value.text };
  }
  const steps = value.steps.map(({ id, tool, thought = "", args }) => ({
    id,
    tool,
    thought,
    args,
  }));
  run.emit({
    type: "plan_made",
    steps: steps.map(({ id, tool }) => ({ id, tool })),
    content: { steps },
  });
  return { steps: value.steps };
}
