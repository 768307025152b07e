import { isRecord, type Json } from "../../json/json.js";
import { isSettled, type Row } from "../../observe/plan-rows.js";
import type { Span } from "../../observe/span-tree.js";
import { insideFence } from "../../prompts/fence.js";

/** How a step stands; `asking`: it waits for a person, `denied`: a person refused it. */
export type StepState = Row["state"] | "asking" | "denied";

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

/**
 * The steps of plans, where `asked` are the ids of steps that wait for a person: of the plan itself, before those of a plan
 * inside a step. `isOver`: nothing more of them is carried out.
 */
export function stepViews(
  rows: readonly Row[],
  asked: ReadonlySet<string>,
  isOver = false,
): readonly StepView[] {
  const asking = new Set([...asked].map((id) => askingRow(rows, id)));
  return rows.map((row) => {
    const { key, id, tool, needs } = row;
    const waits = asking.has(row);
    const label = row.isLoose ? "" : id;
    const state = waits ? "asking" : stateOf(row, isOver);
    return { key, id, label, tool, needs, title: titleOf(row), state, row };
  });
}

function askingRow(rows: readonly Row[], id: string): Row | undefined {
  const open = rows.filter((row) => row.id === id && !row.isInside && !isSettled(row));
  return open.find(({ isNested }) => !isNested) ?? open[0];
}

function stateOf({ state, call }: Row, isOver: boolean): StepState {
  const byPeople = state === "failed" && call !== undefined ? doneByPeople(call) : undefined;
  if (byPeople !== undefined) return byPeople;
  if (!isOver) return state;
  return state === "open" ? "dropped" : state === "running" ? "stopped" : state;
}

/** What people did to a part of a run that failed, which is no fault of it: they refused it, or cut it off with the run. */
export function doneByPeople({ end }: Span): "denied" | "stopped" | undefined {
  const error = end?.type === "tool_finished" ? end.error : undefined;
  const kind = end?.type === "model_failed" ? end.kind : error;
  if (kind === "denied") return kind;
  return kind === "cancelled" ? "stopped" : undefined;
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

/** Whether a call was refused, or not made, before it began: it took no time. */
export function isUntried({ end }: Span): boolean {
  return end?.type === "tool_finished" && !end.ok && end.attempts === 0;
}

/** What a span took until it ended, or until now, in milliseconds. */
export function timeOf({ startedAt, endedAt }: Span, now: number): number {
  return Math.max(0, (endedAt ?? now) - startedAt);
}
