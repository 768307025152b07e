import { HumanMessage } from "@langchain/core/messages";

import { canonicalJson, type Json } from "../../json/json.js";
import { toolForm } from "../../models/model-request.js";
import { nextStepId, type ToolStep, toolStepsOf } from "../../plan/step.js";
import type { StructuredReply } from "../../models/structured-output.js";
import type { PlanExample } from "../../roles/examples.js";
import { planReport } from "../../prompts/plan-report.js";
import { planReading } from "../../roles/plan-reading.js";
import { nextStepOutput, nextStepTask, type Planned, plannerPrompt } from "../../roles/planner.js";
import type { Writes } from "../../state/conversation.js";
import type { Observation } from "../../state/observation.js";
import type { OpenPoint, Planning, PlanState } from "../../state/plan.js";
import { llmToolName } from "../../tools/builtin/llm.js";
import { toolsFor } from "../../tools/searchable.js";
import { changesSomething, statedReads, type Toolbox } from "../../tools/toolbox.js";
import type { Run } from "../enter-run.js";
import { heard } from "../history.js";
import { type Instructions, textOf } from "../instructions.js";
import { lastQuestion } from "../messages.js";
import { openAfterPlan } from "../open-points.js";
import { planTools } from "./context.js";
import { emitPlan } from "./plan-events.js";

/**
 * What the results of a plan leave open of its question, for tools that are declared reads. Nothing where another tool can
 * change anything, since nobody holds a model to one more call there; nothing after a result of an untrusted tool, which
 * would have a say in what is called next; and nothing where the plan may have no more steps.
 */
export function openInPlan(
  toolbox: Toolbox,
  { messages, observations, planning }: Pick<Planning, "messages" | "observations" | "planning">,
  run: Run,
): OpenPoint | undefined {
  const { planSteps } = run.settings.limits;
  const isFull = observations.length >= (planSteps ?? Infinity);
  if (isFull || changesSomething(toolbox) || !observations.every(isTrusted)) return undefined;
  const reads = statedReads(toolbox);
  const finding = [...toolbox.values()].filter(
    ({ role, tool: { name } }) => role === undefined && reads.has(name) && name !== llmToolName,
  );
  const forms = finding.map(({ tool }) => toolForm(tool));
  return openAfterPlan(lastQuestion(messages), observations, forms, planning.told ?? []);
}

/** Whether nobody outside has written a result, nor what a run inside it has read. */
function isTrusted({ trust, run }: Observation): boolean {
  return trust === undefined && (run?.observations ?? []).every(isTrusted);
}

type NextStepOptions = {
  readonly toolbox: Toolbox;
  /** The planner's instructions. */
  readonly instructions: Instructions;
  readonly examples?: readonly PlanExample[] | undefined;
};

/** The state with one more step, if there is one. */
export type NextStep = { readonly steps: readonly ToolStep[] } & Writes<
  typeof PlanState,
  "planning" | "usage" | "run"
>;

/**
 * Asks the planner for one more step, for what is open. Where none comes that is new, the next open point has its turn, and
 * without a reply that can be read the plan stays as it is.
 */
export async function nextStep(
  open: OpenPoint,
  state: Planning,
  run: Run,
  options: NextStepOptions,
): Promise<NextStep> {
  const { observations, planning } = state;
  const steps = toolStepsOf(state.steps);
  const reply = await askForStep(open, steps, state, run, options);
  const added =
    reply.ok && reply.value.kind === "steps" ? newOf(reply.value.steps, steps, observations) : [];
  if (added.length > 0) emitPlan(added, run);
  const told = [...(planning.told ?? []), open.told];
  const asksOn = reply.ok && added.length === 0;
  const left = { ...state, planning: { ...planning, told } };
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

async function askForStep(
  open: OpenPoint,
  steps: readonly ToolStep[],
  state: Planning,
  run: Run,
  { toolbox, instructions, examples }: NextStepOptions,
): Promise<StructuredReply<Planned>> {
  const { objective, observations } = state;
  const seen = await toolsFor(run.allowed(toolbox), [{ query: objective }]);
  const tools = planTools(seen, run);
  const forms = tools.forms.filter(({ name }) => open.of.includes(name));
  const earlier = steps.map(({ id }) => id);
  const output = nextStepOutput(planReading({ ...tools, forms }, { planSteps: 1, earlier }));
  const text = textOf(instructions, state, run);
  const read = heard("planner", state, run);
  const asked = plannerPrompt(read, text, run.dateLine(), tools.forms, examples);
  const messages = [...asked, new HumanMessage(planReport(steps, observations))];
  return run.askFor("planner", { output, task: nextStepTask(open.told, objective) }, { messages });
}

/** The steps whose calls nobody has made, with ids of their own. */
function newOf(
  written: readonly ToolStep[],
  steps: readonly ToolStep[],
  observations: readonly Observation[],
): ToolStep[] {
  const callsMade = observations.map(({ tool, args }) => callKey(tool, args));
  const made = new Set([...callsMade, ...steps.map(({ tool, args }) => callKey(tool, args))]);
  const ids = steps.map(({ id }) => id);
  return written
    .filter(({ tool, args }) => !made.has(callKey(tool, args)))
    .map((step) => ({ ...step, id: nextStepId(ids, "tool") }));
}

function callKey(tool: string, args: Json): string {
  return `${tool} ${canonicalJson(args)}`;
}
