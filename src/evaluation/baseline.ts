import type { Cell } from "./cell.js";
import { type Comparison, compare, meanRight, type Share, shareOf } from "./statistics.js";
import { resultsOf } from "./summary.js";

/** How a subject has changed since earlier results of the same name. */
export type Change = {
  readonly subject: string;
  readonly before: Share;
  readonly now: Share;
  readonly comparison: Comparison;
  /** The cases that are right less often than before, and more often. */
  readonly worse: readonly string[];
  readonly better: readonly string[];
};

/**
 * Compares results with earlier ones, on the cases that both have. Where a file has results of several versions of a
 * subject, the newest count.
 */
export function changesSince(cells: readonly Cell[], earlier: readonly Cell[]): Change[] {
  const subjects = [...new Set(cells.map(({ subject }) => subject))];
  const newest = newestOf(earlier);
  return subjects.flatMap((subject): Change[] => {
    const [now, before] = [resultsOf(cells, subject), resultsOf(newest, subject)];
    const both = [...now.keys()].filter((id) => before.has(id));
    if (both.length === 0) return [];
    const [ownNow, ownBefore] = [only(now, both), only(before, both)];
    const change = (id: string) => meanRight(ownNow.get(id)) - meanRight(ownBefore.get(id));
    return [
      {
        subject,
        before: shareOf([...ownBefore.values()]),
        now: shareOf([...ownNow.values()]),
        comparison: compare(ownNow, ownBefore),
        worse: both.filter((id) => change(id) < 0),
        better: both.filter((id) => change(id) > 0),
      },
    ];
  });
}

/** The last measured cell of each subject, case and repeat. */
function newestOf(cells: readonly Cell[]): readonly Cell[] {
  const measured = cells
    .filter(({ right }) => right !== undefined)
    .toSorted((one, other) => one.at - other.at);
  return [...new Map(measured.map((cell) => [placeOf(cell), cell])).values()];
}

function placeOf({ subject, case: id, repeat }: Cell): string {
  return JSON.stringify([subject, id, repeat]);
}

function only(
  results: ReadonlyMap<string, readonly boolean[]>,
  ids: readonly string[],
): Map<string, readonly boolean[]> {
  return new Map(ids.map((id) => [id, results.get(id) ?? []]));
}
