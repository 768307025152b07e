import type { Observation } from "./observation.js";
import { addUsage, type Usage } from "./usage.js";

/**
 * Observations by call id: one that is reported again takes the place of the earlier one and moves
 * to the end, so that reporting a whole turn in call order puts it in call order. Idempotent.
 */
export function mergeObservations(
  current: readonly Observation[],
  next: readonly Observation[],
): Observation[] {
  const merged = new Map(current.map((observation) => [observation.callId, observation]));
  for (const observation of next) {
    merged.delete(observation.callId);
    merged.set(observation.callId, observation);
  }
  return [...merged.values()];
}

/** Usages of one run add up; `intake` starts anew with `Overwrite`. */
export function sumUsage(current: Usage, next: Usage): Usage {
  return addUsage(current, next);
}
