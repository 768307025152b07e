import type { AgentEvent, EventStep } from "../../observe/events.js";
import { insideFence } from "../../prompts/fence.js";
import {
  type Call,
  type CallEnd,
  callKey,
  type Calls,
  callsAfter,
  callsAround,
  callText,
  duration,
  effort,
  eventLines,
  type Line,
  oneLine,
  type Parents,
  parentsAfter,
} from "./event-lines.js";

/** The plans of a run and of its sub-runs, with the calls so far. */
export type Checklist = {
  readonly steps: readonly PlannedStep[];
  readonly calls: Calls;
  readonly parents: Parents;
};

type PlannedStep = {
  readonly key: string;
  readonly runId: string;
  readonly id: string;
  readonly tool: string;
  readonly thought: string;
  /** The task of a step in words. */
  readonly task: string | undefined;
  /** Its result is the answer, which is shown separately. */
  readonly isFinal: boolean;
  /** It is no longer in the plan. */
  readonly isDropped: boolean;
};

/** A step of a plan, or a call of a step, with its progress. */
export type Row = PlannedStep & {
  readonly state: "open" | "running" | "done" | "failed" | "skipped" | "dropped";
  readonly call: Call | undefined;
  /** A step of a sub-run, shown below the step of the first plan. */
  readonly isNested: boolean;
  /** A call inside a step; its call id. */
  readonly isInside: boolean;
};

/** The empty checklist. */
export const emptyChecklist: Checklist = { steps: [], calls: new Map(), parents: new Map() };

/** The checklist after an event. A further plan adds its new steps. */
export function checklistAfter(list: Checklist, event: AgentEvent): Checklist {
  const calls = callsAfter(list.calls, event);
  const parents = parentsAfter(list.parents, event);
  const steps = stepsAfter(list, event);
  const isSame = steps === list.steps && calls === list.calls && parents === list.parents;
  return isSame ? list : { steps, calls, parents };
}

function stepsAfter({ steps, calls }: Checklist, event: AgentEvent): readonly PlannedStep[] {
  if (event.type === "plan_made") {
    const made: readonly ShownStep[] = event.content?.steps ?? event.steps;
    const planned = made.map((step) => asPlanned(step, event.runId));
    const known = new Set(steps.filter(({ isDropped }) => !isDropped).map(({ key }) => key));
    const added = planned.filter(({ key }) => !known.has(key));
    const again = new Set(added.map(({ key }) => key));
    return [...steps.filter(({ key }) => !again.has(key)), ...added];
  }
  return event.type === "plan_changed" ? changed(steps, calls, event) : steps;
}

/** A step of a plan; at level "metadata" only its id and tool. */
type ShownStep = EventStep | { readonly id: string; readonly tool: string };

function asPlanned(step: ShownStep, runId: string): PlannedStep {
  const { id, tool } = step;
  const task = "task" in step ? step.task : undefined;
  const thought = "thought" in step ? step.thought : "";
  const isFinal = "task" in step && step.final === true;
  return { key: callKey(runId, id), runId, id, tool, thought, task, isFinal, isDropped: false };
}

/** Started steps keep their place; the others follow in the plan's new order, dropped ones first. */
function changed(
  steps: readonly PlannedStep[],
  calls: Calls,
  { runId, steps: ids }: Extract<AgentEvent, { type: "plan_changed" }>,
): readonly PlannedStep[] {
  const places = new Map(ids.map((id, at) => [callKey(runId, id), at]));
  const isOpen = ({ key, runId: of }: PlannedStep) => of === runId && !calls.has(key);
  const marked = steps.map((step) =>
    isOpen(step) && !places.has(step.key) ? { ...step, isDropped: true } : step,
  );
  const moving = marked.filter((step) => isOpen(step) && !step.isDropped);
  const place = ({ key }: PlannedStep) => places.get(key) ?? 0;
  return [
    ...marked.filter((step) => !moving.includes(step)),
    ...moving.toSorted((left, right) => place(left) - place(right)),
  ];
}

/** The lines of an event besides the rows: none for a call with a row; all others name their step. */
export function besideRows(list: Checklist, event: AgentEvent): readonly Line[] {
  const step = stepAround(list, event.runId);
  if (hasRow(list, event, step)) return [];
  const lines = eventLines(event, list.calls);
  return step === undefined
    ? lines
    : lines.map(({ tone, text }) => ({ tone, text: `  ${step.id}: ${text}` }));
}

