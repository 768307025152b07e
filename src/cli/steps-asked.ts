import { z } from "zod";

import type { TaskStep } from "../plan/step.js";
import type { ActionRequest, AllowedDecision } from "../state/person.js";
import { oneLine, printable } from "./text.js";

/** What a person is asked, and what they may answer. */
type AskedOf = {
  readonly action: ActionRequest;
  readonly allowed: readonly AllowedDecision[];
};

const StepAsked = z
  .object({
    id: z.string(),
    task: z.string(),
    after: z.array(z.string()).default([]),
    final: z.literal(true).optional(),
  })
  .transform(({ final, ...step }): TaskStep => {
    return { kind: "task", ...step, ...(final === undefined ? {} : { final }) };
  });

const PlanAsked = z.object({ steps: z.array(StepAsked).min(1) });

/** The steps of a plan that a person is asked about; nothing where something else is asked. */
export function stepsAsked({ action, allowed }: AskedOf): readonly TaskStep[] | undefined {
  if (action.name !== "plan" || !allowed.includes("edit")) return undefined;
  return PlanAsked.safeParse(action.args).data?.steps;
}

/** Steps in lines for a person, each with those that it waits for. */
export function stepLines(steps: readonly TaskStep[]): readonly string[] {
  return steps.map(({ id, task, after = [] }) => {
    const order = after.length === 0 ? "" : ` (after ${oneLine(after.join(", "), 80)})`;
    return `    ${oneLine(id, 20)} ${printable(task)}${order}`;
  });
}
