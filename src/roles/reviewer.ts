import { defined } from "../json/json.js";
import type { TaskStep, ToolStep } from "../plan/step.js";

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

/** The request to review a plan of tool calls, with the plan to edit. */
export function reviewOfCalls(steps: readonly ToolStep[]) {
  const shown = steps.map(({ id, thought, tool, args, after }) => ({
    id,
    ...defined({ thought }),
    tool,
    args,
    ...(after === undefined ? {} : { after: [...after] }),
  }));
  const lines = steps.map(({ id, thought = "", tool, args }) => {
    const why = thought === "" ? "" : `${thought}: `;
    return `${id}. ${why}${tool} ${JSON.stringify(args)}`;
  });
  return {
    name: "plan",
    args: { steps: shown },
    description: ["Carry out this plan?", ...lines].join("\n"),
  };
}

/** What a planner reads of a plan that a person rejected. */
export function rejectedPlan(plan: string, reason = "They gave no reason."): string {
  return `A person does not want this plan: ${plan}\nTheir reason: ${reason}`;
}
