import type { Json } from "../../json/json.js";
import type { AgentEvent } from "../../observe/events.js";
import { isSettled, PlanRows, type Row } from "../../observe/plan-rows.js";
import type { Span } from "../../observe/span-tree.js";
import { insideFence } from "../../prompts/fence.js";
import {
  type CallEnd,
  callText,
  duration,
  effort,
  eventLines,
  type Line,
  oneLine,
} from "./event-lines.js";

/** The plans of a run and of its sub-runs on a terminal: its rows, and what of them has been shown. */
export class Checklist {
  readonly #plan = new PlanRows();
  /** The rows that have been shown, by their state at that time. */
  readonly #shown = new Map<string, string>();

  /** Adds an event; returns the lines that it adds besides the rows. */
  after(event: AgentEvent): readonly Line[] {
    this.#plan.add(event);
    return this.#besideRows(event);
  }

  /** Whether an event ends or pauses the run itself, not a sub-run. */
  rests(event: AgentEvent): boolean {
    return event.parent === undefined && endsWork(event);
  }

  /** All steps in plan order, with their progress and calls. */
  rows(): readonly Row[] {
    return this.#plan.rows();
  }

  /** The rows that are new or newly settled since they were shown. For a call inside a step only the end is shown. */
  news(): readonly Row[] {
    const rows = this.rows();
    const isNew = (row: Row) => !row.isInside && !this.#shown.has(row.key);
    const told = rows.filter((row) => isNew(row) || (isSettled(row) && this.#hasChanged(row)));
    this.wrote(rows);
    return told;
  }

  /** The live lines for this height. */
  block(height: number): PlanBlock {
    const rows = this.rows().filter((row) => !isSettled(row) || this.#hasChanged(row));
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
    for (const row of rows) this.#shown.set(row.key, stampOf(row));
  }

  /** The calls and requests to models that the run waits for, besides those of the rows given, the latest last. */
  waiting(besides: readonly Row[]): readonly Span[] {
    const shown = new Set(besides.map(({ call }) => call));
    return this.#plan.waiting().filter((span) => !shown.has(span));
  }

  #hasChanged(row: Row): boolean {
    return this.#shown.get(row.key) !== stampOf(row);
  }

  /** None for a call with a row; all others name their step. */
  #besideRows(event: AgentEvent): readonly Line[] {
    const around = this.#plan.stepAround(event);
    const call =
      "callId" in event && event.callId !== undefined
        ? this.#plan.call(event.runId, event.callId)
        : undefined;
    const isCall = event.type === "tool_started" || event.type === "tool_finished";
    const hasRow = around !== undefined || (call !== undefined && this.#plan.isStep(call));
    if (isCall && hasRow) return [];
    const lines = eventLines(event, call === undefined ? {} : argsOf(call));
    return around === undefined
      ? lines
      : lines.map(({ tone, text }) => ({ tone, text: `  ${around}: ${text}` }));
  }
}

function endsWork({ type }: AgentEvent): boolean {
  return type === "input_needed" || type === "run_finished";
}

/** A key that changes whenever the row must be shown again. */
function stampOf({ call, state }: Row): string {
  return `${call?.id} ${call?.endedAt} ${state}`;
}

const marks: { readonly [State in Row["state"]]: string } = {
  open: "☐",
  running: "▸",
  done: "✓",
  failed: "✗",
  skipped: "–",
  dropped: "–",
  stopped: "■",
};

const tones: { readonly [State in Row["state"]]: Line["tone"] } = {
  open: "thought",
  running: "thought",
  done: "step",
  failed: "problem",
  skipped: "problem",
  dropped: "thought",
  stopped: "problem",
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
  const text = row.task === undefined ? callText(row.tool, argsOf(call)) : words(row);
  if (call.end?.type === "tool_finished") return endText(row, text, call.end);
  return `${text} ${duration(Math.max(0, (call.endedAt ?? now) - call.startedAt))}`;
}

/** The arguments of a call; none at level "metadata". */
export function argsOf({ start }: Span): Json {
  return start.type === "tool_started" ? (start.content?.args ?? {}) : {};
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
