import type { TaskStep } from "../plan/step.js";

/** What a person is asked about a plan, and the plan as it can be edited; `problem` stood against their last edit. */
export function reviewOf(steps: readonly TaskStep[], problem?: string) {
  const shown = steps.map(({ id, task, after, final }) => ({
    id,
    task,
    after: [...(after ?? [])],
    ...(final === undefined ? {} : { final }),
  }));
  const lines = steps.map(({ id, task }) => `${id}. ${task}`);
  const again = problem === undefined ? [] : [`The last answer could not be used: ${problem}`];
  return {
    name: "plan",
    args: { steps: shown },
    description: ["Carry out this plan?", ...lines, ...again].join("\n"),
  };
}
