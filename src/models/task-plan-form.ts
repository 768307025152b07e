import { findJson } from "../guards/find-json.js";
import { orderTasks } from "../plan/order-tasks.js";
import { parsePlan } from "../plan/parse-plan.js";
import { type ReadPlan, type TaskStep, taskStepsOf } from "../plan/step.js";
import { validatePlan } from "../plan/validate-plan.js";
import type { StructuredForm, Validated } from "./fitting.js";
import { cutPlan, isAnswer } from "./plan-form.js";

/** What a planner's reply holds: tasks that can be carried out, or an answer instead of a plan. */
export type TasksPlanned =
  | { readonly kind: "steps"; readonly steps: readonly TaskStep[] }
  | { readonly kind: "answer"; readonly text: string };

/** The schema of a task. Small models run away with long texts and endless plans. */
export const taskSchema = {
  type: "object",
  properties: {
    id: { type: "string", pattern: "^S[1-9][0-9]{0,2}$" },
    task: { type: "string", maxLength: 500 },
    after: { type: "array", items: { type: "string", pattern: "^S[1-9][0-9]{0,2}$" } },
    final: { type: "boolean" },
  },
  required: ["id", "task", "after"],
  additionalProperties: false,
};

/** How many steps a schema allows where no limit says it. */
export const maxTasks = 50;

/** The form of a plan of tasks in words; `planSteps` is how many it may have, `null` for any number. */
export function taskPlanForm(planSteps: number | null): StructuredForm<TasksPlanned> {
  const judged = ({ steps: read, unread }: ReadPlan): Validated<TasksPlanned> => {
    const steps = orderTasks(taskStepsOf(read));
    const others = read.filter(({ kind }) => kind !== "task");
    const issues = validatePlan({ steps: [...others, ...steps], unread }, [], {
      planSteps,
      kind: "task",
    });
    return issues.length > 0
      ? { ok: false, problem: issues.map(({ message }) => message).join("\n") }
      : { ok: true, value: { kind: "steps", steps } };
  };
  const steps = { type: "array", minItems: 1, maxItems: planSteps ?? maxTasks, items: taskSchema };
  return {
    name: "task_plan",
    schema: {
      type: "object",
      properties: { steps },
      required: ["steps"],
      additionalProperties: false,
    },
    read: (value) => judged(parsePlan(JSON.stringify(value), { findJson })),
    readText: (text, isCut) => {
      const plan = parsePlan(text, { findJson });
      if (isAnswer(text, plan)) return { ok: true, value: { kind: "answer", text: text.trim() } };
      return isCut ? cutPlan : judged(plan);
    },
  };
}
