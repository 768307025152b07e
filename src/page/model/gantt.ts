import type { Span } from "../../observe/span-tree.js";
import { workedMs } from "../../observe/worked-time.js";
import { doneByPeople } from "./plan-view.js";
import { type Request, requestsOf } from "./requests.js";

/** A span in a list of spans over one axis of time; `left` and `width` are parts of it, from 0 to 1. */
export type Bar = {
  readonly span: Span;
  readonly depth: number;
  readonly left: number;
  readonly width: number;
  /** When it waited for people. */
  readonly pauses: readonly { readonly left: number; readonly width: number }[];
  /** What it waits for a person with. */
  readonly asked?: Request;
};

/** How a run stands while it has not ended. */
export type Present = {
  readonly now: number;
  /** The requests that wait for people. */
  readonly asked?: readonly Request[];
};

/** All spans with their bars, each before those inside it; what is asked now comes last in its run. */
export function barsOf(roots: readonly Span[], { now, asked = [] }: Present): readonly Bar[] {
  const from = Math.min(...roots.map(({ startedAt }) => startedAt));
  const to = endOf(roots, from, { now, asked });
  const at = (time: number) => (Math.min(Math.max(time, from), to) - from) / (to - from);
  const drawn = (span: Span, depth: number): Bar => {
    const [request] = requestsOf(span, asked);
    const waits = request !== undefined || (depth === 0 && asked.length > 0);
    const end = waits ? to : (span.endedAt ?? to);
    const left = at(span.startedAt);
    const pauses = pausesIn(span, waits ? to : undefined).map(([begin, until]) => ({
      left: at(begin),
      width: at(until) - at(begin),
    }));
    const bar = { span, depth, left, width: at(end) - left, pauses };
    return request === undefined ? bar : { ...bar, asked: request };
  };
  const walk = (spans: readonly Span[], depth: number): Bar[] =>
    spans.flatMap((span) => [drawn(span, depth), ...walk(span.children, depth + 1)]);
  return roots.flatMap((root) => {
    const bars = walk([root], 0);
    const untold = asked.filter((request) => !bars.some((bar) => bar.asked === request));
    const own = untold.filter(({ runId }) => runId === root.runId);
    return [...bars, ...own.map((request) => waitingBar(request, at))];
  });
}

/**
 * Where the axis ends. What is under way grows with the clock. A wait for people may last for days: it is drawn at the
 * end of what was done, and not to scale.
 */
function endOf(roots: readonly Span[], from: number, { now, asked = [] }: Present): number {
  const latest = Math.max(from + 1, ...roots.map(latestIn));
  if (asked.length > 0) return latest + Math.max(1, (latest - from) * waitingPart);
  const isOpen = roots.some(({ status }) => status === "running");
  return isOpen ? Math.max(latest, now) : latest;
}

/** How long an open wait for people is drawn, as a part of the time before it. */
const waitingPart = 0.25;

/** What is asked before its call begins, as a part of the run. */
function waitingBar(asked: Request, at: (time: number) => number): Bar {
  const { runId, callId, tool, args, askedAt } = asked;
  const content = args === undefined ? {} : { content: { args } };
  const origin = { runId, node: "", at: askedAt };
  const span: Span = {
    kind: "tool",
    id: `asked ${runId} ${callId}`,
    name: tool === "" ? callId : tool,
    runId,
    startedAt: askedAt,
    status: "running",
    start: { ...origin, type: "tool_started", callId, tool, ...content },
    marks: [],
    children: [],
  };
  const left = at(askedAt);
  const pauses = [{ left, width: 1 - left }];
  return { span, depth: 1, left, width: 1 - left, pauses, asked };
}

/** How many parts of a run are drawn at once. */
const mostDrawn = 300;

/** The parts that are drawn where one of them is chosen: whole pages, so that little moves as the choice does. */
export function windowAround(
  chosen: number,
  count: number,
): { readonly from: number; readonly to: number } {
  const from = Math.floor(Math.max(0, chosen) / mostDrawn) * mostDrawn;
  return { from, to: Math.min(count, from + mostDrawn) };
}

/** The last sign of a span. */
function latestIn(span: Span): number {
  const ends = span.children.map(latestIn);
  return Math.max(span.startedAt, span.endedAt ?? 0, ...span.marks.map(({ at }) => at), ...ends);
}

/** From each request to people until the run went on; the last until `openUntil`, if it waits. */
function pausesIn(
  { marks }: Span,
  openUntil?: number,
): readonly (readonly [begin: number, end: number])[] {
  const asked = marks.filter(({ type }) => type === "input_needed");
  return asked.flatMap(({ at: begin }) => {
    const end = marks.find((mark) => mark.at >= begin && mark.type === "run_started")?.at;
    const until = end ?? openUntil;
    return until === undefined ? [] : [[begin, until] as const];
  });
}

/** How long a part of a run worked, until it ended or until now: a run without its waits for people. */
export function workedIn(span: Span, now: number): number {
  const { startedAt, endedAt = now } = span;
  const waits = pausesIn(span).map(([begin, end]) => end - begin);
  const waitedMs = waits.reduce((total, each) => total + each, 0);
  return workedMs({ startedAt, endedAt, waitedMs }) ?? 0;
}

/** How a part of a run ended: what people refused, or cut off with the run, has not failed by itself. */
export function endingOf(span: Span): Span["status"] | "denied" {
  const { status } = span;
  return status === "failed" ? (doneByPeople(span) ?? status) : status;
}
