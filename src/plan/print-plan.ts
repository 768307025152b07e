import { canonicalJson, defined } from "../json/json.js";
import { afterOf, dependenciesOf, type Step, withNewReferences } from "./step.js";

/**
 * A plan in the JSON form that models are asked for: `parsePlan` reads the same steps from it. An empty `after` is left
 * out of steps that call tools; tasks without an order keep it, because without it they would run one after another.
 */
export function printPlan(steps: readonly Step[]): string {
  return JSON.stringify({ steps: steps.map((step) => printed(step)) });
}

function printed(step: Step): object {
  if (step.kind === "task") {
    const { executor, after = [] } = step;
    return { id: step.id, task: step.task, ...defined({ executor }), after };
  }
  const { id, thought, tool, args, after = [] } = step;
  return {
    id,
    ...defined({ thought }),
    tool,
    args,
    ...afterOf(after),
  };
}

/** A text that is equal for plans that do the same: positions for ids, no thoughts, sorted keys and dependencies. */
export function canonicalPlan(steps: readonly Step[]): string {
  const places = new Map(steps.map(({ id }, at) => [id, String(at + 1)] as const).toReversed());
  return canonicalJson(steps.map((step) => canonicalStep(step, places)));
}

function canonicalStep(step: Step, places: ReadonlyMap<string, string>): object {
  const placeOf = (id: string) => places.get(id) ?? id;
  const after = dependenciesOf(step)
    .map((id) => placeOf(id))
    .toSorted();
  if (step.kind === "task") {
    return { task: step.task.trim(), after, ...defined({ executor: step.executor }) };
  }
  // References to earlier plans stay: no id can be a bare number.
  return { tool: step.tool, args: withNewReferences(step.args, placeOf), after };
}
