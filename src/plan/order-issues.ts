import { dependenciesOf } from "./dependencies.js";
import { planCycles } from "./plan-cycles.js";
import { issue, listed, type PlanIssue, quoted } from "./plan-issue.js";
import type { Step } from "./step.js";

/** What is wrong with the order of a plan: steps that wait for what is not there, comes later, or waits for them. */
export function orderIssues(steps: readonly Step[], earlier: ReadonlySet<string>): PlanIssue[] {
  const cycles = planCycles(steps);
  const circleOf = new Map(cycles.flatMap((cycle) => cycle.map((id) => [id, cycle] as const)));
  const places = new Map(steps.map(({ id }, at) => [id, at] as const).toReversed());
  const all = [...earlier, ...steps.map(({ id }) => id)];
  const single = steps.flatMap((step, at) =>
    dependenciesOf(step).flatMap((id): PlanIssue[] => {
      if (id === step.id) return [selfIssue(id)];
      if (earlier.has(id)) return [];
      const place = places.get(id);
      if (place === undefined) return [unknownIssue(step.id, id, all.slice(0, earlier.size + at))];
      const isInCircle = circleOf.has(id) && circleOf.get(id) === circleOf.get(step.id);
      return place < at || isInCircle ? [] : [forwardIssue(step.id, id)];
    }),
  );
  return [...single, ...cycles.map((cycle) => cycleIssue(cycle))];
}

const rule = "a step can only use what comes before it";

function selfIssue(id: string): PlanIssue {
  return issue(
    "self-reference",
    `${id}: expected an earlier step, got the step itself; ${rule}`,
    id,
  );
}

function unknownIssue(stepId: string, id: string, before: readonly string[]): PlanIssue {
  const expected = before.length === 0 ? "no reference, being the first step" : listed(before);
  const message = `${stepId}: expected ${expected}, got ${quoted(id)}, which is no step`;
  return issue("unknown-reference", message, stepId);
}

function forwardIssue(stepId: string, id: string): PlanIssue {
  const message = `${stepId}: expected an earlier step, got ${id}, which comes later; ${rule}`;
  return issue("forward-reference", message, stepId);
}

function cycleIssue(cycle: readonly string[]): PlanIssue {
  const [first = ""] = cycle;
  const way = [...cycle, first].join(" → ");
  return issue(
    "cycle",
    `expected steps in an order, got steps that wait for each other: ${way}`,
    first,
  );
}
