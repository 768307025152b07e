import type { Observation } from "../state/observation.js";

/** Observations in the order in which their calls began, each once; of calls that began at once, in the order given. */
export function asTheyBegan(observations: readonly Observation[]): Observation[] {
  const byId = new Map(observations.map((observation) => [observation.callId, observation]));
  return [...byId.values()].toSorted((left, right) => left.startedAt - right.startedAt);
}
