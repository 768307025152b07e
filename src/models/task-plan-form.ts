import { findJson } from "../json/find-json.js";
import { parsePlan } from "../plan/parse/parse-plan.js";
import { orderTasks } from "../plan/plan-order.js";
import { type ReadPlan, type TaskStep, taskStepsOf } from "../plan/step.js";
import { validatePlan } from "../plan/validate-plan.js";
import type { ReplyForm, Validated } from "./fitting.js";
import { type PlanOrAnswer, type PlanRules, planSchema, readPlanReply } from "./plan-form.js";

/** A plan of tasks, or an answer in place of one. */
export type TasksPlanned = PlanOrAnswer<TaskStep>;

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

function parse(text: string): ReadPlan {
  return parsePlan(text, { findJson });
}

/**
 * The form of a plan of tasks in words; `planSteps` is how many it may have, `null` for any number. `acts` says
 * that carrying tasks out may change something outside, `mayAnswer` that the request offers an answer in place of a plan.
 */
export function taskPlanForm(
  planSteps: number | null,
  acts: boolean,
  mayAnswer = true,
): ReplyForm<TasksPlanned> {
  const judge = ({ steps: read, ...rest }: ReadPlan): Validated<readonly TaskStep[]> => {
    const steps = orderTasks(taskStepsOf(read));
    const others = read.filter(({ kind }) => kind !== "task");
    const plan = { ...rest, steps: [...others, ...steps] };
    const issues = validatePlan(plan, [], { planSteps, kind: "task" });
    return issues.length > 0
      ? { ok: false, problem: issues.map(({ message }) => message).join("\n") }
      : { ok: true, value: steps };
  };
  const rules: PlanRules<TaskStep> = { name: "task_plan", parse, judge, acts: () => acts };
  return {
    name: rules.name,
    schema: planSchema(taskSchema, planSteps, mayAnswer),
    readReply: async (text, isCut) => readPlanReply(text, isCut, rules),
  };
}
