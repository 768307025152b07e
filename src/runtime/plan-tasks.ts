import { PlangraphError } from "../errors.js";
import type { TaskStep, ToolStep } from "../plan/step.js";
import { taskStepsOf } from "../plan/step.js";
import { validatePlan } from "../plan/validate-plan.js";
import type { Observation } from "../state/observation.js";
import type { Planning } from "../state/plan.js";

/** What steps are called by as calls. */
export const taskTool = "executor";

/** A task as the call that carries it out. */
export function asCall({ id, task, after }: TaskStep): ToolStep {
  const order = after === undefined ? {} : { after };
  return { kind: "tool", id, tool: taskTool, args: { task }, ...order };
}

/** How far a plan of tasks is. */
export type Standing = {
  readonly steps: readonly TaskStep[];
  /** The steps that have not ended. */
  readonly open: readonly TaskStep[];
  readonly ended: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
};

/** Reads off the state how far its plan is. */
export function standingOf({
  steps: all,
  observations,
}: Pick<Planning, "steps" | "observations">): Standing {
  const steps = taskStepsOf(all);
  const ids = new Set(steps.map(({ id }) => id));
  const results = observations.filter(({ callId }) => ids.has(callId));
  const ended = new Set(results.map(({ callId }) => callId));
  const failed = new Set(results.filter((result) => hasFailed(result)).map(({ callId }) => callId));
  return { steps, open: steps.filter(({ id }) => !ended.has(id)), ended, failed };
}

/** Whether a step did not come to a result of its own: it failed, or was stopped before it was done. */
export function hasFailed({ ok, run }: Observation): boolean {
  return !ok || (run !== undefined && run.outcome.status !== "answered");
}

/**
 * Throws `invalid_input` for open steps that cannot be carried out: a caller may have written them into the
 * state. Nothing is lost by it.
 */
export function checkPlan({ open, ended }: Standing): void {
  const rules = { planSteps: null, kind: "task", earlier: [...ended] } as const;
  const issues = validatePlan({ steps: open, unread: [] }, [], rules);
  const [first] = open.length === 0 ? [] : issues;
  if (first === undefined) return;
  const message = `The plan in the state cannot be carried out: ${first.message}. Write other \`steps\` with updateState and go on.`;
  throw new PlangraphError("invalid_input", message);
}

/** Whether two lists of open steps are the same; what has ended need not be waited for. */
export function isSamePlan(left: readonly TaskStep[], right: readonly TaskStep[]): boolean {
  return told(left) === told(right);
}

function told(steps: readonly TaskStep[]): string {
  const ids = new Set(steps.map(({ id }) => id));
  const among = (after: readonly string[] = []) => after.filter((id) => ids.has(id));
  return JSON.stringify(steps.map(({ id, task, after }) => [id, task, among(after).toSorted()]));
}
