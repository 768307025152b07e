import { insideFence } from "../prompts/fence.js";
import type { CallEnd } from "./calls.js";
import type { Row } from "./checklist.js";
import { callText, effort, type Line } from "./event-lines.js";
import { duration, oneLine } from "./text.js";

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
 * A row as it is shown: `✓ E2 calculator(expression: "8 * 8") → 64 (1 ms)`; of a step in words `✓ S1 Find the price. →
 * It is 3 euros. (2.1 s)`, with its calls indented below. `mark` stands for that of a running one.
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
  const told = row.task === undefined ? callText(row.tool, call.args) : words(row);
  if (call.end !== undefined) return endText(row, told, call.end);
  return `${told} ${duration(Math.max(0, now - call.since))}`;
}

function endText(row: Row, told: string, end: CallEnd): string {
  const result = oneLine(insideFence(end.content?.result ?? "").text, 160);
  // A task is a sentence, which ends with a mark of its own.
  const colon = row.task === undefined ? ": " : " → ";
  if (row.state === "failed") return `${told}${colon}${why(end, result)} (${effort(end)})`;
  if (row.state === "skipped") return `${name(row)}${colon}${why(end, withoutKind(result))}`;
  const isTold = row.isFinal && !row.isInside;
  return `${told}${isTold ? "" : ` → ${result}`} (${effort(end)})`;
}

/** What a step is for, before anything is called for it. */
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