/** Whether an event belongs to a call that is a step, or is inside one. */
function hasRow({ steps }: Checklist, event: AgentEvent, around: PlannedStep | undefined): boolean {
  if (event.type !== "tool_started" && event.type !== "tool_finished") return false;
  const key = callKey(event.runId, event.callId);
  return around !== undefined || steps.some((step) => step.key === key);
}

/** The innermost step that contains a run. */
function stepAround({ steps, parents }: Checklist, runId: string): PlannedStep | undefined {
  const keys = callsAround(runId, parents);
  const found = keys.map((key) => steps.find((step) => step.key === key));
  return found.find((step) => step !== undefined);
}

/** All steps in plan order, with their progress and calls. */
export function rowsOf(list: Checklist): readonly Row[] {
  const { steps, calls } = list;
  const known = new Set(steps.map(({ key }) => key));
  const inside = [...calls].flatMap(([key, call]) => {
    const step = known.has(key) ? undefined : stepAround(list, call.runId);
    return step === undefined ? [] : [{ key, call, step }];
  });
  return steps.flatMap((step) => {
    const isNested = step.runId !== steps[0]?.runId;
    const call = calls.get(step.key);
    const row = { ...step, call, state: stateOf(call, step), isNested, isInside: false };
    const made = inside.filter((each) => each.step === step);
    return [row, ...made.map((each) => callRow(each.key, each.call, row))];
  });
}

/** The row of a step's call. */
function callRow(key: string, call: Call, row: Row): Row {
  const { tool } = call;
  return { ...row, key, call, tool, state: stateOf(call, row), task: undefined, isInside: true };
}

function stateOf(call: Call | undefined, { isDropped }: PlannedStep): Row["state"] {
  if (call === undefined) return isDropped ? "dropped" : "open";
  const { end } = call;
  if (end === undefined) return "running";
  if (end.ok) return "done";
  const isNotRun = end.attempts === 0 && (end.error === "cancelled" || end.error === "skipped");
  return isNotRun ? "skipped" : "failed";
}

/** Whether a step is finished. */
function isSettled({ state }: Row): boolean {
  return state !== "open" && state !== "running";
}

/** A key that changes whenever the row must be shown again. */
function stampOf({ call, state }: Row): Call | Row["state"] {
  return call ?? state;
}

/** The rows that are new or newly settled, in plan order. For a call inside a step only the end is shown. */
export function rowsBetween(before: Checklist, after: Checklist): readonly Row[] {
  if (before === after) return [];
  const known = new Map(rowsOf(before).map((row) => [row.key, stampOf(row)]));
  const isNew = (row: Row) => !row.isInside && !known.has(row.key);
  return rowsOf(after).filter(
    (row) => isNew(row) || (isSettled(row) && known.get(row.key) !== stampOf(row)),
  );
}

/** The rows of a run's plans on a terminal: redrawn in place until written, and written again when they change. */
export class PlanRows {
  #list = emptyChecklist;
  /** The rows that have been written, by their state at that time. */
  readonly #written = new Map<string, ReturnType<typeof stampOf>>();

