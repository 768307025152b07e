import type { Planning } from "../state/plan.js";

/** Whether every step of the plan has its result, and no call is left that runs alone. */
export function isPlanDone({ steps, observations, soloCalls }: Planning): boolean {
  const done = new Set(observations.map(({ callId }) => callId));
  return soloCalls === undefined && steps.every(({ id }) => done.has(id));
}
