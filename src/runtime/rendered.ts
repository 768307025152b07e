import type { Observation } from "../state/observation.js";

/** What a front end is to show of a run, in call order. */
export type Rendered = NonNullable<Observation["render"]> & {
  /** The call whose result it is. */
  readonly callId: string;
};

/** What the results of a run, and of the runs inside it, are to be shown with. */
export function renderedIn(observations: readonly Observation[]): Rendered[] {
  return observations.flatMap(({ callId, render, run }) => [
    ...(render === undefined ? [] : [{ callId, ...render }]),
    ...renderedIn(run?.observations ?? []),
  ]);
}
