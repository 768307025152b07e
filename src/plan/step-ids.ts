import { mapFields } from "./map-texts.js";
import { printReference, replaceReferences } from "./reference.js";
import type { Step } from "./step.js";

const prefixes = { tool: "E", task: "S" } as const;

/** The id for a next step: one more than the highest number among the ids, of earlier plans too. */
export function nextStepId(ids: Iterable<string>, kind: Step["kind"]): string {
  return `${prefixes[kind]}${highestNumber(ids) + 1}`;
}

/** The highest number among ids: 12 for "E3" and "E12", 0 where none has one. */
export function highestNumber(ids: Iterable<string>): number {
  const numbers = [...ids].map((id) => Number(/\d{1,9}$/.exec(id)?.[0] ?? 0));
  return numbers.reduce((high, each) => Math.max(high, each), 0);
}

/**
 * The steps of a new plan with new ids in place of those that an earlier plan has used: a model counts
 * from 1 again, ids are never used twice. What follows such a step in the new plan means it, not the
 * earlier one. Ids that are given twice within the plan stay so.
 */
export function continueIds(steps: readonly Step[], earlier: Iterable<string>): Step[] {
  const used = new Set(earlier);
  const taken = new Set([...used, ...steps.map(({ id }) => id)]);
  const renamed = new Map<string, string>();
  return steps.map((step) => {
    const following = withNewNames(step, renamed);
    if (!used.has(step.id)) return following;
    const id = renamed.get(step.id) ?? nextStepId(taken, step.kind);
    renamed.set(step.id, id);
    taken.add(id);
    return { ...following, id };
  });
}

function withNewNames(step: Step, renamed: ReadonlyMap<string, string>): Step {
  const nameOf = (id: string) => renamed.get(id) ?? id;
  const order = step.after === undefined ? {} : { after: step.after.map((id) => nameOf(id)) };
  if (step.kind === "task") return { ...step, ...order };
  const rename = (text: string) =>
    replaceReferences(text, ({ id, path }) => printReference({ id: nameOf(id), path }));
  return { ...step, args: mapFields(step.args, rename), ...order };
}
