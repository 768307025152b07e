import { isRecord, type Json } from "../../json/json.js";
import { isSettled, type Row } from "../../observe/plan-rows.js";
import type { Span } from "../../observe/span-tree.js";
import { insideFence } from "../../prompts/fence.js";

/** How a step stands; `asking`: it waits for a person. */
export type StepState = Row["state"] | "asking";

/** A step of a plan as it is drawn. */
export type StepView = {
  readonly key: string;
  readonly id: string;
  /** Its id for people; empty for a call that is part of no plan: models name those for programs. */
  readonly label: string;
  /** What it is for, in the words of the plan; else its tool. */
  readonly title: string;
  readonly tool: string;
  readonly state: StepState;
  readonly needs: readonly string[];
  readonly row: Row;
};

/** The steps of plans, where `asked` are the ids of steps that wait for a person. */
export function stepViews(rows: readonly Row[], asked: ReadonlySet<string>): readonly StepView[] {
  return rows.map((row) => {
    const { key, id, tool, needs } = row;
    const waits = !row.isInside && asked.has(id) && !isSettled(row);
    const label = row.isLoose ? "" : id;
    const state = waits ? "asking" : row.state;
    return { key, id, label, tool, needs, title: titleOf(row), state, row };
  });
}

function titleOf({ isInside, task, thought, tool, call }: Row): string {
  if (isInside) return callText(tool, call);
  return task ?? (thought.trim() === "" ? callText(tool, call) : thought.trim());
}

/** A call with its arguments, in one line. */
function callText(tool: string, call: Span | undefined): string {
  const args = call === undefined ? undefined : argsOf(call);
  return isRecord(args) && Object.keys(args).length > 0 ? `${tool}: ${shortText(args, 120)}` : tool;
}

/** At most so many steps of a plan, from shortly before the first that has not ended; the last ones where all have. */
export function shownOf(steps: readonly StepView[], most: number): readonly StepView[] {
  const open = steps.findIndex(({ row }) => !isSettled(row));
  const first = open === -1 ? steps.length : open - fewBefore;
  const from = Math.min(Math.max(0, first), Math.max(0, steps.length - most));
  return steps.slice(from, from + most);
}

/** How many ended steps stand before the first that has not. */
const fewBefore = 3;

/** In which order counts are told: first what has ended. */
const told = ["done", "failed", "skipped", "dropped", "running", "asking", "open"] as const;

/** How many steps of the plan itself stand how, those that have ended first. */
export function countsOf(steps: readonly StepView[]): ReadonlyMap<StepState, number> {
  const own = steps.filter(({ row }) => !row.isInside && !row.isNested);
  const counts = told.map(
    (each) => [each, own.filter(({ state }) => state === each).length] as const,
  );
  return new Map(counts.filter(([, count]) => count > 0));
}

/** The arguments of a call; none where they were not kept. */
export function argsOf({ start }: Span): Json | undefined {
  return start.type === "tool_started" ? start.content?.args : undefined;
}

/** The result of a call without the marks around untrusted text; none where it has not ended, or was not kept. */
export function resultOf({ end }: Span): string | undefined {
  if (end?.type !== "tool_finished" || end.content === undefined) return undefined;
  return insideFence(end.content.result).text.replace(/^Error \(\w+\): /, "");
}

/** A value in one line of at most so many characters: fields by their names, everything else as JSON or as it is. */
export function shortText(value: unknown, most: number): string {
  const text = wordsOf(typeof value === "string" ? dataIn(value) : value, 2)
    .replaceAll(/\s+/g, " ")
    .trim();
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

/** What a text holds, if it is JSON with fields or items. */
function dataIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || text.length > 20_000) return text;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

function wordsOf(value: unknown, depth: number): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth === 0)
    return JSON.stringify(value) ?? "";
  if (Array.isArray(value)) return value.map((item) => wordsOf(item, depth - 1)).join("; ");
  const fields = Object.entries(value);
  const [only] = fields;
  if (fields.length === 1 && only !== undefined) return wordsOf(only[1], depth);
  return fields.map(([name, field]) => `${name}: ${wordsOf(field, depth - 1)}`).join(", ");
}

/** What a span took until it ended, or until now, in milliseconds. */
export function timeOf({ startedAt, endedAt }: Span, now: number): number {
  return Math.max(0, (endedAt ?? now) - startedAt);
}

/**
 * The steps whose times add up to that of the plan: from the one that ended last, back over the one that each had waited
 * for longest.
 */
export function criticalPath(steps: readonly StepView[]): ReadonlySet<string> {
  const ends = new Map(
    steps.flatMap(({ id, row }) =>
      row.isInside || row.isNested || row.call?.endedAt === undefined
        ? []
        : [[id, row.call.endedAt]],
    ),
  );
  const needs = new Map(steps.map((step) => [step.id, step.needs]));
  const path = new Set<string>();
  let next = last([...ends.keys()], ends);
  while (next !== undefined && !path.has(next)) {
    path.add(next);
    next = last(
      (needs.get(next) ?? []).filter((id) => ends.has(id)),
      ends,
    );
  }
  return path;
}

function last(ids: readonly string[], ends: ReadonlyMap<string, number>): string | undefined {
  return ids.toSorted((left, right) => (ends.get(right) ?? 0) - (ends.get(left) ?? 0))[0];
}
