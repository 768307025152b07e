import type { Observation } from "../../state/observation.js";
import type { StepResult } from "../run-calls.js";

/** Whether all of these steps have ended. */
export function allEnded(results: readonly (StepResult | undefined)[]): boolean {
  return results.every((result) => result?.kind === "observed");
}

/** The observation of a step that has ended. */
export function observationOf(result: StepResult | undefined): Observation[] {
  return result?.kind === "observed" ? [result.observation] : [];
}

/** Decides, while a superstep runs, which steps of a plan still start in it, and whether it may ask people. */
export type StepGate = {
  /** Whether a step with a free slot may start; `needed` are the results that it waits for. */
  readonly mayStart: (needed: readonly (StepResult | undefined)[]) => boolean;
  readonly begun: (id: string) => void;
  readonly ended: (id: string, result: StepResult) => void;
  /** The observations of the steps that have ended in this superstep. */
  readonly results: () => readonly Observation[];
  /** Whether people may be asked after these results. */
  readonly mayAsk: (results: readonly StepResult[]) => boolean;
};

/** The gate of a plan that does not change: every step starts as soon as it can. */
export const openGate: StepGate = {
  mayStart: () => true,
  begun: () => {},
  ended: () => {},
  results: () => [],
  mayAsk: () => true,
};

/** When a superstep stops starting steps. */
export type StepGateOptions = {
  /** Whether a result must be reviewed before anything else starts. */
  readonly stopsAt: (result: Observation) => boolean;
  /** Nothing starts that waited for a step with an unreviewed result. */
  readonly isOneByOne: boolean;
  /** Unreviewed results of earlier supersteps. */
  readonly fresh: readonly Observation[];
};

/**
 * The gate of a plan that may change with every result. A step that becomes ready while another one runs starts at
 * once, so no time is lost. When none runs any more the superstep ends, so that the plan can be read and changed
 * between two steps; if a step waits for a person, everything that can run goes first.
 */
export function createStepGate({ stopsAt, isOneByOne, fresh }: StepGateOptions): StepGate {
  const running = new Set<string>();
  const ended = new Map<string, StepResult>();
  const isStopped = () =>
    fresh.some(stopsAt) || [...ended.values()].some((result) => isStop(result, stopsAt));
  const unseen = new Set(fresh.map(({ callId }) => callId));
  const isIdle = () => ended.size > 0 && running.size === 0 && ![...ended.values()].some(isWaiting);
  return {
    mayStart: (needed) => {
      if (!allEnded(needed) || isStopped()) return false;
      return isOneByOne
        ? !needed.some((result) => isOf(ended, result) || isOf(unseen, result))
        : !isIdle();
    },
    begun: (id) => {
      running.add(id);
    },
    ended: (id, result) => {
      running.delete(id);
      if (result.kind !== "deferred") ended.set(id, result);
    },
    results: () => [...ended.values()].flatMap(observationOf),
    // A caller may change the plan while it waits: all results of the superstep would be lost.
    mayAsk: (results) => results.every(({ kind }) => kind === "deferred"),
  };
}

function isStop(result: StepResult, stopsAt: StepGateOptions["stopsAt"]): boolean {
  if (result.kind !== "observed") return false;
  return result.ends !== undefined || stopsAt(result.observation);
}

/** Whether the step continues after a person's answer, or in a superstep of its own. */
function isWaiting({ kind }: StepResult): boolean {
  return kind !== "observed";
}

function isOf(ids: Pick<ReadonlySet<string>, "has">, result: StepResult | undefined): boolean {
  return result?.kind === "observed" && ids.has(result.observation.callId);
}
