import type { AgentEvent } from "../../observe/events.js";
import { isRecord, type Json } from "../../json/json.js";
import { type Span, spanTree } from "../../observe/span-tree.js";
import { workedMs } from "../../observe/worked-time.js";
import { taskTool } from "../../plan/step.js";
import type { TracedEvent, TracedRun, TraceMark } from "../../tracing/index.js";
import { callText, duration, fitColumns, oneLine, usageWords } from "./event-lines.js";
import { blocksOf, statusWord, type TraceForm } from "./trace-blocks.js";

/** A run as text: what was asked and how it ended, its tree with times, then its thoughts and tools in their order. */
export function traceText(run: TracedRun, traced: readonly TracedEvent[], form: TraceForm): string {
  const events = traced.map(({ event }) => event);
  const tree = spanTree(events);
  return [
    ...headLines(run, events),
    "",
    ...treeLines(tree, form.columns),
    ...blocksOf(traced, form).flatMap((block) => ["", ...block]),
    "",
  ].join("\n");
}

/** A run in one line, for lists. */
export function runLine(run: TracedRun, columns: number): string {
  const { id, graph, status, startedAt, question = "", mark } = run;
  const [worked] = timesOf(run);
  const took = worked === undefined ? "" : ` ${worked}`;
  const judged = mark === undefined ? "" : ` [${mark.verdict}]`;
  const line = `${id.slice(0, 8)}  ${timeOf(startedAt)}  ${graph}  ${statusWord[status]}${took}${judged}  ${oneLine(question, 200)}`;
  return fitColumns(line, columns);
}

function headLines(run: TracedRun, events: readonly AgentEvent[]): string[] {
  const { id, graph, status, startedAt, threadId, question, usage, error, mark } = run;
  const end = events.findLast((event) => event.type === "run_finished" && event.runId === id);
  const limit = end?.type === "run_finished" ? end.outcome.limit : undefined;
  const facts = [
    graph,
    `${statusWord[status]}${limit === undefined ? "" : ` (${limit})`}`,
    ...timesOf(run),
    ...(usage === undefined ? [] : usageWords(usage)),
  ];
  const thread = threadId === undefined ? "" : ` · thread ${oneLine(threadId, 100)}`;
  return [
    oneLine(question ?? "(a question that was not kept)", 500),
    facts.join(" · "),
    `run ${id} · ${timeOf(startedAt)}${thread}`,
    ...(error === undefined ? [] : [`because: ${oneLine(error, 500)}`]),
    ...(mark === undefined ? [] : [judgement(mark)]),
  ];
}

/** How long a run has worked, and for how long it waited for people. */
function timesOf(run: TracedRun): readonly string[] {
  const { waitedMs = 0 } = run;
  const worked = workedMs(run);
  if (worked === undefined) return [];
  return [duration(worked), ...(waitedMs === 0 ? [] : [`waited ${duration(waitedMs)} for people`])];
}

function judgement({ verdict, why }: TraceMark): string {
  return `judged ${verdict}${why === undefined ? "" : `: ${oneLine(why, 500)}`}`;
}

function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** How much of a line its bar takes, and its time. */
const barColumns = 24;
const timeColumns = 10;

/** Wider lines part the bars too far from their names. */
const maxColumns = 120;

function treeLines(roots: readonly Span[], columns: number): string[] {
  const from = Math.min(...roots.map(({ startedAt }) => startedAt));
  const to = Math.max(...roots.map((span) => span.endedAt ?? latestIn(span)));
  const labelColumns = Math.max(20, Math.min(columns, maxColumns) - barColumns - timeColumns - 12);
  const lines = (spans: readonly Span[], depth: number): string[] =>
    spans.flatMap((span) => [
      spanLine(span, {
        from,
        to,
        label: fitColumns(`${"  ".repeat(depth)}${labelOf(span)}`, labelColumns).padEnd(
          labelColumns,
        ),
      }),
      ...lines(span.children, depth + 1),
    ]);
  return lines(roots, 0).map((line) => line.trimEnd());
}

function spanLine(
  span: Span,
  { from, to, label }: { readonly from: number; readonly to: number; readonly label: string },
): string {
  const { startedAt, endedAt, status } = span;
  const scale = barColumns / Math.max(1, to - from);
  const start = Math.min(barColumns - 1, Math.floor((startedAt - from) * scale));
  const length = Math.max(1, Math.round(((endedAt ?? to) - startedAt) * scale));
  const bar = `${" ".repeat(start)}${(status === "failed" ? "▒" : "█").repeat(Math.min(length, barColumns - start))}`;
  const time = endedAt === undefined ? "not ended" : duration(endedAt - startedAt);
  const word = status === "ok" || status === "running" ? "" : `  ${status}`;
  return `${label} ${bar.padEnd(barColumns)} ${time.padStart(timeColumns)}${word}`;
}

function latestIn(span: Span): number {
  const ends = [
    span.startedAt,
    ...span.marks.map(({ at }) => at),
    ...span.children.map((child) => child.endedAt ?? latestIn(child)),
  ];
  return Math.max(...ends);
}

function labelOf({ kind, name, role, start }: Span): string {
  if (kind === "model") return `${role ?? "model"} asks ${name}`;
  if (kind === "run" || start.type !== "tool_started") return name;
  const id = /^[A-Z]\d/.test(start.callId) ? `${start.callId} ` : "";
  return `${id}${callLabel(name, start.content?.args ?? {})}`;
}

/** A call, or the task of a step in words. */
function callLabel(name: string, args: Json): string {
  const task = name === taskTool && isRecord(args) ? args["task"] : undefined;
  return typeof task === "string" ? oneLine(task, 160) : callText(name, args);
}
