import type { AgentEvent } from "./events.js";
import { callKey, modelKey, placesOf } from "./places.js";

/** What a span is: a run, a request to a model, or a tool call. */
export type SpanKind = "run" | "model" | "tool";

/** How a span ended; `running` while it has not. */
export type SpanStatus = "running" | "ok" | "failed" | "skipped" | "stopped";

/** One piece of work in a run, with the work inside it. */
export type Span = {
  readonly kind: SpanKind;
  /** Unique in a tree. */
  readonly id: string;
  /** The graph, the model or the tool. */
  readonly name: string;
  readonly runId: string;
  readonly role?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Absent while it runs. A run that waits for a person has ended until it continues. */
  readonly endedAt?: number;
  readonly status: SpanStatus;
  /** The events of its start and, if it has ended, its end. */
  readonly start: AgentEvent;
  readonly end?: AgentEvent;
  /** What happened to it: retries, corrections, decisions, plans, limits, in order. */
  readonly marks: readonly AgentEvent[];
  /** In the order in which they began. */
  readonly children: readonly Span[];
};

/** A span while its events are read. */
type Open = { -readonly [Field in keyof Span]: Span[Field] } & {
  readonly marks: AgentEvent[];
  readonly children: Open[];
};

/** The spans that are known, by what finds them. */
type Known = {
  readonly roots: Open[];
  readonly spans: Map<string, Open>;
  count: number;
};

/**
 * The tree of everything that ran, from events in the order in which they came. A run inside a call stands in that
 * call, one that a node called in the run of that node, and a model call in the call it works for.
 */
export function spanTree(events: Iterable<AgentEvent>): readonly Span[] {
  const known: Known = { roots: [], spans: new Map(), count: 0 };
  for (const event of events) read(event, known);
  return known.roots;
}

/** All spans of trees, each before those inside it. */
export function allSpans(spans: readonly Span[]): readonly Span[] {
  return spans.flatMap((span) => [span, ...allSpans(span.children)]);
}

function read(event: AgentEvent, known: Known): void {
  const { spans } = known;
  const { type } = event;
  if (type === "run_started") startRun(event, known);
  else if (type === "run_finished" || type === "run_stopped")
    end(spans.get(event.runId), event, runStatus(event));
  else if (type === "model_started")
    start(event, { kind: "model", name: event.model, key: modelKey(event) }, known);
  else if (type === "model_finished") end(spans.get(modelKey(event)), event, "ok");
  else if (type === "model_failed") end(spans.get(modelKey(event)), event, "failed");
  else if (type === "tool_started")
    start(
      event,
      { kind: "tool", name: event.tool, key: callKey(event.runId, event.callId) },
      known,
    );
  else if (type === "tool_finished")
    end(spans.get(callKey(event.runId, event.callId)), event, toolStatus(event));
  else mark(event, known);
}

type Of<Type extends AgentEvent["type"]> = Extract<AgentEvent, { readonly type: Type }>;

/** A run that continues is the same span. */
function startRun(event: Of<"run_started">, known: Known): void {
  const earlier = known.spans.get(event.runId);
  if (earlier === undefined) {
    start(event, { kind: "run", name: event.graph, key: event.runId }, known);
    return;
  }
  earlier.marks.push(event);
  earlier.status = "running";
  delete earlier.endedAt;
  delete earlier.end;
}

function start(
  event: AgentEvent,
  { kind, name, key }: Pick<Span, "kind" | "name"> & { readonly key: string },
  known: Known,
): void {
  const { runId, role, at } = event;
  known.count += 1;
  const span: Open = {
    kind,
    id: `${known.count}`,
    name,
    runId,
    ...(role === undefined ? {} : { role }),
    startedAt: at,
    status: "running",
    start: event,
    marks: [],
    children: [],
  };
  const place = placesOf(event).find((one) => known.spans.has(one)) ?? "";
  (known.spans.get(place)?.children ?? known.roots).push(span);
  known.spans.set(key, span);
}

function end(span: Open | undefined, event: AgentEvent, status: SpanStatus): void {
  if (span === undefined) return;
  span.endedAt = event.at;
  span.status = status;
  span.end = event;
}

/** Keeps an event with the span that it is about. */
function mark(event: AgentEvent, { spans }: Known): void {
  const { runId } = event;
  const call = "callId" in event && event.callId !== undefined ? callKey(runId, event.callId) : "";
  const { modelCallId } = { modelCallId: undefined, ...event };
  const model = modelCallId === undefined ? "" : modelKey({ runId, modelCallId });
  (spans.get(call) ?? spans.get(model) ?? spans.get(runId))?.marks.push(event);
}

function runStatus(event: Of<"run_finished"> | Of<"run_stopped">): SpanStatus {
  if (event.type === "run_stopped") return "stopped";
  return event.outcome.status === "failed" ? "failed" : "ok";
}

function toolStatus({ ok, error, attempts }: Of<"tool_finished">): SpanStatus {
  if (ok) return "ok";
  const isNotRun = attempts === 0 && (error === "skipped" || error === "cancelled");
  return isNotRun ? "skipped" : "failed";
}
