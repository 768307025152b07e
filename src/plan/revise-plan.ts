import { defined, type JsonObject } from "../json/json.js";
import { parsePlan } from "./parse/parse-plan.js";
import { inListedOrder } from "./plan-order.js";
import { afterOf, nextStepId, type TaskStep, taskStepsOf, withExecutors } from "./step.js";
import { validatePlan } from "./validate-plan.js";

/** The input of a revision. */
export type PlanSoFar = {
  /** Every step of the run so far, in order. */
  readonly steps: readonly TaskStep[];
  /** The ids of the steps that have ended, successful or not. */
  readonly ended: ReadonlySet<string>;
  /** The ids of removed steps. */
  readonly removed?: readonly string[];
};

/** The revised open steps of a plan. */
export type Revision = {
  readonly steps: readonly TaskStep[];
  /** Ids of ended steps that were written again: they do not run a second time. */
  readonly repeated: readonly string[];
};

/**
 * The open steps after a rewrite. A step with the text of an open one is that one, whatever its id; one with the text
 * of an ended step is left out; any other gets a new id, which later steps use. No step waits for ended or dropped
 * steps.
 */
export function revisePlan(
  { steps, ended, removed = [] }: PlanSoFar,
  written: readonly TaskStep[],
): Revision {
  const known = new Map(steps.map((step) => [saidIn(step.task), step]));
  const earlier = new Set([...steps.map(({ id }) => id), ...removed]);
  const used = new Set([...earlier, ...written.map(({ id }) => id)]);
  const names = new Map<string, string>();
  const repeated: string[] = [];
  const revised: TaskStep[] = [];
  for (const { id: given, task: text, after = [], ...rest } of written) {
    const task = text.replaceAll(/\bS\d+\b/g, (id) => names.get(id) ?? id);
    const same = known.get(saidIn(task));
    const id = same?.id ?? (earlier.has(given) ? nextStepId(used, "task") : given);
    used.add(id);
    names.set(given, id);
    if (ended.has(id)) {
      repeated.push(id);
      continue;
    }
    const order = new Set(after.map((each) => names.get(each) ?? each));
    const executor = rest.executor ?? same?.executor;
    revised.push({ ...rest, id, task, ...defined({ executor }), ...afterOf([...order]) });
  }
  const kept = new Set(revised.map(({ id }) => id));
  const isLeft = (id: string) => earlier.has(id) && !kept.has(id);
  return { steps: revised.map((step) => withoutWaiting(step, isLeft)), repeated };
}

/** The ids of a plan's steps that the new plan does not have, after those dropped before. */
export function removedIds(
  { steps, removed = [] }: Pick<PlanSoFar, "steps" | "removed">,
  after: readonly TaskStep[],
): string[] {
  const kept = new Set(after.map(({ id }) => id));
  return [...removed, ...steps.map(({ id }) => id).filter((id) => !kept.has(id))];
}

/** A step that does not wait for ended steps. */
export function withoutWaiting(step: TaskStep, isOver: (id: string) => boolean): TaskStep {
  const { after = [], ...rest } = step;
  return { ...rest, ...afterOf(after.filter((id) => !isOver(id))) };
}

/** A text that is equal for tasks with the same content. */
function saidIn(task: string): string {
  return task
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .replace(/(?<![\s.!。])[\s.!。]+$/, "")
    .trim();
}

type EditedPlan =
  | { readonly ok: true; readonly steps: readonly TaskStep[] }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the open steps as a person edited them. Missing steps are dropped, new ones get ids; where the new order
 * contradicts the dependencies, the steps run one after another as listed.
 */
export function editPlan(
  soFar: PlanSoFar,
  edited: JsonObject,
  executors: readonly string[] = [],
): EditedPlan {
  const { steps: given = [] } = edited;
  // Front ends send the input of a field as text.
  const { steps: read, unread } = parsePlan(typeof given === "string" ? given : { steps: given });
  const { steps } = revisePlan(soFar, withExecutors(taskStepsOf(read), executors));
  const others = read.filter(({ kind }) => kind !== "task");
  const plan = { steps: [...others, ...inOrder(steps)], unread };
  const rules = { planSteps: null, kind: "task", earlier: [...soFar.ended], executors } as const;
  const [issue] = validatePlan(plan, [], rules);
  return issue === undefined
    ? { ok: true, steps: taskStepsOf(plan.steps) }
    : { ok: false, problem: issue.message };
}

/** The steps one after another, if one of them waits for a later one. */
export function inOrder(steps: readonly TaskStep[]): TaskStep[] {
  const places = new Map(steps.map(({ id }, at) => [id, at]));
  const isForward = steps.some(({ after = [] }, at) =>
    after.some((id) => (places.get(id) ?? 0) > at),
  );
  return isForward ? inListedOrder(steps) : [...steps];
}
