import type { AgentEvent } from "../../observe/events.js";
import { insideFence } from "../../prompts/fence.js";
import {
  besideRows,
  checklistAfter,
  emptyChecklist,
  isInsideRun,
  isSettled,
  type Row,
  rowsOf,
  stampOf,
} from "./checklist.js";
import { type CallEnd, callText, duration, effort, type Line, oneLine } from "./event-lines.js";

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
    return !isInsideRun(this.#list, event);
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
  if (row.state === "skipped") return `${name(row)}${colon}${why(end, withoutKind(result))}`;
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

function withoutKind(result: string): string {
  return result.replace(/^Error \(cancelled\): /, "");
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
