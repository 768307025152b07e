import { issue, listed, type PlanIssue, quoted } from "./plan-issue.js";
import { dependenciesOf, type Step, type TaskStep } from "./step.js";

/** The end of each finished step, by id, steps of earlier plans included. */
export type Finished = ReadonlyMap<string, "done" | "failed">;

/**
 * The steps that can start now, in the order of the plan: neither finished nor running, with all dependencies done. A
 * step that depends on a failed one is never ready.
 */
export function readySteps<OneStep extends Step>(
  steps: readonly OneStep[],
  finished: Finished,
  running: ReadonlySet<string>,
): OneStep[] {
  return steps.filter(
    (step) =>
      !finished.has(step.id) &&
      !running.has(step.id) &&
      dependenciesOf(step).every((id) => finished.get(id) === "done"),
  );
}

/**
 * The steps that will not run, by id, each with its cause: the failed step that it depends on, directly or through
 * others, or an id that no step has.
 */
export function skippedSteps(steps: readonly Step[], finished: Finished): Map<string, string> {
  const own = new Set(steps.map(({ id }) => id));
  const waiting = steps.filter(({ id }) => !finished.has(id));
  const skipped = new Map<string, string>();
  const blameOf = (id: string): string | undefined => {
    if (finished.has(id)) return finished.get(id) === "failed" ? id : undefined;
    return own.has(id) ? skipped.get(id) : id;
  };
  for (let before = -1; before !== skipped.size;) {
    before = skipped.size;
    for (const step of waiting.filter(({ id }) => !skipped.has(id))) {
      const blame = dependenciesOf(step)
        .map((id) => blameOf(id))
        .find((each) => each !== undefined);
      if (blame !== undefined) skipped.set(step.id, blame);
    }
  }
  return skipped;
}

/**
 * Tasks in an order that can run. Models misplace dependencies: a step that waits for a later one moves after it. If
 * steps wait for themselves, for one another, for an unknown step or for the last one, which is to answer the question, all of
 * them run one after another as listed. `earlier` are ids that need not be in the list.
 */
export function orderTasks(
  steps: readonly TaskStep[],
  earlier: ReadonlySet<string> = new Set(),
): TaskStep[] {
  const issues = orderIssues(steps, earlier);
  if (issues.length === 0) return [...steps];
  const isOnlyLate = issues.every(({ kind }) => kind === "forward-reference");
  return isOnlyLate && !isTurnedRound(steps) ? inWaitingOrder(steps) : inListedOrder(steps);
}

/** Whether a step waits for the last one, which answers: each says what comes after it, not what it comes after. */
function isTurnedRound(steps: readonly TaskStep[]): boolean {
  const { id, final } = steps.at(-1) ?? {};
  return final === true && steps.some(({ after = [] }) => after.some((each) => each === id));
}

/** The steps one after another. */
export function inListedOrder(steps: readonly TaskStep[]): TaskStep[] {
  return steps.map(({ after: _after, ...step }, at) => {
    const before = steps[at - 1];
    return before === undefined ? step : { ...step, after: [before.id] };
  });
}

/** Each step after those that it waits for, else in the listed order. */
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

/** The problems in the order of a plan: steps that wait for an unknown step, a later one, or themselves. */
export function orderIssues(steps: readonly Step[], earlier: ReadonlySet<string>): PlanIssue[] {
  const cycles = planCycles(steps);
  const circleOf = new Map(cycles.flatMap((cycle) => cycle.map((id) => [id, cycle] as const)));
  const places = new Map(steps.map(({ id }, at) => [id, at] as const).toReversed());
  const all = [...earlier, ...steps.map(({ id }) => id)];
  const single = steps.flatMap((step, at) =>
    dependenciesOf(step).flatMap((id): PlanIssue[] => {
      if (id === step.id) return [selfIssue(step)];
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

function selfIssue({ id, kind }: Step): PlanIssue {
  const said = kind === "tool" ? `{{${id}}}` : id;
  return issue(
    "self-reference",
    `${id}: expected an earlier step, got the step itself; ${rule}: leave ${said} out of ${id}`,
    id,
  );
}

function unknownIssue(stepId: string, id: string, before: readonly string[]): PlanIssue {
  const expected = before.length === 0 ? "no reference, being the first step" : listed(before);
  // A small model refers to what it wants to know.
  const what = /^[ES]\d+$/.test(id) ? "what it needs" : "this";
  const hint = `: plan a step before it that finds ${what}`;
  const message = `${stepId}: expected ${expected}, got ${quoted(id)}, which is no step${hint}`;
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

/** The circles of steps that wait for each other, each as its ids in order; a circle has at least two steps. */
function planCycles(steps: readonly Step[]): string[][] {
  const open = new Map(steps.map((step) => [step.id, dependenciesOf(step)]));
  const cycles: string[][] = [];
  for (trim(open); open.size > 0; trim(open)) {
    const cycle = firstCycle(open);
    for (const id of cycle) open.delete(id);
    if (cycle.length > 1) cycles.push(cycle);
  }
  return cycles;
}

type Waiting = Map<string, string[]>;

/** Keeps only steps that wait for another kept one. */
function trim(open: Waiting): void {
  for (let before = -1; before !== open.size;) {
    before = open.size;
    for (const [id, dependencies] of open) {
      if (!dependencies.some((each) => open.has(each))) open.delete(id);
    }
  }
}

/** Follows the dependencies until a step repeats. */
function firstCycle(open: Waiting): string[] {
  const way: string[] = [];
  const seen = new Map<string, number>();
  for (let id = [...open.keys()][0]; id !== undefined;) {
    const at = seen.get(id);
    if (at !== undefined) return way.slice(at);
    seen.set(id, way.length);
    way.push(id);
    const next: string | undefined = open.get(id)?.find((each) => open.has(each));
    id = next;
  }
  return way;
}
