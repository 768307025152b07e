import type { Json } from "../json/json.js";
import type { AgentEvent, EventStep } from "./events.js";
import { callKey } from "./places.js";
import { type Span, type SpanStatus, SpanTree } from "./span-tree.js";

type PlannedStep = {
  readonly key: string;
  readonly runId: string;
  readonly id: string;
  readonly tool: string;
  readonly thought: string;
  /** The task of a step in words. */
  readonly task: string | undefined;
  /** What its tool is called with, with references to other steps; none at level "metadata". */
  readonly args: Json | undefined;
  /** The steps of its plan that it waits for. */
  readonly needs: readonly string[];
  /** Its result is the answer, which is shown separately. */
  readonly isFinal: boolean;
  /** It is no longer in the plan. */
  readonly isDropped: boolean;
};

/** A step of a plan, or a call of a step, with its progress. */
export type Row = PlannedStep & {
  /** `stopped`: it was at work when its run ended, or was stopped. */
  readonly state: "open" | "running" | "done" | "failed" | "skipped" | "dropped" | "stopped";
  readonly call: Span | undefined;
  /** A step of a sub-run, shown below the step of the first plan. */
  readonly isNested: boolean;
  /** A call inside a step; its call id. */
  readonly isInside: boolean;
  /** A call that is part of no step. */
  readonly isLoose: boolean;
};

/** The plans of a run and of its sub-runs, as steps of the tree of what has run so far. The terminal and pages draw it. */
export class PlanRows {
  readonly #tree = new SpanTree();
  #steps: readonly PlannedStep[] = [];

  /** Everything that ran. */
  get spans(): readonly Span[] {
    return this.#tree.roots;
  }

  /** Reads the next event. A further plan adds its new steps. */
  add(event: AgentEvent): void {
    if (event.type === "plan_made") this.#steps = withPlan(this.#steps, event);
    if (event.type === "plan_changed") this.#steps = this.#changed(event);
    this.#tree.add(event);
  }

  /** All steps in plan order, with their progress and calls. */
  rows(): readonly Row[] {
    return this.#steps.flatMap((step) => {
      const call = this.#call(step);
      const isNested = step.runId !== this.#steps[0]?.runId;
      const row = {
        ...step,
        call,
        state: stateOf(call, step),
        isNested,
        isInside: false,
        isLoose: false,
      };
      return [row, ...this.#inside(call).map((each) => callRow(each, row))];
    });
  }

  /** The calls that are part of no step, in the order in which they began: an agent without a plan makes them. */
  looseRows(): readonly Row[] {
    return this.#outsideSteps(this.#tree.roots).map((call) => looseRow(call));
  }

  /** The latest call with this id. */
  call(runId: string, callId: string): Span | undefined {
    return this.#tree.call(runId, callId);
  }

  /** Whether a call carries out a step. */
  isStep({ runId, start }: Span): boolean {
    if (start.type !== "tool_started") return false;
    const key = callKey(runId, start.callId);
    return this.#steps.some((step) => step.key === key);
  }

  /** The id of the step in which an event's work lies. */
  stepAround(event: AgentEvent): string | undefined {
    const call = this.#tree.around(event).find((span) => this.isStep(span));
    return this.#steps.find((step) => call !== undefined && this.#call(step) === call)?.id;
  }

  /** The calls and requests to models that the run waits for, the latest last. */
  waiting(): readonly Span[] {
    return this.#tree.waiting().filter(({ kind }) => kind !== "run");
  }

  #call({ runId, id }: PlannedStep): Span | undefined {
    return this.#tree.call(runId, id);
  }

  #outsideSteps(spans: readonly Span[]): readonly Span[] {
    return spans.flatMap((span) => {
      if (this.isStep(span)) return [];
      return [...(span.kind === "tool" ? [span] : []), ...this.#outsideSteps(span.children)];
    });
  }

  /** The calls inside a step's call, except those that are steps themselves, and what these contain. */
  #inside(call: Span | undefined): readonly Span[] {
    const inner = (call?.children ?? []).filter((span) => !this.isStep(span));
    return inner.flatMap((span) => [
      ...(span.kind === "tool" ? [span] : []),
      ...this.#inside(span),
    ]);
  }

  /** Started steps keep their place; the others follow in the plan's new order, dropped ones first. */
  #changed({
    runId,
    steps: ids,
  }: Extract<AgentEvent, { type: "plan_changed" }>): readonly PlannedStep[] {
    const places = new Map(ids.map((id, at) => [callKey(runId, id), at]));
    const isOpen = (step: PlannedStep) => step.runId === runId && this.#call(step) === undefined;
    const marked = this.#steps.map((step) =>
      isOpen(step) && !places.has(step.key) ? { ...step, isDropped: true } : step,
    );
    const moving = marked.filter((step) => isOpen(step) && !step.isDropped);
    const place = ({ key }: PlannedStep) => places.get(key) ?? 0;
    return [
      ...marked.filter((step) => !moving.includes(step)),
      ...moving.toSorted((left, right) => place(left) - place(right)),
    ];
  }
}

function withPlan(
  steps: readonly PlannedStep[],
  event: Extract<AgentEvent, { type: "plan_made" }>,
): readonly PlannedStep[] {
  const made: readonly ShownStep[] = event.content?.steps ?? event.steps;
  const planned = made.map((step) => asPlanned(step, event.runId));
  const known = new Set(steps.filter(({ isDropped }) => !isDropped).map(({ key }) => key));
  const added = planned.filter(({ key }) => !known.has(key));
  const again = new Set(added.map(({ key }) => key));
  return [...steps.filter(({ key }) => !again.has(key)), ...added];
}

/** A step of a plan; at level "metadata" neither its words nor its arguments. */
type ShownStep = EventStep | Pick<EventStep, "id" | "tool" | "needs">;

function asPlanned(step: ShownStep, runId: string): PlannedStep {
  const { id, tool, needs = [] } = step;
  const task = "task" in step ? step.task : undefined;
  const thought = "thought" in step ? step.thought : "";
  const args = "args" in step ? step.args : undefined;
  const isFinal = "task" in step && step.final === true;
  const key = callKey(runId, id);
  return { key, runId, id, tool, thought, task, args, needs, isFinal, isDropped: false };
}

/** The row of a call inside a step. */
function callRow(call: Span, row: Row): Row {
  const { id, name: tool } = call;
  const key = `${row.key} ${id}`;
  const state = stateOf(call, row);
  return { ...row, key, call, tool, state, task: undefined, args: undefined, isInside: true };
}

/** The row of a call that is part of no step. */
function looseRow(call: Span): Row {
  const { id, name: tool, runId } = call;
  const step = { key: `${runId} ${id}`, runId, id: callIdOf(call), tool, thought: "", needs: [] };
  const state = states[call.status];
  const marks = {
    isFinal: false,
    isDropped: false,
    isNested: false,
    isInside: false,
    isLoose: true,
  };
  return { ...step, ...marks, task: undefined, args: undefined, state, call };
}

function callIdOf({ start, id }: Span): string {
  return start.type === "tool_started" ? start.callId : id;
}

const states: { readonly [Status in SpanStatus]: Row["state"] } = {
  running: "running",
  ok: "done",
  failed: "failed",
  skipped: "skipped",
  stopped: "stopped",
};

function stateOf(call: Span | undefined, { isDropped }: PlannedStep): Row["state"] {
  if (call !== undefined) return states[call.status];
  return isDropped ? "dropped" : "open";
}

/** Whether a step is finished. */
export function isSettled({ state }: Row): boolean {
  return state !== "open" && state !== "running";
}
