import { orderIssues } from "./order-issues.js";
import type { TaskStep } from "./step.js";

/**
 * Tasks in an order in which they can be carried out. Models misplace what waits for what: steps that wait for a
 * later one come behind it; where they wait for themselves, for one another or for what is no step, all of them
 * follow one another as they are listed. `earlier` are ids that need not be in the list.
 */
export function orderTasks(
  steps: readonly TaskStep[],
  earlier: ReadonlySet<string> = new Set(),
): TaskStep[] {
  const issues = orderIssues(steps, earlier);
  if (issues.length === 0) return [...steps];
  const isOnlyLate = issues.every(({ kind }) => kind === "forward-reference");
  return isOnlyLate ? inWaitingOrder(steps) : inListedOrder(steps);
}

/** The steps one after the other. */
export function inListedOrder(steps: readonly TaskStep[]): TaskStep[] {
  return steps.map(({ after: _after, ...step }, at) => {
    const before = steps[at - 1];
    return before === undefined ? step : { ...step, after: [before.id] };
  });
}

/** Each step behind those of the list that it waits for; else as they are listed. */
function inWaitingOrder(steps: readonly TaskStep[]): TaskStep[] {
  const rest = [...steps];
  const ordered: TaskStep[] = [];
  for (let isFound = true; isFound;) {
    const open = new Set(rest.map(({ id }) => id));
    const at = rest.findIndex(({ after = [] }) => !after.some((id) => open.has(id)));
    isFound = at >= 0;
    ordered.push(...rest.splice(isFound ? at : 0, isFound ? 1 : 0));
  }
  return [...ordered, ...rest];
}
