import type { StepEnd, StepEnds } from "../step-verdict.js";
import type { ToolStep } from "../step.js";
import { type Parts, partsOf, type Settled } from "./parts.js";
import { callIn, isOneCall, workflowDependencies, type WorkflowStep } from "./steps.js";

/** Where a run of a workflow is. */
export type WorkflowProgress = {
  /** All calls so far and to come: those of an item or a round stand after the step that they belong to. */
  readonly all: readonly ToolStep[];
  /** The calls that have been made, and those that may be made now. */
  readonly open: readonly ToolStep[];
  readonly settled: readonly Settled[];
  /** The next rounds of repeated steps, with the seconds to wait before each; those that need not wait are left out. */
  readonly pauses: ReadonlyMap<string, number>;
};

/**
 * What a workflow does next. Calls that wait only for other calls run in one go. A step with `each` or `repeat` makes its
 * calls once all that it waits for has ended; what waits for it comes after. `changes` says whether a tool may change
 * something: such calls keep the order of the file, also around steps that have not made their calls yet.
 */
export function workflowProgress(
  steps: readonly WorkflowStep[],
  known: StepEnds,
  changes: (tool: string) => boolean,
): WorkflowProgress {
  const walk = new Walk(known, changes);
  for (const step of steps) walk.take(step);
  return walk;
}

/** Goes through the steps in order. */
class Walk implements WorkflowProgress {
  readonly all: ToolStep[] = [];
  readonly open: ToolStep[] = [];
  readonly settled: Settled[] = [];
  readonly pauses = new Map<string, number>();
  readonly #ends: Map<string, StepEnd>;
  readonly #changes: (tool: string) => boolean;
  /** The steps so far that cannot make their calls yet. */
  readonly #waiting = new Set<string>();
  /** One of them may change something: nothing overtakes it. */
  #isBarred = false;

  constructor(known: StepEnds, changes: (tool: string) => boolean) {
    this.#ends = new Map(known);
    this.#changes = changes;
  }

  take(step: WorkflowStep): void {
    const parts = this.#isReady(step) ? partsOf(step, this.#ends) : undefined;
    const { calls = [], end, pause = 0 } = parts ?? {};
    this.all.push(callIn(step), ...calls.filter(({ id }) => id !== step.id));
    this.open.push(...calls);
    if (pause > 0) this.#pause(calls, pause);
    if (end !== undefined) this.#settle(step, end);
    if (isOneCall(step) ? parts !== undefined : this.#ends.has(step.id)) return;
    this.#waiting.add(step.id);
    this.#isBarred ||= this.#changes(step.tool);
  }

  #pause(calls: readonly ToolStep[], seconds: number): void {
    for (const { id } of calls.slice(-1)) this.pauses.set(id, seconds);
  }

  #settle(step: WorkflowStep, end: NonNullable<Parts["end"]>): void {
    this.settled.push({ step, end });
    this.#ends.set(step.id, endOf(end));
  }

  /** A step that is one call waits in its turn for other calls; what it waits for must be calls by now. */
  #isReady(step: WorkflowStep): boolean {
    if (this.#isBarred || (this.#waiting.size > 0 && this.#changes(step.tool))) return false;
    const ids = workflowDependencies(step);
    return isOneCall(step)
      ? !ids.some((id) => this.#waiting.has(id))
      : ids.every((id) => this.#ends.has(id));
  }
}

function endOf(end: Settled["end"]): StepEnd {
  if (end.kind === "done") return { kind: "done", value: end.value };
  return { kind: end.kind === "untaken" ? "untaken" : "failed" };
}
