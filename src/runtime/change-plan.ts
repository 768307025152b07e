import { droppedIds } from "../plan/revise-plan.js";
import type { TaskStep } from "../plan/step.js";
import type { Writes } from "../state/conversation.js";
import type { PlanState } from "../state/plan.js";
import type { Run } from "./enter-run.js";
import type { Standing } from "./plan-tasks.js";
import { tellChange } from "./tell-plan.js";

/** Puts other steps in the place of a plan's open ones, and tells of it. */
export function changePlan(
  { steps, ended, dropped }: Standing,
  open: readonly TaskStep[],
  run: Run,
): Required<Writes<typeof PlanState, "steps" | "dropped">> {
  const changed = [...steps.filter(({ id }) => ended.has(id)), ...open];
  tellChange(steps, changed, run);
  return { steps: changed, dropped: droppedIds({ steps, dropped }, changed) };
}
