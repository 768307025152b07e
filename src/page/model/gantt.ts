import type { Span } from "../../observe/span-tree.js";

/** A span in a list of spans over one axis of time; `left` and `width` are parts of it, from 0 to 1. */
export type Bar = {
  readonly span: Span;
  readonly depth: number;
  readonly left: number;
  readonly width: number;
  /** When it waited for people. */
  readonly pauses: readonly { readonly left: number; readonly width: number }[];
};

/** All spans with their bars, each before those inside it. */
export function barsOf(roots: readonly Span[]): readonly Bar[] {
  const from = Math.min(...roots.map(({ startedAt }) => startedAt));
  const to = Math.max(from + 1, ...roots.map(latestIn));
  const at = (time: number) => (Math.min(Math.max(time, from), to) - from) / (to - from);
  const walk = (spans: readonly Span[], depth: number): Bar[] =>
    spans.flatMap((span) => {
      const left = at(span.startedAt);
      const width = at(span.endedAt ?? latestIn(span)) - left;
      const pauses = pausesIn(span).map(([begin, end]) => ({
        left: at(begin),
        width: at(end) - at(begin),
      }));
      return [{ span, depth, left, width, pauses }, ...walk(span.children, depth + 1)];
    });
  return walk(roots, 0);
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

/** From each request to people until the run went on. */
function pausesIn({ marks }: Span): readonly (readonly [begin: number, end: number])[] {
  const asked = marks.filter(({ type }) => type === "input_needed");
  return asked.flatMap(({ at: begin }) => {
    const next = marks.find((mark) => mark.at >= begin && mark.type === "run_started");
    return next === undefined ? [] : [[begin, next.at] as const];
  });
}
