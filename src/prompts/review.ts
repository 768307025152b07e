import type { TaskStep } from "../plan/step.js";

/** What a person is asked about a plan, and the plan as it can be edited. */
export function reviewOf(steps: readonly TaskStep[]) {
  const shown = steps.map(({ id, task, after, final }) => ({
    id,
    task,
    after: [...(after ?? [])],
    ...(final === undefined ? {} : { final }),
  }));
  const lines = steps.map(({ id, task }) => `${id}. ${task}`);
  return {
    name: "plan",
    args: { steps: shown },
    description: `Carry out this plan?\n${lines.join("\n")}`,
  };
}
