import { type Json, mapFields, mapTexts } from "../../json/json.js";
import { filledIn, holds, judgeStep, resultsIn, type StepEnds } from "../step-verdict.js";
import {
  redirected,
  type Reference,
  replaceReferences,
  type ToolStep,
  wholeReference,
} from "../step.js";
import {
  callIn,
  type Each,
  inner,
  isOneCall,
  itemName,
  listId,
  outsideOf,
  partId,
  type Repeat,
  resultName,
  startId,
  type WorkflowStep,
} from "./steps.js";

/** A step that has ended without a call of its own. */
export type Settled = {
  readonly step: WorkflowStep;
  readonly end:
    | { readonly kind: "done"; readonly value: Json; readonly of: readonly string[] }
    | { readonly kind: "failed" | "untaken"; readonly reason: string }
    | { readonly kind: "skipped"; readonly waitedFor: string };
};

/** The calls of a step so far, and its end if it has come in this moment. */
export type Parts = {
  readonly calls: readonly ToolStep[];
  readonly end?: Settled["end"] | undefined;
  readonly pause?: number;
};

/** The calls of a step: one, or those of `each` and `repeat` when everything that it waits for has ended. */
export function partsOf(step: WorkflowStep, ends: StepEnds): Parts {
  const { each, repeat } = step;
  if (isOneCall(step)) return { calls: [callIn(step)] };
  const isEnded = ends.has(step.id);
  const outside = { ...step, args: mapFields(step.args, withoutInner) };
  const verdict = judgeStep(outside, ends, [mapTexts(outsideOf(step), withoutInner)]);
  if (verdict.kind !== "run") return { calls: [], ...(isEnded ? {} : { end: verdict }) };
  const parts =
    each === undefined
      ? roundsOf(step, repeat ?? { until: [], max: 1 }, ends)
      : itemsOf(step, each, ends);
  return isEnded ? { calls: parts.calls } : parts;
}

/** A text without the references that only the calls of its step understand. */
function withoutInner(text: string): string {
  return replaceReferences(text, (found) => (inner.has(found.id) ? "" : found.text));
}

function itemsOf(step: WorkflowStep, { list, max }: Each, ends: StepEnds): Parts {
  const items = filledIn(list, resultsIn(ends));
  if (!Array.isArray(items)) {
    const reason = `each: expected a list, got ${typeName(items)}.`;
    return { calls: [], end: { kind: "failed", reason } };
  }
  if (items.length > max) {
    const reason = `each: expected at most ${max} items, got ${items.length}. None was begun.`;
    return { calls: [], end: { kind: "failed", reason } };
  }
  const place = placeOf(list) ?? { id: listId(step.id), path: [] };
  const calls = items.map((_, at) =>
    partOf(step, at + 1, itemName, { ...place, path: [...place.path, at] }),
  );
  return { calls, end: collected(calls, ends) };
}

function typeName(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return typeof value === "string"
    ? "text"
    : `${typeof value === "object" ? "an" : "a"} ${typeof value}`;
}

function placeOf(value: Json): Omit<Reference, "text"> | undefined {
  return typeof value === "string" ? wholeReference(value) : undefined;
}

/** One call of a step: references to `name` are references to `place`. */
function partOf(
  step: WorkflowStep,
  at: number,
  name: string,
  place: Omit<Reference, "text"> | undefined,
): ToolStep {
  const { each: _each, repeat, when: _when, otherwise: _otherwise, fallback, ...call } = step;
  const change = (text: string) =>
    redirected(text, ({ id, path }) =>
      id === name && place !== undefined
        ? { id: place.id, path: [...place.path, ...path] }
        : undefined,
    );
  return {
    ...call,
    id: partId(step.id, at),
    args: mapFields(step.args, change),
    // The rounds of a repeated step have no fallback of their own.
    ...(fallback === undefined || repeat !== undefined
      ? {}
      : { fallback: mapTexts(fallback, change) }),
  };
}

/** How many failures the reason of a failed step names. */
const maxNamed = 3;

/** The results of all items, once all have ended: a list in the order of the items. */
function collected(calls: readonly ToolStep[], ends: StepEnds): Settled["end"] | undefined {
  const all = calls.map(({ id }) => ({ id, end: ends.get(id) }));
  if (all.some(({ end }) => end === undefined)) return undefined;
  const failed = all.filter(({ end }) => end?.kind !== "done").map(({ id }) => id);
  if (failed.length > 0) {
    const named = failed.slice(0, maxNamed).join(", ");
    const more = failed.length > maxNamed ? ", …" : "";
    const reason = `${failed.length} of ${calls.length} failed: ${named}${more}.`;
    return { kind: "failed", reason };
  }
  const value = all.flatMap(({ end }) => (end?.kind === "done" ? [end.value] : []));
  return { kind: "done", value, of: calls.map(({ id }) => id) };
}

function roundsOf(step: WorkflowStep, repeat: Repeat, ends: StepEnds): Parts {
  const { max, seconds = 0 } = repeat;
  const made = roundsMade(step, ends);
  const calls = Array.from({ length: Math.min(made + 1, max) }, (_, at) =>
    partOf(step, at + 1, resultName, placeBefore(step, repeat, at + 1)),
  );
  // The rounds before the last one did not end the step.
  const over = made === 0 ? undefined : endOfRound(partId(step.id, made), repeat, ends);
  if (over !== undefined) return { calls: calls.slice(0, made), end: over };
  if (made < max) return { calls, pause: made === 0 ? 0 : seconds };
  const times = max === 1 ? "once" : `${max} times`;
  const reason = `what it waits for did not come: it was called ${times}.`;
  return { calls, end: { kind: "failed", reason } };
}

/** How many rounds of a repeated step have ended. */
function roundsMade({ id, repeat }: WorkflowStep, ends: StepEnds): number {
  const { max = 0 } = repeat ?? {};
  let made = 0;
  while (made < max && ends.has(partId(id, made + 1))) made += 1;
  return made;
}

/** Where a round finds the result before it. */
function placeBefore({ id }: WorkflowStep, { start }: Repeat, round: number) {
  if (round > 1) return { id: partId(id, round - 1), path: [] };
  return start === undefined ? undefined : (placeOf(start) ?? { id: startId(id), path: [] });
}

/** The end of a repeated step after a round, if that was the last one. */
function endOfRound(id: string, { until }: Repeat, ends: StepEnds): Settled["end"] | undefined {
  const end = ends.get(id);
  if (end?.kind !== "done") return { kind: "failed", reason: `${id} failed.` };
  const results = new Map([...resultsIn(ends), [resultName, end.value] as const]);
  const isOver = until.every((condition) => holds(condition, results));
  return isOver ? { kind: "done", value: end.value, of: [id] } : undefined;
}

/** The result of the last round of a repeated step that has one. */
export function lastRound(step: WorkflowStep, ends: StepEnds): Json | undefined {
  // Only the last one may have failed.
  const made = roundsMade(step, ends);
  const results = [made, made - 1].map((round) => ends.get(partId(step.id, round)));
  const last = results.find((end) => end?.kind === "done");
  return last?.kind === "done" ? last.value : undefined;
}
