import type { ToldStep } from "../observe/events.js";
import type { Step } from "../plan/step.js";
import { taskTool } from "./plan-tasks.js";
import type { Run } from "./enter-run.js";

/** Tells of the steps that a planner has planned. */
export function tellPlan(planned: readonly Step[], run: Run): void {
  run.emit(planMade(planned));
}

/** Tells how a plan was changed: the steps that are new, then, where others were dropped or moved, all that there are. */
export function tellChange(before: readonly Step[], after: readonly Step[], run: Run): void {
  const earlier = before.map(({ id }) => id);
  const now = after.map(({ id }) => id);
  const added = after.filter(({ id }) => !earlier.includes(id));
  if (added.length > 0) tellPlan(added, run);
  const kept = now.filter((id) => earlier.includes(id));
  if (JSON.stringify(kept) === JSON.stringify(earlier)) return;
  run.emit({ type: "plan_changed", steps: now });
}

/** The event that tells of steps. */
export function planMade(planned: readonly Step[]) {
  const steps = planned.map((step) => toldStep(step));
  return {
    type: "plan_made",
    steps: steps.map(({ id, tool }) => ({ id, tool })),
    content: { steps },
  } as const;
}

function toldStep(step: Step): ToldStep {
  const { id } = step;
  if (step.kind === "task") {
    const { task, final } = step;
    return { id, tool: taskTool, task, ...(final === undefined ? {} : { final }) };
  }
  const { tool, thought = "", args } = step;
  return { id, tool, thought, args };
}
