import { z } from "zod";

import { PlangraphError } from "../../errors.js";
import type { Replanning } from "../../plan/replanning.js";
import { removedIds, withoutWaiting } from "../../plan/revise-plan.js";
import { callKey, callOfStep, isFinal, type TaskStep, taskStepsOf } from "../../plan/step.js";
import { validatePlan } from "../../plan/validate-plan.js";
import { saysPlanChange } from "../../roles/executor.js";
import { issueLines } from "../../run/errors.js";
import type { Writes } from "../../state/conversation.js";
import type { Observation } from "../../state/observation.js";
import type { Pending, SubRun } from "../../state/pending.js";
import type { Planning, PlanState } from "../../state/plan.js";
import { wholeText } from "../../tools/kept-result.js";
import type { Run } from "../enter-run.js";
import { emitPlanChange } from "./plan-events.js";

/** The progress of a plan of tasks. */
export type PlanProgress = {
  readonly steps: readonly TaskStep[];
  /** The steps that have not ended, without their dependencies on steps that have. */
  readonly open: readonly TaskStep[];
  readonly ended: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
  /** Ids that no new step gets, besides those of the steps: a person may have removed steps that had ended. */
  readonly removed: readonly string[];
};

/** Computes the progress of the state's plan. */
export function planProgress({
  steps: all,
  observations,
  planning,
}: Pick<Planning, "steps" | "observations"> & Partial<Pick<Planning, "planning">>): PlanProgress {
  const steps = taskStepsOf(all);
  const ids = new Set(steps.map(({ id }) => id));
  const results = observations.filter(({ callId }) => ids.has(callId));
  const ended = new Set(results.map(({ callId }) => callId));
  const failed = new Set(results.filter((result) => hasFailed(result)).map(({ callId }) => callId));
  const open = steps
    .filter(({ id }) => !ended.has(id))
    .map((step) => withoutWaiting(step, (id) => ended.has(id)));
  const takenOut = observations.map(({ callId }) => callId).filter((id) => !ids.has(id));
  const removed = [...new Set([...(planning?.removedStepIds ?? []), ...takenOut])];
  return { steps, open, ended, failed, removed };
}

/** Whether a step has no result of its own: it failed, or was stopped before it was done. */
function hasFailed({ ok, run }: Observation): boolean {
  return !ok || (run !== undefined && run.outcome.status !== "answered");
}

/** The pending calls that belong to the plan as it is now; a caller may have changed it. */
export function pendingInPlan({
  pending,
  ...state
}: Pick<Planning, "steps" | "observations" | "pending">): Pending | undefined {
  if (pending === undefined) return undefined;
  const open = new Map(
    planProgress(state).open.map((step) => [step.id, callKey(callOfStep(step))]),
  );
  const isPlanned = (call: Pick<SubRun, "callId" | "tool" | "args">) =>
    open.get(call.callId) === callKey({ name: call.tool, args: call.args });
  const subRuns = Object.entries(pending.subRuns).filter(([, subRun]) => isPlanned(subRun));
  return { calls: pending.calls.filter(isPlanned), subRuns: Object.fromEntries(subRuns) };
}

/** Whether two lists of open steps are the same. */
export function isSamePlan(left: readonly TaskStep[], right: readonly TaskStep[]): boolean {
  return stepsText(left) === stepsText(right);
}

function stepsText(steps: readonly TaskStep[]): string {
  return JSON.stringify(
    steps.map(({ id, task, after = [], executor }) => [id, task, after.toSorted(), executor]),
  );
}

/** Whether a step's result demands a review of the plan, whatever is still open. */
export function isSurprise(result: Observation, replanning: Replanning): boolean {
  if (hasFailed(result)) return true;
  return replanning !== "on-failure" && saysPlanChange(result.content);
}

/** Results since the plan was last reviewed. */
export function freshResults({
  steps,
  observations,
  planning,
}: Pick<Planning, "steps" | "observations" | "planning">): Observation[] {
  const { ended } = planProgress({ steps, observations });
  const seen = new Set(planning.reviewedStepIds);
  return observations.filter(({ callId }) => ended.has(callId) && !seen.has(callId));
}

/** Whether the replanner must review the plan before it continues. */
export function isReplanDue(
  state: Pick<Planning, "steps" | "observations" | "planning">,
  replanning: Replanning,
): boolean {
  if (planProgress(state).open.length === 0) return true;
  const fresh = freshResults(state);
  if (replanning === "always") return fresh.length > 0;
  return fresh.some((result) => isSurprise(result, replanning));
}

