import type { Step } from "./step.js";
import { canonicalStep, continueIds } from "./step-ids.js";

/** A plan that is being written while its first steps run. */
export type GrowingPlan = {
  /** The text begins anew: what runs already stays, whatever is written now. */
  readonly restart: () => void;
  /** The plan as a text's steps make it: those that run already, and what they add, with ids of their own. */
  readonly with: (steps: readonly Step[]) => Step[];
  /** Notes that a step of the plan runs. */
  readonly begin: (step: Step) => void;
  /** The steps that run, in the order in which they began. */
  readonly begun: readonly Step[];
};

/**
 * A plan to be written. `used` are the ids of earlier plans; `done` the steps of these whose results
 * stand: named again, unchanged, they are meant and not run a second time.
 */
export function createGrowingPlan(used: readonly string[], done: readonly Step[]): GrowingPlan {
  const begun: Step[] = [];
  /** How many steps ran before this text began: only they are not of it. */
  let before = 0;
  const joined = (steps: readonly Step[], count: number) => {
    const standing = begun.slice(0, count);
    const taken = [...used, ...standing.map(({ id }) => id)];
    return [...standing, ...continueIds(steps, taken, done, standing)];
  };
  return {
    restart: () => {
      before = begun.length;
    },
    with: (steps) => {
      const plan = joined(steps, before);
      const known = new Set(plan.map((step) => `${step.id} ${canonicalStep(step)}`));
      const holds = (step: Step) => known.has(`${step.id} ${canonicalStep(step)}`);
      // What was read at the end may not be what was heard: all that runs stays.
      return begun.every(holds) ? plan : joined(steps, begun.length);
    },
    begin: (step) => {
      begun.push(step);
    },
    begun,
  };
}
