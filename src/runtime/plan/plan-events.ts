import { defined } from "../../json/json.js";
import type { EventStep } from "../../observe/events.js";
import { conditionText } from "../../plan/step-verdict.js";
import { dependenciesOf, type Step, taskTool } from "../../plan/step.js";
import type { Run } from "../enter-run.js";

/** Emits the steps of a plan. */
export function emitPlan(planned: readonly Step[], run: Run): void {
  run.emit(planMadeEvent(planned));
}

/** Emits a change of a plan: the new steps, and the ids of all steps when some were dropped or moved. */
export function emitPlanChange(before: readonly Step[], after: readonly Step[], run: Run): void {
  const earlier = before.map(({ id }) => id);
  const now = after.map(({ id }) => id);
  const added = after.filter(({ id }) => !earlier.includes(id));
  if (added.length > 0) emitPlan(added, run);
  const kept = now.filter((id) => earlier.includes(id));
  if (JSON.stringify(kept) === JSON.stringify(earlier)) return;
  run.emit({ type: "plan_changed", steps: now });
}

/** The event for new steps. */
export function planMadeEvent(planned: readonly Step[]) {
  const steps = planned.map((step) => eventStep(step));
  return {
    type: "plan_made",
    steps: steps.map(({ id, tool, needs }) => ({ id, tool, ...defined({ needs }) })),
    content: { steps },
  } as const;
}

function eventStep(step: Step): EventStep {
  const { id } = step;
  const waitsFor = dependenciesOf(step);
  const needs = waitsFor.length === 0 ? undefined : waitsFor;
  if (step.kind === "task") {
    const { task, final, executor = taskTool } = step;
    return { id, tool: executor, task, ...defined({ needs, final }) };
  }
  const { tool, thought = "", args, when } = step;
  const conditions = when?.map((condition) => conditionText(condition));
  return { id, tool, thought, args, ...defined({ needs, when: conditions }) };
}
