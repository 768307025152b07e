import type { Condition } from "../json/condition.js";
import {
  canonicalJson,
  defined,
  isRecord,
  type Json,
  type JsonObject,
  mapFields,
} from "../json/json.js";

/** A comparison; its value and its target may hold references. */
export type StepCondition = Condition & { readonly value: Json };

/** What a person who writes a plan says beside its calls; models do not. Every value may hold references. */
type StepRules = {
  /** The step runs where all of these hold. */
  readonly when?: readonly StepCondition[];
  /** Its result where it does not run because of `when`. */
  readonly otherwise?: Json;
  /** Its result where it failed, or where something that it needs did. */
  readonly fallback?: Json;
};

/** One tool call in a plan. */
export type ToolStep = {
  readonly kind: "tool";
  /** "E1", "E2", …; numbers continue across replans and are never reused. */
  readonly id: string;
  /** Why this step is needed. */
  readonly thought?: string;
  /** A tool's name, or "llm" to reason over earlier evidence with the executor model. */
  readonly tool: string;
  /** May hold references to earlier steps: `{{E1}}` or `{{E1.items[0].name}}`. */
  readonly args: JsonObject;
  /** Ids that must finish first, in addition to those in the arguments. */
  readonly after?: readonly string[];
} & StepRules;

/** One task in words, for an executor that chooses the tools. */
export type TaskStep = {
  readonly kind: "task";
  /** "S1", "S2", …; numbers continue across replans and are never reused. */
  readonly id: string;
  readonly task: string;
  /** Ids that must finish first. */
  readonly after?: readonly string[];
  /** Its result is the answer, if it is the last step. */
  readonly final?: true;
  /** The executor that carries it out, where a graph has several. */
  readonly executor?: string;
};

/** A step of a plan, of either kind. */
export type Step = ToolStep | TaskStep;

/** The tool name for calls of tasks that no executor by name carries out. */
export const taskTool = "executor";

/** The call that carries out a step. */
export function callOfStep(step: Step) {
  return step.kind === "tool"
    ? { id: step.id, name: step.tool, args: step.args }
    : { id: step.id, name: step.executor ?? taskTool, args: { task: step.task } };
}

/** A call as text that is equal for calls of one tool with the same arguments. */
export function callKey({ name, args }: { readonly name: string; readonly args: unknown }): string {
  return `${name} ${canonicalJson(args)}`;
}

/** Tasks with the names of executors as these are spelt; without them in a graph that has none. */
export function withExecutors(
  steps: readonly TaskStep[],
  executors: readonly string[],
): TaskStep[] {
  return steps.map(({ executor, ...step }) => {
    if (executor === undefined || executors.length === 0) return step;
    const isMeant = (name: string) => name.toLowerCase() === executor.trim().toLowerCase();
    return { ...step, executor: executors.find(isMeant) ?? executor };
  });
}

/** A plan as it was read: nothing is checked, nothing is dropped. */
export type ReadPlan = {
  readonly steps: readonly Step[];
  /** The text that is not part of a step, in order, trimmed. */
  readonly unread: readonly string[];
  /** The number of plans in the text, if more than one: `steps` has the steps of all. */
  readonly plans?: number;
  /** Text in thoughts that the form of a plan does not mark as such: prose before a call, comments. */
  readonly asides?: readonly string[];
};

/** Whether a text was only a plan: no prose around or between its steps. */
export function isBarePlan({ unread, asides = [] }: ReadPlan): boolean {
  return unread.length === 0 && asides.length === 0;
}

/** The ids that a step waits for, as its field; no field for none. */
export function afterOf(ids: readonly string[]): Pick<Step, "after"> {
  return ids.length === 0 ? {} : { after: ids };
}

/** The steps of a plan that are tasks in words. */
export function taskStepsOf(steps: readonly Step[]): TaskStep[] {
  return steps.filter((step) => step.kind === "task");
}

/** The steps of a plan that call tools. */
export function toolStepsOf(steps: readonly Step[]): ToolStep[] {
  return steps.filter((step) => step.kind === "tool");
}

const prefixes = { tool: "E", task: "S" } as const;

/** The id for the next step: one more than the highest number among the ids, including those of earlier plans. */
export function nextStepId(ids: Iterable<string>, kind: Step["kind"]): string {
  return `${prefixes[kind]}${highestNumber(ids) + 1}`;
}

/** The highest number among ids: 12 for "E3" and "E12", 0 where none has one. */
export function highestNumber(ids: Iterable<string>): number {
  const numbers = [...ids].map((id) => Number(/\d{1,9}$/.exec(id)?.[0] ?? 0));
  return numbers.reduce((high, each) => Math.max(high, each), 0);
}

/**
 * The steps of a new plan, with new ids for those that an earlier plan used: models start from 1 again. Later steps
 * refer to the new ids. Duplicate ids within the plan stay. An unchanged step of `standing` is left out, and under any
 * id one that does the same as a step in `begun`. The first steps get the same ids with and without the rest.
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

/** Removes from `open` the step that does this, if possible the one with that id: each counts once. */
function takeSame(open: Doing[], id: string, does: string): string | undefined {
  const alike = open.filter((each) => each.does === does);
  const same = alike.find((each) => each.id === id) ?? alike[0];
  if (same !== undefined) open.splice(open.indexOf(same), 1);
  return same?.id;
}

/** A step as text that is equal for steps that do the same; without id and thought. */
export function canonicalStep(step: Step): string {
  const { kind, after = [] } = step;
  const by = step.kind === "task" ? step.executor : undefined;
  const does = step.kind === "task" ? step.task.trim() : { tool: step.tool, args: step.args };
  return canonicalJson({ kind, does, after: after.toSorted(), ...defined({ by }) });
}

