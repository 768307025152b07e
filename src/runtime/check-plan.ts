import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { canonicalJson } from "../json/json.js";
import { validatePlan } from "../plan/validate-plan.js";
import { issueLines } from "../run/errors.js";
import type { Planning } from "../state/plan.js";
import { asCall, standingOf } from "./plan-tasks.js";

/** A plan of tasks as it comes from outside. */
const Tasks = z.array(
  z.looseObject({
    kind: z.literal("task"),
    id: z.string().trim().min(1),
    task: z.string().trim().min(1),
    after: z.array(z.string()).optional(),
    final: z.boolean().optional(),
  }),
);

/**
 * Throws `invalid_input` for steps that cannot be carried out: a caller may have written them into the state.
 * Nothing is lost by it.
 */
export function checkPlan(state: Pick<Planning, "steps" | "observations">): void {
  const problem = unreadable(state) ?? rewritten(state) ?? unfit(state);
  if (problem === undefined) return;
  const message = `The plan in the state cannot be carried out: ${problem}. Write other \`steps\` with updateState and go on.`;
  throw new PlangraphError("invalid_input", message);
}

function unreadable({ steps }: Pick<Planning, "steps">): string | undefined {
  const read = Tasks.safeParse(steps);
  return read.success ? undefined : issueLines(read.error.issues, "steps")[0];
}

/** A step that has ended stands as it was carried out. */
function rewritten(state: Pick<Planning, "steps" | "observations">): string | undefined {
  const calls = new Map(
    state.observations.map(({ callId, args }) => [callId, canonicalJson(args)]),
  );
  const changed = standingOf(state).steps.find((step) => {
    const ended = calls.get(step.id);
    return ended !== undefined && ended !== canonicalJson(asCall(step).args);
  });
  if (changed === undefined) return undefined;
  return `expected ${changed.id} as it has been carried out, got ${JSON.stringify(changed.task)}; what is new needs an id of its own`;
}

function unfit(state: Pick<Planning, "steps" | "observations">): string | undefined {
  const { steps, open, ended } = standingOf(state);
  if (steps.length > 0 && open.length === 0) return undefined;
  const rules = { planSteps: null, kind: "task", earlier: [...ended] } as const;
  return validatePlan({ steps: open, unread: [] }, [], rules)[0]?.message;
}
