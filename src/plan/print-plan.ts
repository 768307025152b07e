import type { Step } from "./step.js";

/**
 * A plan in its JSON form, as models are asked for it: `parsePlan` reads the same steps again. An empty
 * `after` says nothing and is left out of steps that call tools; tasks without an order say so, because
 * silence would mean one after the other.
 */
export function printPlan(steps: readonly Step[]): string {
  return JSON.stringify({ steps: steps.map((step) => printed(step)) });
}

function printed(step: Step): object {
  if (step.kind === "task") return { id: step.id, task: step.task, after: step.after ?? [] };
  const { id, thought, tool, args, after = [] } = step;
  return {
    id,
    ...(thought === undefined ? {} : { thought }),
    tool,
    args,
    ...(after.length === 0 ? {} : { after }),
  };
}