  /** Adds an event; returns the lines that it adds besides the rows. */
  after(event: AgentEvent): readonly Line[] {
    this.#list = checklistAfter(this.#list, event);
    return besideRows(this.#list, event);
  }

  /** Whether an event ends or pauses the run itself, not a sub-run. */
  rests(event: AgentEvent): boolean {
    if (event.type !== "input_needed" && event.type !== "run_finished") return false;
    return !this.#list.parents.has(event.runId);
  }

  /** The live lines for this height. */
  block(height: number): PlanBlock {
    const rows = rowsOf(this.#list).filter((row) => !isSettled(row) || this.#hasChanged(row));
    return planBlock(rows, height);
  }

  /** The rows of `block` that are not written yet, or have changed since. */
  unwritten(height: number): PlanBlock {
    const { leaving, shown, hidden } = this.block(height);
    const isNew = (row: Row) => this.#hasChanged(row);
    return { leaving, shown: shown.filter(isNew), hidden };
  }

  /** Records that these rows have been written. */
  wrote(rows: readonly Row[]): void {
    for (const row of rows) this.#written.set(row.key, stampOf(row));
  }

  #hasChanged(row: Row): boolean {
    return this.#written.get(row.key) !== stampOf(row);
  }
}

const marks: { readonly [State in Row["state"]]: string } = {
  open: "☐",
  running: "▸",
  done: "✓",
  failed: "✗",
  skipped: "–",
  dropped: "–",
};

const tones: { readonly [State in Row["state"]]: Line["tone"] } = {
  open: "thought",
  running: "thought",
  done: "step",
  failed: "problem",
  skipped: "problem",
  dropped: "thought",
};

/**
 * A row in one line: `✓ E2 calculator(expression: "8 * 8") → 64 (1 ms)`; for a task in words `✓ S1 Find the price. → It
 * is 3 euros. (2.1 s)`, with its calls indented below. `mark` replaces the mark of a running row.
 */
export function rowLine(row: Row, now: number, mark = marks.running): Line {
  const { id, state, isNested, isInside } = row;
  const shown = state === "running" ? mark : marks[state];
  const indent = "  ".repeat(Number(isNested) + Number(isInside));
  return {
    tone: tones[state],
    text: `${indent}${shown} ${oneLine(id, 20)}${isInside ? ":" : ""} ${rowText(row, now)}`,
  };
}

function rowText(row: Row, now: number): string {
  const { call, state } = row;
  if (call === undefined) return state === "dropped" ? `dropped: ${words(row)}` : words(row);
  const text = row.task === undefined ? callText(row.tool, call.args) : words(row);
  if (call.end !== undefined) return endText(row, text, call.end);
  return `${text} ${duration(Math.max(0, now - call.since))}`;
}

function endText(row: Row, text: string, end: CallEnd): string {
  const result = oneLine(insideFence(end.content?.result ?? "").text, 160);
  // A task is a sentence with its own punctuation.
  const colon = row.task === undefined ? ": " : " → ";
  if (row.state === "failed") return `${text}${colon}${why(end, result)} (${effort(end)})`;
  if (row.state === "skipped") return `${name(row)}${colon}${why(end, whyNotRun(end, result))}`;
  const isAnswer = row.isFinal && !row.isInside;
  return `${text}${isAnswer ? "" : ` → ${result}`} (${effort(end)})`;
}

/** The purpose of a step, before its first call. */
function words({ tool, thought, task }: Row): string {
  if (task !== undefined) return oneLine(task, 120);
  return thought === "" ? oneLine(tool, 64) : `${oneLine(tool, 64)}: ${oneLine(thought, 120)}`;
}

function name(row: Row): string {
  return row.task === undefined ? oneLine(row.tool, 64) : words(row);
}

function whyNotRun({ error }: CallEnd, result: string): string {
  const reason = result.replace(/^Error \((?:cancelled|skipped)\): /, "");
  return error === "skipped" ? `skipped: ${reason}` : reason;
}

function why({ error }: CallEnd, result: string): string {
  return result === "" ? (error ?? "failed") : result;
}

/** The part of a checklist that fits the screen. */
type PlanBlock = {
  /** Rows that are written permanently, to make room. */
  readonly leaving: readonly Row[];
  /** Rows that are drawn, and drawn again when they change. */
  readonly shown: readonly Row[];
  /** The number of hidden rows. */
  readonly hidden: number;
};

/** Fits rows into `height` lines, one for the hidden count. Without room, settled rows leave; running ones come first. */
export function planBlock(rows: readonly Row[], height: number): PlanBlock {
  if (rows.length <= height) return { leaving: [], shown: rows, hidden: 0 };
  const leaving = rows.filter(isSettled);
  const unsettled = rows.filter((row) => !isSettled(row));
  if (unsettled.length <= height) return { leaving, shown: unsettled, hidden: 0 };
  const byUrgency = [
    ...unsettled.filter(({ state }) => state === "running"),
    ...unsettled.filter(({ state }) => state === "open"),
  ];
  const chosen = new Set(byUrgency.slice(0, Math.max(0, height - 1)));
  const shown = unsettled.filter((row) => chosen.has(row));
  return { leaving, shown, hidden: unsettled.length - shown.length };
}
