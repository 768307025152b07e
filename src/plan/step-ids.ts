import { canonicalJson, mapFields } from "../json/json.js";
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
 * earlier one. Ids that are given twice within the plan stay so. A step of `standing` that the plan names
 * again, unchanged, is that step and left out; so is one that does what a step of `begun` does, under
 * whatever id. The first steps of a plan get the ids that they get alone.
 */
export function continueIds(
  steps: readonly Step[],
  earlier: Iterable<string>,
  standing: readonly Step[] = [],
  begun: readonly Step[] = [],
): Step[] {
  const stands = new Map(standing.map((step) => [step.id, canonicalStep(step)]));
  const open = begun.map((step) => ({ id: step.id, does: canonicalStep(step) }));
  const taken = new Set(earlier);
  const own = new Set<string>();
  const renamed = new Map<string, string>();
  return steps.flatMap((step) => {
    const following = withNewNames(step, renamed);
    const isTwice = own.has(step.id);
    own.add(step.id);
    const does = canonicalStep(following);
    if (!isTwice && stands.get(step.id) === does) return [];
    const same = isTwice ? undefined : takeSame(open, step.id, does);
    if (same !== undefined) {
      if (same !== step.id) renamed.set(step.id, same);
      return [];
    }
    if (!isTwice && taken.has(step.id)) renamed.set(step.id, nextStepId(taken, step.kind));
    const id = renamed.get(step.id) ?? step.id;
    taken.add(id);
    return [{ ...following, id }];
  });
}

type Doing = { readonly id: string; readonly does: string };

/** Takes the step out of `open` that does this, the one of that id first: each is meant once. */
function takeSame(open: Doing[], id: string, does: string): string | undefined {
  const alike = open.filter((each) => each.does === does);
  const same = alike.find((each) => each.id === id) ?? alike[0];
  if (same !== undefined) open.splice(open.indexOf(same), 1);
  return same?.id;
}

/** What a step does, as a text that is the same for steps that do the same; id and thought are left out. */
export function canonicalStep(step: Step): string {
  const { kind, after = [] } = step;
  const does = step.kind === "task" ? step.task.trim() : { tool: step.tool, args: step.args };
  return canonicalJson({ kind, does, after: after.toSorted() });
}

function withNewNames(step: Step, renamed: ReadonlyMap<string, string>): Step {
  const nameOf = (id: string) => renamed.get(id) ?? id;
  const order = step.after === undefined ? {} : { after: step.after.map((id) => nameOf(id)) };
  if (step.kind === "task") return { ...step, ...order };
  const rename = (text: string) =>
    replaceReferences(text, ({ id, path }) => printReference({ id: nameOf(id), path }));
  return { ...step, args: mapFields(step.args, rename), ...order };
}