type Plan = Pick<Planning, "steps" | "observations" | "planning">;

/** Whether the answer of a step will be the run's: it is the final one, and everything before it went as planned. */
export function isLastWord(id: string, plan: Plan, replanning: Replanning): boolean {
  const { open, steps } = planProgress(plan);
  const [only, ...others] = open;
  const isOnly = only?.id === id && others.length === 0;
  return isOnly && isFinal(only, steps) && isClean(plan, replanning);
}

/** Whether no result since the last review demands another one. */
function isClean({ observations, planning }: Plan, replanning: Replanning): boolean {
  const seen = new Set(planning.reviewedStepIds);
  return observations.every((result) => seen.has(result.callId) || !isSurprise(result, replanning));
}

/** The answer from a plan's last step, or from a tool that `isDirect` names, when everything went as planned. */
export function finalAnswer(
  plan: Plan,
  replanning: Replanning,
  isDirect: (tool: string) => boolean,
): string | undefined {
  const { open, steps: tasks } = planProgress(plan);
  const last = tasks.at(-1);
  if (open.length > 0 || last === undefined) return undefined;
  const result = plan.observations.find(({ callId }) => callId === last.id);
  if (!isClean(plan, replanning) || result?.ok !== true) return undefined;
  return last.final === true || isFromTool(result, isDirect) ? wholeText(result) : undefined;
}

/** Whether a step's result is the unchanged result of a tool whose result goes to the user. */
function isFromTool(result: Observation, isDirect: (tool: string) => boolean): boolean {
  const inner = result.run?.observations.at(-1);
  const isGiven = inner?.ok === true && isDirect(inner.tool);
  return isGiven && wholeText(inner) === wholeText(result);
}

/** A plan of tasks from outside. */
const Tasks = z.array(
  z.looseObject({
    kind: z.literal("task"),
    id: z.string().trim().min(1),
    task: z.string().trim().min(1),
    after: z.array(z.string()).optional(),
    final: z.boolean().optional(),
    executor: z.string().optional(),
  }),
);

/**
 * Throws `invalid_input` for steps that cannot be carried out: a caller may have written them into the state. Nothing
 * is lost.
 */
export function checkPlan(
  state: Pick<Planning, "steps" | "observations">,
  executors: readonly string[] = [],
): void {
  const problem = unreadable(state) ?? rewritten(state) ?? planProblem(state, executors);
  if (problem === undefined) return;
  const message = `The plan in the state cannot be carried out: ${problem}. Write other \`steps\` with updateState and go on.`;
  throw new PlangraphError("invalid_input", message);
}

function unreadable({ steps }: Pick<Planning, "steps">): string | undefined {
  const read = Tasks.safeParse(steps);
  return read.success ? undefined : issueLines(read.error.issues, "steps")[0];
}

/** A step that has ended must stay as it was carried out. */
function rewritten(state: Pick<Planning, "steps" | "observations">): string | undefined {
  const calls = new Map(
    state.observations.map(({ callId, tool, args }) => [callId, callKey({ name: tool, args })]),
  );
  const changed = planProgress(state).steps.find((step) => {
    const ended = calls.get(step.id);
    return ended !== undefined && ended !== callKey(callOfStep(step));
  });
  if (changed === undefined) return undefined;
  return `expected ${changed.id} as it has been carried out, got ${JSON.stringify(changed.task)}; what is new needs an id of its own`;
}

function planProblem(
  state: Pick<Planning, "steps" | "observations">,
  executors: readonly string[],
): string | undefined {
  const { steps, open, ended } = planProgress(state);
  if (steps.length > 0 && open.length === 0) return undefined;
  const rules = { planSteps: null, kind: "task", earlier: [...ended], executors } as const;
  return validatePlan({ steps: open, unread: [] }, [], rules)[0]?.message;
}

/** Replaces the open steps of a plan, and emits the change. */
export function changePlan(
  { steps, ended, removed }: PlanProgress,
  open: readonly TaskStep[],
  run: Run,
): Required<Writes<typeof PlanState, "steps" | "planning">> {
  const changed = [...steps.filter(({ id }) => ended.has(id)), ...open];
  emitPlanChange(steps, changed, run);
  return { steps: changed, planning: { removedStepIds: removedIds({ steps, removed }, changed) } };
}
