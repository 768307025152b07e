import type { Step } from "../plan/step.js";
import { taskTool } from "./plan-tasks.js";
import type { Run } from "./enter-run.js";

/** Tells of the steps that a planner has planned. */
export function tellPlan(planned: readonly Step[], run: Run): void {
  const steps = planned.map((step) => toldStep(step));
  run.emit({
    type: "plan_made",
    steps: steps.map(({ id, tool }) => ({ id, tool })),
    content: { steps },
  });
}

/** A step as events tell of it: a task is the purpose of a call of the executor. */
export function toldStep(step: Step) {
  const { id } = step;
  if (step.kind === "task") return { id, tool: taskTool, thought: step.task, args: {} };
  const { tool, thought = "", args } = step;
  return { id, tool, thought, args };
}
