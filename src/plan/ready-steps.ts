import { dependenciesOf } from "./dependencies.js";
import type { Step } from "./step.js";

/** How finished steps ended, by id: steps of earlier plans count too. */
export type Finished = ReadonlyMap<string, "done" | "failed">;

/**
 * The steps that can start now, in the order of the plan: neither finished nor running, and all that they
 * depend on is done. What depends on a failed step is never ready.
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
 * The steps that will not run, by id, each with the step that is to blame: the failed one that it
 * depends on, directly or through others, or an id that no step has.
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
