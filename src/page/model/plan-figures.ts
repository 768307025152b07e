import { isSettled } from "../../observe/plan-rows.js";
import type { Span } from "../../observe/span-tree.js";
import { resultOf, type StepState, type StepView } from "./plan-view.js";

/** At most so many steps of a plan, from shortly before the first that has not ended; the last ones where all have. */
export function shownOf(steps: readonly StepView[], most: number): readonly StepView[] {
  const open = steps.findIndex(({ row }) => !isSettled(row));
  const first = open === -1 ? steps.length : open - fewBefore;
  const from = Math.min(Math.max(0, first), Math.max(0, steps.length - most));
  return steps.slice(from, from + most);
}

/** How many ended steps stand before the first that has not. */
const fewBefore = 3;

/** In which order counts are told: first what has ended. */
const told = [
  "done",
  "failed",
  "denied",
  "stopped",
  "skipped",
  "dropped",
  "running",
  "asking",
  "open",
] as const;

/** How many steps of the plan itself stand how, those that have ended first. */
export function countsOf(steps: readonly StepView[]): ReadonlyMap<StepState, number> {
  const own = steps.filter(({ row }) => !row.isInside && !row.isNested);
  const counts = told.map(
    (each) => [each, own.filter(({ state }) => state === each).length] as const,
  );
  return new Map(counts.filter(([, count]) => count > 0));
}

/** What a person said who refused a call; empty where nothing was said. */
export function refusalOf(call: Span): string {
  return /They said: ([^]*)$/.exec(resultOf(call) ?? "")?.[1] ?? "";
}

/**
 * The steps whose times add up to that of the plan: from the one that ended last, back over the one that each had waited
 * for longest.
 */
export function criticalPath(steps: readonly StepView[]): ReadonlySet<string> {
  const ends = new Map(
    steps.flatMap(({ id, row }) =>
      row.isInside || row.isNested || row.call?.endedAt === undefined
        ? []
        : [[id, row.call.endedAt]],
    ),
  );
  const needs = new Map(steps.map((step) => [step.id, step.needs]));
  const path = new Set<string>();
  let next = last([...ends.keys()], ends);
  while (next !== undefined && !path.has(next)) {
    path.add(next);
    next = last(
      (needs.get(next) ?? []).filter((id) => ends.has(id)),
      ends,
    );
  }
  return path;
}

function last(ids: readonly string[], ends: ReadonlyMap<string, number>): string | undefined {
  return ids.toSorted((left, right) => (ends.get(right) ?? 0) - (ends.get(left) ?? 0))[0];
}
