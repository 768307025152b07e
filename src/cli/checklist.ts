import type { AgentEvent } from "../observe/events.js";
import { type Call, type CallEnd, callKey, type Calls, callsAfter } from "./calls.js";
import { callText, effort, type Line } from "./event-lines.js";
import { duration, oneLine } from "./text.js";

/** The plans of a run, and of the runs in it, with the calls so far. */
export type Checklist = {
  readonly steps: readonly PlannedStep[];
  readonly calls: Calls;
};

type PlannedStep = {
  readonly key: string;
  readonly runId: string;
  readonly id: string;
  readonly tool: string;
  readonly thought: string;
};

/** A step of a plan and how far it is. */
export type Row = PlannedStep & {
  readonly state: "open" | "running" | "done" | "failed" | "skipped";
  readonly call: Call | undefined;
  /** A step of a run inside the run whose plan came first. */
  readonly isNested: boolean;
};

/** The checklist before anything is planned. */
export const emptyChecklist: Checklist = { steps: [], calls: new Map() };

/** The checklist after an event. A further plan adds the steps that are not there yet. */
export function checklistAfter(list: Checklist, event: AgentEvent): Checklist {
  const calls = callsAfter(list.calls, event);
  if (event.type !== "plan_made") return calls === list.calls ? list : { ...list, calls };
  const known = new Set(list.steps.map(({ key }) => key));
  const { runId } = event;
  const steps: readonly { id: string; tool: string; thought?: string }[] =
    event.content?.steps ?? event.steps;
  const planned = steps.map(({ id, tool, thought = "" }) => {
    return { key: callKey(runId, id), runId, id, tool, thought };
  });
  return { calls, steps: [...list.steps, ...planned.filter(({ key }) => !known.has(key))] };
}

/** Whether an event is of a call that is a step: its row tells of it. */
export function isOfStep({ steps }: Checklist, event: AgentEvent): boolean {
  if (event.type !== "tool_started" && event.type !== "tool_finished") return false;
  const key = callKey(event.runId, event.callId);
  return steps.some((step) => step.key === key);
}

/** Every step in plan order, with how far it is. */
export function rowsOf({ steps, calls }: Checklist): readonly Row[] {
  return steps.map((step) => {
    const call = calls.get(step.key);
    return { ...step, call, state: stateOf(call), isNested: step.runId !== steps[0]?.runId };
  });
}

function stateOf(call: Call | undefined): Row["state"] {
  if (call === undefined) return "open";
  const { end } = call;
  if (end === undefined) return "running";
  if (end.ok) return "done";
  return end.attempts === 0 && end.error === "cancelled" ? "skipped" : "failed";
}

/** Whether nothing more is expected of a step. */
export function isSettled({ state }: Row): boolean {
  return state !== "open" && state !== "running";
}

/** The rows that are new, or settled since; in plan order. */
export function rowsBetween(before: Checklist, after: Checklist): readonly Row[] {
  if (before === after) return [];
  const known = new Map(rowsOf(before).map((row) => [row.key, row.call]));
  return rowsOf(after).filter(
    (row) => !known.has(row.key) || (isSettled(row) && known.get(row.key) !== row.call),
  );
}

const marks: { readonly [State in Row["state"]]: string } = {
  open: "☐",
  running: "▸",
  done: "✓",
  failed: "✗",
  skipped: "–",
};

const tones: { readonly [State in Row["state"]]: Line["tone"] } = {
  open: "thought",
  running: "thought",
  done: "step",
  failed: "problem",
  skipped: "problem",
};

/** A row as it is shown: `✓ E2 calculator(expression: "8 * 8") → 64 (1 ms)`; `mark` stands for that of a running one. */
export function rowLine(row: Row, now: number, mark = marks.running): Line {
  const { id, state, isNested } = row;
  const shown = state === "running" ? mark : marks[state];
  const indent = isNested ? "  " : "";
  return {
    tone: tones[state],
    text: `${indent}${shown} ${oneLine(id, 20)} ${rowText(row, now)}`,
  };
}

function rowText({ tool, thought, call, state }: Row, now: number): string {
  const name = oneLine(tool, 64);
  if (call === undefined) return thought === "" ? name : `${name}: ${oneLine(thought, 120)}`;
  const { args, since, end } = call;
  const called = callText(tool, args);
  if (end === undefined) return `${called} ${duration(Math.max(0, now - since))}`;
  const result = oneLine(end.content?.result ?? "", 160);
  if (state === "done") return `${called} → ${result} (${effort(end)})`;
  if (state === "failed") return `${called}: ${why(end, result)} (${effort(end)})`;
  return `${name}: ${why(end, result.replace(/^Error \(cancelled\): /, ""))}`;
}

function why({ error }: CallEnd, result: string): string {
  return result === "" ? (error ?? "failed") : result;
}
