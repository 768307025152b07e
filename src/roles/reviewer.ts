import { defined } from "../json/json.js";
import type { TaskStep } from "../plan/step.js";

/** The request to review a plan, with the plan to edit; `problem` is why the last edit could not be used. */
export function reviewOf(steps: readonly TaskStep[], problem?: string) {
  const shown = steps.map(({ id, task, after, final, executor }) => ({
    id,
    task,
    ...defined({ executor }),
    after: [...(after ?? [])],
    ...(final === undefined ? {} : { final }),
  }));
  const lines = steps.map(
    ({ id, task, executor }) => `${id}. ${task}${executor === undefined ? "" : ` (${executor})`}`,
  );
  const again = problem === undefined ? [] : [`The last answer could not be used: ${problem}`];
  return {
    name: "plan",
    args: { steps: shown },
    description: ["Carry out this plan?", ...lines, ...again].join("\n"),
  };
}
