import { HumanMessage } from "@langchain/core/messages";

import { toolForm } from "../../models/model-request.js";
import { type Step, type ToolStep, toolStepsOf } from "../../plan/step.js";
import type { StructuredReply } from "../../models/structured-output.js";
import { planReport } from "../../prompts/plan-report.js";
import { meansInBrackets, planReading, type PlanTools } from "../../roles/plan-reading.js";
import { nextStepsOutput, nextStepsTask, type Planned } from "../../roles/planner.js";
import type { Writes } from "../../state/conversation.js";
import type { Observation } from "../../state/observation.js";
import type { OpenPoint, Planning, PlanState } from "../../state/plan.js";
import { llmToolName } from "../../tools/builtin/llm.js";
import { toolsFor } from "../../tools/searchable.js";
import { changesSomething, statedReads, type Toolbox } from "../../tools/toolbox.js";
import type { Run } from "../enter-run.js";
import { lastQuestion } from "../messages.js";
import { openAfterPlan } from "../open-points.js";
import { plannerMessages, type PlannerWords, planTools } from "./context.js";
import { knownSteps } from "./known-steps.js";
import { endedSteps, nextCallRules } from "./next-call.js";
import { emitPlan } from "./plan-events.js";

/**
 * What the results of a plan leave open of its question, for tools that are declared reads. Nothing where another tool can
 * change anything, since nobody holds a model to one more call there; nothing after a result of an untrusted tool, which
 * would have a say in what is called next; and nothing where the answer might not come any more because of it.
 */
export function openInPlan(
  toolbox: Toolbox,
  { messages, steps, observations, planning }: PlanSoFar,
  run: Run,
): OpenPoint | undefined {
  const mayAsk = !changesSomething(toolbox) && observations.every(isTrusted);
  if (!mayAsk || stepsLeft(observations.length, run) < 1) return undefined;
  const reads = statedReads(toolbox);
  const finding = [...toolbox.values()].filter(
    ({ role, tool: { name } }) => role === undefined && reads.has(name) && name !== llmToolName,
  );
  const forms = finding.map(({ tool }) => toolForm(tool));
  const asked = {
    question: lastQuestion(messages),
    steps: toolStepsOf(steps),
    calls: observations,
  };
  return openAfterPlan(asked, forms, planning.told ?? []);
}

type PlanSoFar = Pick<Planning, "messages" | "observations" | "planning"> & {
  readonly steps: readonly Step[];
};

/** The most steps for one open point. */
const maxNextSteps = 4;

/** The model calls that stay for the rest: two for the steps, one for a figure in a result, one for the answer. */
const modelCallsKept = 4;

/** How many steps a plan of so many may still get: none where half of the time, the tokens or the money is used up. */
function stepsLeft(steps: number, { budget, settings }: Run): number {
  if (budget.left("modelCalls") < modelCallsKept || budget.usedShare() > 0.5) return 0;
  const ofPlan = (settings.limits.planSteps ?? Infinity) - steps;
  return Math.min(maxNextSteps, ofPlan, budget.left("toolCalls"));
}

/** Whether nobody outside has written a result, nor what a run inside it has read. */
function isTrusted({ trust, run }: Observation): boolean {
  return trust === undefined && (run?.observations ?? []).every(isTrusted);
}

type NextStepsOptions = PlannerWords & { readonly toolbox: Toolbox };

/** The state with the steps that came. */
export type NextSteps = { readonly steps: readonly ToolStep[] } & Writes<
  typeof PlanState,
  "planning" | "usage" | "run"
>;

/**
 * The next steps for what is open: those that no model has to write, else what the planner writes. Where none come that fit,
 * the next open point has its turn; where no reply comes, the plan stays as it is.
 */
export async function nextSteps(
  open: OpenPoint,
  state: Planning,
  run: Run,
  options: NextStepsOptions,
): Promise<NextSteps> {
  const { planning } = state;
  const steps = toolStepsOf(state.steps);
  const told = [...(planning.told ?? []), open.told];
  const known = await knownSteps(open, {
    steps,
    observations: state.observations,
    tools: planTools(run.allowed(options.toolbox), run),
    left: stepsLeft(steps.length, run),
  });
  if (known.length > 0) {
    emitPlan(known, run);
    return { steps: [...steps, ...known], planning: { told, open: undefined }, run: run.record() };
  }
  const reply = await askForSteps(open, steps, state, run, options);
  const added = reply.ok && reply.value.kind === "steps" ? reply.value.steps : [];
  if (added.length > 0) emitPlan(added, run);
  const left = { ...state, planning: { ...planning, told } };
  const asksOn = !reply.ok && reply.isUnfit === true;
  return {
    steps: [...steps, ...added],
    planning: {
      told,
      open: asksOn ? openInPlan(run.allowed(options.toolbox), left, run) : undefined,
    },
    usage: reply.usage,
    run: run.record(),
  };
}

async function askForSteps(
  open: OpenPoint,
  steps: readonly ToolStep[],
  state: Planning,
  run: Run,
  { toolbox, ...words }: NextStepsOptions,
): Promise<StructuredReply<Planned>> {
  const { objective, observations } = state;
  const seen = await toolsFor(run.allowed(toolbox), [{ query: objective }]);
  const tools = planTools(seen, run);
  const forms = tools.forms.filter(({ name }) => open.of.includes(name));
  const rules = nextCallRules({ objective, steps, observations, takes: open.takes ?? [], forms });
  const check: PlanTools["check"] = async (tool, args) => [
    ...(await tools.check(tool, args)),
    ...rules.issuesOf(tool, args),
  ];
  const earlier = steps.map(({ id }) => id);
  // A run that goes on may have less left than when something was found to be open.
  const planSteps = Math.max(1, stepsLeft(steps.length, run));
  const reading = planReading({ ...tools, forms, check }, { planSteps, earlier });
  const meantBy = meansInBrackets(objective, forms);
  const output = nextStepsOutput({ ...reading, meantBy }, rules.newCalls);
  const asked = plannerMessages(state, run, words)(tools.forms);
  const messages = [
    ...asked,
    new HumanMessage(planReport(endedSteps(steps, observations), observations)),
  ];
  const wanted = { output, task: nextStepsTask(open.told, objective), mayRepair: 1 };
  return run.askFor("planner", wanted, { messages });
}
