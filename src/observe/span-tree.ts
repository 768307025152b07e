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

/**
 * The tree of everything that ran, from events in the order in which they came. A run inside a call stands in that
 * call, one that a node called in the run of that node, and a model call in the call it works for.
 */
export function spanTree(events: Iterable<AgentEvent>): readonly Span[] {
  const tree = new SpanTree();
  for (const event of events) tree.add(event);
  return tree.roots;
}

/** All spans of trees, each before those inside it. */
export function allSpans(spans: readonly Span[]): readonly Span[] {
  return spans.flatMap((span) => [span, ...allSpans(span.children)]);
}

/** The tree of `spanTree`, while its events come. */
export class SpanTree {
  readonly #roots: Open[] = [];
  /** The latest span of each piece of work, by its key. */
  readonly #spans = new Map<string, Open>();
  /** The span around a span. */
  readonly #outer = new Map<Span, Open>();
  #count = 0;

  get roots(): readonly Span[] {
    return this.#roots;
  }

  /** The latest span of a call. */
  call(runId: string, callId: string): Span | undefined {
    return this.#spans.get(callKey(runId, callId));
  }

  /** The spans in which an event's work lies, the innermost first. */
  around(event: AgentEvent): readonly Span[] {
    const found: Span[] = [];
    let span = this.#placeOf(event);
    while (span !== undefined) {
      found.push(span);
      span = this.#outer.get(span);
    }
    return found;
  }

  /** The spans that have not ended, or whose work is to be tried again, in the order in which they began. */
  waiting(): readonly Span[] {
    return [...this.#spans.values()]
      .filter(
        ({ status, marks }) =>
          status === "running" || (status === "failed" && marks.at(-1)?.type === "retry"),
      )
      .toSorted((left, right) => Number(left.id) - Number(right.id));
  }

  /** Reads the next event. */
  add(event: AgentEvent): void {
    const { type, runId } = event;
    if (type === "run_started") this.#startRun(event);
    else if (type === "run_finished" || type === "run_stopped")
      this.#end(runId, event, runStatus(event));
    else if (type === "model_started") this.#start(event, "model", event.model, modelKey(event));
    else if (type === "model_finished") this.#end(modelKey(event), event, "ok");
    else if (type === "model_failed") this.#end(modelKey(event), event, "failed");
    else if (type === "tool_started")
      this.#start(event, "tool", event.tool, callKey(runId, event.callId));
    else if (type === "tool_finished")
      this.#end(callKey(runId, event.callId), event, toolStatus(event));
    else this.#mark(event);
  }

  /** A run that continues is the same span. */
  #startRun(event: Of<"run_started">): void {
    const earlier = this.#spans.get(event.runId);
    if (earlier === undefined) {
      this.#start(event, "run", event.graph, event.runId);
      return;
    }
    earlier.marks.push(event);
    earlier.status = "running";
    delete earlier.endedAt;
    delete earlier.end;
  }

  #start(event: AgentEvent, kind: SpanKind, name: string, key: string): void {
    const { runId, role, at } = event;
    this.#count += 1;
    const span: Open = {
      kind,
      id: `${this.#count}`,
      name,
      runId,
      ...(role === undefined ? {} : { role }),
      startedAt: at,
      status: "running",
      start: event,
      marks: [],
      children: [],
    };
    const outer = this.#placeOf(event);
    (outer?.children ?? this.#roots).push(span);
    if (outer !== undefined) this.#outer.set(span, outer);
    this.#spans.set(key, span);
  }

  #end(key: string, event: AgentEvent, status: SpanStatus): void {
    const span = this.#spans.get(key);
    if (span === undefined) return;
    span.endedAt = event.at;
    span.status = status;
    span.end = event;
    if (event.type === "run_stopped" && cutOff.has(event.reason)) stopInside(span, event.at);
  }

  /** Keeps an event with the span that it is about. */
  #mark(event: AgentEvent): void {
    const { runId } = event;
    const call =
      "callId" in event && event.callId !== undefined ? callKey(runId, event.callId) : "";
    const { modelCallId } = { modelCallId: undefined, ...event };
    const model = modelCallId === undefined ? "" : modelKey({ runId, modelCallId });
    const span = this.#spans.get(call) ?? this.#spans.get(model) ?? this.#spans.get(runId);
    span?.marks.push(event);
  }

  #placeOf(event: AgentEvent): Open | undefined {
    const place = placesOf(event).find((key) => this.#spans.has(key)) ?? "";
    return this.#spans.get(place);
  }
}

/** Reasons for which what a run was doing does not go on. */
const cutOff: ReadonlySet<string> = new Set(["cancelled", "error"]);

/** Ends what still runs inside a span. */
function stopInside({ children }: Open, at: number): void {
  for (const child of children) {
    if (child.status === "running") Object.assign(child, { status: "stopped", endedAt: at });
    stopInside(child, at);
  }
}

type Of<Type extends AgentEvent["type"]> = Extract<AgentEvent, { readonly type: Type }>;

function runStatus(event: Of<"run_finished"> | Of<"run_stopped">): SpanStatus {
  if (event.type === "run_stopped") return "stopped";
  return event.outcome.status === "failed" ? "failed" : "ok";
}

function toolStatus({ ok, error, attempts }: Of<"tool_finished">): SpanStatus {
  if (ok) return "ok";
  const isNotRun = attempts === 0 && (error === "skipped" || error === "cancelled");
  return isNotRun ? "skipped" : "failed";
}