function withNewNames(step: Step, renamed: ReadonlyMap<string, string>): Step {
  const nameOf = (id: string) => renamed.get(id) ?? id;
  const order = step.after === undefined ? {} : { after: step.after.map((id) => nameOf(id)) };
  if (step.kind === "task") return { ...step, ...order };
  return { ...step, args: withNewReferences(step.args, nameOf), ...order };
}

/** The arguments with other ids in their references. */
export function withNewReferences(args: JsonObject, nameOf: (id: string) => string): JsonObject {
  const print = ({ id, path }: Reference) => printReference({ id: nameOf(id), path });
  return mapFields(args, (text) => replaceReferences(text, print));
}

/** The ids that must finish before a step can run, each once: first those in its arguments, then those in `after`. */
export function dependenciesOf(step: Step): string[] {
  const referred = step.kind === "tool" ? [step.args, ...rulesOf(step)].flatMap(idsIn) : [];
  return [...new Set([...referred, ...(step.after ?? [])])];
}

/** The ids in the references of a value. */
export function idsIn(value: Json): string[] {
  return referencesIn(value).map(({ id }) => id);
}

/** The values of a step's rules. */
function rulesOf({ when = [], otherwise = null, fallback = null }: StepRules): Json[] {
  return [...valuesIn(when), otherwise, fallback];
}

/** The values and targets of comparisons. */
export function valuesIn(conditions: readonly StepCondition[]): Json[] {
  return conditions.flatMap(({ value, target = null }) => [value, target]);
}

/** A reference to the result of a step in a text. */
export type Reference = {
  /** As written, braces included. */
  readonly text: string;
  readonly id: string;
  /** The path of fields and positions in the result. */
  readonly path: readonly (string | number)[];
};

const name = String.raw`[\p{L}_][\p{L}\p{N}_-]*`;

/** Path elements after the id: `.items`, `[0]`, `["quoted key"]`. */
export const pathPattern = String.raw`(?:\.${name}|\[\d{1,9}\]|\["(?:[^"\\\n]|\\.)*"\]|\['[^'\n]*'\])*`;

const canonical = new RegExp(String.raw`\{\{\s*(${name})(${pathPattern})\s*\}\}`, "gu");
const whole = new RegExp(`^${canonical.source}$`, "u");
const braced = /\{\{([^{}]*)\}\}/g;

/** The reference in a text that is exactly one reference. */
export function wholeReference(text: string): Reference | undefined {
  const match = whole.exec(text);
  return match === null ? undefined : asReference(match);
}

/** The text with every reference replaced by the result of `replace`, which is not read again. */
export function replaceReferences(text: string, replace: (found: Reference) => string): string {
  return text.replaceAll(canonical, (...match: string[]) => replace(asReference(match)));
}

/** A text whose references lead elsewhere: those that `change` returns nothing for stay. */
export function redirected(
  text: string,
  change: (found: Reference) => Omit<Reference, "text"> | undefined,
): string {
  return replaceReferences(text, (found) => {
    const other = change(found);
    return other === undefined ? found.text : printReference(other);
  });
}

/** All references in arguments, including nested objects and lists, in order and with duplicates. */
export function referencesIn(args: Json): Reference[] {
  return textsIn(args).flatMap((text) =>
    [...text.matchAll(canonical)].map((match) => asReference(match)),
  );
}

/** Text between double braces in arguments that is not a reference: `{{today() - 7}}`. */
export function unreadableReferencesIn(args: Json): string[] {
  return textsIn(args)
    .flatMap((text) => text.match(braced) ?? [])
    .filter((text) => wholeReference(text) === undefined);
}

/** The rest of a text from double braces that nothing closes: `{{order.id}`. */
export function unclosedReferenceIn(text: string): string | undefined {
  return /\{\{(?![^{}]*\}\}).*/s.exec(text)?.[0];
}

/** A reference in the form that plans use. */
export function printReference({ id, path }: Omit<Reference, "text">): string {
  return `{{${id}${printPath(path)}}}`;
}

/** A path in the form that follows an id. */
export function printPath(path: Reference["path"]): string {
  const plain = new RegExp(`^${name}$`, "u");
  const parts = path.map((part) =>
    typeof part === "string" && plain.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`,
  );
  return parts.join("");
}

/** The texts in a value. */
export function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((each: Json) => textsIn(each));
  return isRecord(value) ? Object.values(value).flatMap((each) => textsIn(each)) : [];
}

function asReference([text = "", id = "", path = ""]: readonly string[]): Reference {
  const parts = path.matchAll(/\.([^.[]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\['([^']*)'\]/g);
  return { text, id, path: [...parts].map((part) => pathPart(part)) };
}

function pathPart([, field, place, quoted, single]: RegExpExecArray): string | number {
  if (place !== undefined) return Number(place);
  return field ?? single ?? unquoted(quoted ?? '""');
}

function unquoted(text: string): string {
  try {
    const key: unknown = JSON.parse(text);
    return String(key);
  } catch {
    return text.slice(1, -1);
  }
}

/** The name of the only text among the arguments of a call; nothing where there is none, or several. */
export function onlyTextIn(args: JsonObject): string | undefined {
  const [only, ...others] = Object.entries(args).filter(([, value]) => typeof value === "string");
  return others.length === 0 ? only?.[0] : undefined;
}

/** Whether a step of a plan comes to the answer: it is marked so, and the last. */
export function isFinal({ id, final }: TaskStep, steps: readonly TaskStep[]): boolean {
  return final === true && steps.at(-1)?.id === id;
}
