import { canonicalJson, type JsonObject } from "../json/json.js";
import { withoutWaiting } from "../plan/revise-plan.js";
import { type TaskStep, taskStepsOf, type ToolStep } from "../plan/step.js";
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
  /** The steps that have not ended; what has ended they need not wait for. */
  readonly open: readonly TaskStep[];
  readonly ended: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
  /** The ids that no new step gets beside those of the steps: a person may have taken out some that had ended. */
  readonly dropped: readonly string[];
};

/** Reads off the state how far its plan is. */
export function standingOf({
  steps: all,
  observations,
  dropped: droppedBefore = [],
}: Pick<Planning, "steps" | "observations"> & Partial<Pick<Planning, "dropped">>): Standing {
  const steps = taskStepsOf(all);
  const ids = new Set(steps.map(({ id }) => id));
  const results = observations.filter(({ callId }) => ids.has(callId));
  const ended = new Set(results.map(({ callId }) => callId));
  const failed = new Set(results.filter((result) => hasFailed(result)).map(({ callId }) => callId));
  const open = steps
    .filter(({ id }) => !ended.has(id))
    .map((step) => withoutWaiting(step, (id) => ended.has(id)));
  const takenOut = observations.map(({ callId }) => callId).filter((id) => !ids.has(id));
  const dropped = [...new Set([...droppedBefore, ...takenOut])];
  return { steps, open, ended, failed, dropped };
}

/** Whether a step did not come to a result of its own: it failed, or was stopped before it was done. */
export function hasFailed({ ok, run }: Observation): boolean {
  return !ok || (run !== undefined && run.outcome.status !== "answered");
}

/** What of a run's waiting calls belongs to its plan as it is now; a caller may have changed it meanwhile. */
export function stillPlanned({
  soloCalls,
  subRuns,
  ...state
}: Pick<Planning, "steps" | "observations" | "soloCalls" | "subRuns">) {
  const open = new Map(
    standingOf(state).open.map((step) => [step.id, canonicalJson(asCall(step).args)]),
  );
  const isPlanned = ({ callId, args }: { readonly callId: string; readonly args: JsonObject }) =>
    open.get(callId) === canonicalJson(args);
  return {
    soloCalls: soloCalls?.filter(isPlanned),
    subRuns:
      subRuns &&
      Object.fromEntries(Object.entries(subRuns).filter(([, subRun]) => isPlanned(subRun))),
  };
}

/** Whether two lists of open steps are the same. */
export function isSamePlan(left: readonly TaskStep[], right: readonly TaskStep[]): boolean {
  return told(left) === told(right);
}

function told(steps: readonly TaskStep[]): string {
  return JSON.stringify(steps.map(({ id, task, after = [] }) => [id, task, after.toSorted()]));
}
