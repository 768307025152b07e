import type { Json } from "../../json/json.js";
import {
  dependenciesOf,
  idsIn,
  type StepCondition,
  type ToolStep,
  valuesIn,
  wholeReference,
} from "../step.js";

/** A step of a workflow: a call, or several of one form. */
export type WorkflowStep = ToolStep & {
  /** One call for each item of a list; references to `item` are to the item. The result is the list of results. */
  readonly each?: Each;
  /** Calls one after another; references to `result` are to the result before. The result is the last one. */
  readonly repeat?: Repeat;
};

export type Each = {
  /** A reference to a list, or a list without references. */
  readonly list: Json;
  /** A longer list fails the step before any call. */
  readonly max: number;
};

export type Repeat = {
  /** The step ends when all of these hold. */
  readonly until: readonly StepCondition[];
  /** How many calls are made; the step fails when the last one is not enough. */
  readonly max: number;
  /** What `result` is in the first call: a reference, or a value without references. */
  readonly start?: Json;
  /** Seconds between two calls. */
  readonly seconds?: number;
};

/** The names that references have inside a step, and the input of the run. */
export const inputName = "input";
export const itemName = "item";
export const resultName = "result";

/** The values that stand in the steps themselves, by the ids under which calls refer to them. */
export function constantsOf(steps: readonly WorkflowStep[]): ReadonlyMap<string, Json> {
  return new Map(
    steps.flatMap(({ id, each, repeat }) => [
      ...(each === undefined || isReference(each.list) ? [] : [[listId(id), each.list] as const]),
      ...(repeat?.start === undefined || isReference(repeat.start)
        ? []
        : [[startId(id), repeat.start] as const]),
    ]),
  );
}

function isReference(value: Json): boolean {
  return typeof value === "string" && wholeReference(value) !== undefined;
}

// A step's own name has no "-" in it.
export function listId(id: string): string {
  return `${id}-list`;
}

export function startId(id: string): string {
  return `${id}-start`;
}

/** The id of the nth call of a step, from 1. */
export function partId(id: string, place: number): string {
  return `${id}-${place}`;
}

/** The ids that a step of a workflow waits for. */
export function workflowDependencies(step: WorkflowStep): string[] {
  const ids = [...dependenciesOf(step), ...outsideOf(step).flatMap(idsIn)];
  return [...new Set(ids)].filter((id) => !inner.has(id));
}

/** The values of `each` and `repeat` that refer to other steps. */
export function outsideOf({ each, repeat }: WorkflowStep): Json[] {
  const { until = [], start = null } = repeat ?? {};
  return [each?.list ?? null, start, ...valuesIn(until)];
}

/** The names that only the calls of a step understand. */
export const inner: ReadonlySet<string> = new Set([itemName, resultName]);

/** Whether a step is one call. */
export function isOneCall({ each, repeat }: WorkflowStep): boolean {
  return each === undefined && repeat === undefined;
}

/** A step as a call. */
export function callIn({ each: _each, repeat: _repeat, ...call }: WorkflowStep): ToolStep {
  return call;
}
