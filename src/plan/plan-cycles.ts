import { dependenciesOf } from "./dependencies.js";
import type { Step } from "./step.js";

/**
 * The circles in which steps wait for each other, each as the ids on its way, beginning with the first of
 * the plan. A step that waits for itself alone is none.
 */
export function planCycles(steps: readonly Step[]): string[][] {
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

/** Leaves only steps that wait for one of those that are left. */
function trim(open: Waiting): void {
  for (let before = -1; before !== open.size;) {
    before = open.size;
    for (const [id, dependencies] of open) {
      if (!dependencies.some((each) => open.has(each))) open.delete(id);
    }
  }
}

/** Going from step to step, each waiting for the next, one comes back to where one was. */
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
