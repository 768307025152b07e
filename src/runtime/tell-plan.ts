import type { ToolStep } from "../plan/step.js";
import type { Run } from "./enter-run.js";

/** Tells of the steps that a planner has planned. */
export function tellPlan(planned: readonly ToolStep[], run: Run): void {
  const steps = planned.map(({ id, tool, thought = "", args }) => ({ id, tool, thought, args }));
  run.emit({
    type: "plan_made",
    steps: steps.map(({ id, tool }) => ({ id, tool })),
    content: { steps },
  });
}
