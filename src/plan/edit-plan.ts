import type { JsonObject } from "../json/json.js";
import { inListedOrder } from "./order-tasks.js";
import { parsePlan } from "./parse-plan.js";
import { type PlanSoFar, revisePlan } from "./revise-plan.js";
import { type TaskStep, taskStepsOf } from "./step.js";
import { validatePlan } from "./validate-plan.js";

/** A plan as a person wants it, or why it cannot be carried out. */
export type EditedPlan =
  | { readonly ok: true; readonly steps: readonly TaskStep[] }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the open steps as a person has edited them: steps left out are dropped, new ones get ids, and where the
 * new order contradicts what steps waited for they follow one another as they are listed.
 */
export function editPlan(soFar: PlanSoFar, edited: JsonObject): EditedPlan {
  const { steps: given = [] } = edited;
  // Front ends send what was typed into a field as a text.
  const { steps: read, unread } = parsePlan(typeof given === "string" ? given : { steps: given });
  const { steps } = revisePlan(soFar, taskStepsOf(read));
  const others = read.filter(({ kind }) => kind !== "task");
  const plan = { steps: [...others, ...inOrder(steps)], unread };
  const rules = { planSteps: null, kind: "task", earlier: [...soFar.ended] } as const;
  const [issue] = validatePlan(plan, [], rules);
  return issue === undefined
    ? { ok: true, steps: taskStepsOf(plan.steps) }
    : { ok: false, problem: issue.message };
}

/** The steps one after the other, if one of them waits for a later one. */
export function inOrder(steps: readonly TaskStep[]): TaskStep[] {
  const places = new Map(steps.map(({ id }, at) => [id, at]));
  const isForward = steps.some(({ after = [] }, at) =>
    after.some((id) => (places.get(id) ?? 0) > at),
  );
  return isForward ? inListedOrder(steps) : [...steps];
}
