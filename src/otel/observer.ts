import {
  type Attributes,
  type Context,
  context,
  type Link,
  type Meter,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";

import { defined } from "../json/json.js";
import type { AgentEvent } from "../observe/events.js";
import { callKey, modelKey, placesOf } from "../observe/places.js";
import type { EventDetail, ObservedWork, Observer } from "../observe/observer.js";
import { inputAttributes, messageText, outputAttributes } from "./messages.js";
import { createMetrics, modelName } from "./metrics.js";
import { genAi, operations, own } from "./names.js";

/** What OpenTelemetry gets. */
export type OtelOptions = {
  /** Whether spans carry messages, arguments and results; default false. Texts are masked by the graph's `redact`. */
  readonly content?: boolean;
  /** Default: the tracer "plangraph" of the global provider. */
  readonly tracer?: Tracer;
  /** Default: the meter "plangraph" of the global provider. */
  readonly meter?: Meter;
};

type Of<Type extends AgentEvent["type"]> = Extract<AgentEvent, { readonly type: Type }>;

/** A span that has not ended, and the context of what happens in it. */
type Open = { readonly runId: string; readonly span: Span; readonly inside: Context };

/** How many runs that wait are remembered, to link what resumes them. */
const maxWaiting = 10_000;

/**
 * An observer that makes spans and metrics by OpenTelemetry's conventions for generative AI. A run is `invoke_agent`, a
 * planner's work `plan`, a request to a model `chat`, a tool call `execute_tool`. The span of a model or tool is active
 * while it works, so that spans of HTTP clients lie inside, and `traceparent` reaches services. The span of a run ends
 * where it waits for a person; the span that resumes it links to it, in the same process.
 */
export function otelObserver({ content = false, tracer, meter }: OtelOptions = {}): Observer {
  const spans = new RunSpans(tracer ?? trace.getTracer("plangraph"), content);
  // A global provider that is set later counts, too: a meter of none stays one of none.
  let measure: ReturnType<typeof createMetrics> | undefined;
  return {
    onEvent: (event, detail) => {
      measure ??= createMetrics(meter);
      measure(event);
      spans.read(event, detail);
    },
    around: (work, run) => {
      const inside = spans.contextOf(work);
      return inside === undefined ? run() : context.with(inside, run);
    },
  };
}

/** The spans of all runs that an observer sees. */
class RunSpans {
  readonly #tracer: Tracer;
  readonly #hasContent: boolean;
  readonly #open = new Map<string, Open>();
  /** The keys of the open spans of each run. */
  readonly #keys = new Map<string, Set<string>>();
  /** The requests of planners in flight, by run. */
  readonly #planning = new Map<string, number>();
  readonly #waiting = new Map<string, Link>();

  constructor(tracer: Tracer, hasContent: boolean) {
    this.#tracer = tracer;
    this.#hasContent = hasContent;
  }

  /** The context in which work runs. */
  contextOf(work: ObservedWork): Context | undefined {
    return this.#open.get(work.type === "model" ? modelKey(work) : callKey(work.runId, work.callId))
      ?.inside;
  }

  read(event: AgentEvent, detail: EventDetail): void {
    this.#readPlan(event);
    const { type } = event;
    if (type === "run_started") this.#runStarted(event);
    else if (type === "run_finished") this.#runFinished(event);
    else if (type === "run_stopped") this.#runStopped(event);
    else if (type === "model_started") this.#modelStarted(event, detail);
    else if (type === "model_finished") this.#modelFinished(event);
    else if (type === "model_failed") this.#fail(modelKey(event), "_OTHER", event);
    else if (type === "tool_started") this.#toolStarted(event);
    else if (type === "tool_finished") this.#toolFinished(event);
    else this.#happened(event);
  }

  #runStarted(event: Of<"run_started">): void {
    const { runId, graph, threadId, resumed, content } = event;
    const question = this.#hasContent ? content?.question : undefined;
    const link = this.#waiting.get(runId);
    this.#waiting.delete(runId);
    const attributes = {
      [genAi.operation]: operations.agent,
      [genAi.agent]: graph,
      [own.run]: runId,
      ...defined({ [genAi.conversation]: threadId, [own.resumed]: resumed }),
      ...(question === undefined ? {} : { [genAi.inputMessages]: messageText("user", question) }),
    };
    const links = link === undefined ? [] : [link];
    this.#start(event, { key: runId, name: `${operations.agent} ${graph}`, attributes, links });
  }

  #runFinished({ runId, outcome, usage, error, content, at }: Of<"run_finished">): void {
    const answer = this.#hasContent ? content?.answer : undefined;
    this.#open.get(runId)?.span.setAttributes({
      [own.outcome]: outcome.status,
      ...defined({ [own.limit]: outcome.limit }),
      [genAi.inputTokens]: usage.tokensIn,
      [genAi.outputTokens]: usage.tokensOut,
      ...(usage.costUsd > 0 ? { [own.cost]: usage.costUsd } : {}),
      ...(answer === undefined ? {} : { [genAi.outputMessages]: messageText("assistant", answer) }),
    });
    if (outcome.status === "failed") this.#mark(runId, "_OTHER", error);
    this.#endRun(runId, at);
  }

  #runStopped({ runId, reason, error, at }: Of<"run_stopped">): void {
    const { span } = this.#open.get(runId) ?? {};
    span?.setAttribute(own.outcome, reason === "paused" ? "needs_input" : reason);
    const isHeld = reason === "paused" || reason === "drained";
    if (isHeld && span !== undefined) this.#wait(runId, { context: span.spanContext() });
    if (!isHeld) this.#mark(runId, reason === "cancelled" ? reason : "_OTHER", error);
    this.#endRun(runId, at, isHeld ? undefined : "cancelled");
  }

  /** Remembers a run that waits, for the span that resumes it. */
  #wait(runId: string, link: Link): void {
    this.#waiting.set(runId, link);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > maxWaiting && oldest !== undefined) this.#waiting.delete(oldest);
  }

  #modelStarted(event: Of<"model_started">, { input }: EventDetail): void {
    const { model, provider, role, attempt } = event;
    const asked = modelName(model);
    const attributes = {
      [genAi.operation]: operations.model,
      [genAi.requestModel]: asked,
      [own.attempt]: attempt,
      ...defined({ [genAi.provider]: provider, [own.role]: role }),
      ...(this.#hasContent && input !== undefined ? inputAttributes(input()) : {}),
    };
    const name = `${operations.model} ${asked}`;
    this.#start(event, { key: modelKey(event), name, attributes, kind: SpanKind.CLIENT });
  }

  #modelFinished(event: Of<"model_finished">): void {
    const { usage, cachedTokens, finishReason, responseModel, at } = event;
    const finishReasons = finishReason === undefined ? undefined : [finishReason];
    this.#end(modelKey(event), at, {
      [genAi.inputTokens]: usage.tokensIn,
      [genAi.outputTokens]: usage.tokensOut,
      ...defined({
        [genAi.cachedTokens]: cachedTokens,
        [genAi.responseModel]: responseModel,
        [genAi.finishReasons]: finishReasons,
      }),
      ...(this.#hasContent ? outputAttributes(event) : {}),
    });
  }

  #toolStarted(event: Of<"tool_started">): void {
    const { tool, callId, content } = event;
    const args =
      this.#hasContent && content !== undefined ? JSON.stringify(content.args) : undefined;
    const attributes = {
      [genAi.operation]: operations.tool,
      [genAi.tool]: tool,
      [genAi.toolType]: "function",
      [genAi.toolCall]: callId,
      ...defined({ [genAi.toolArguments]: args }),
    };
    this.#start(event, {
      key: callKey(event.runId, callId),
      name: `${operations.tool} ${tool}`,
      attributes,
    });
  }

  #toolFinished(event: Of<"tool_finished">): void {
    const { ok, error = "_OTHER", attempts, waitedFor, content, at } = event;
    const key = callKey(event.runId, event.callId);
    if (!ok) this.#mark(key, error);
    const result = this.#hasContent ? content?.result : undefined;
    this.#end(key, at, {
      [own.attempts]: attempts,
      ...defined({ [own.waitedFor]: waitedFor, [genAi.toolResult]: result }),
    });
  }

  /** A planner's work is a span around its requests; what follows them ends it. */
  #readPlan(event: AgentEvent): void {
    const { runId, at, type } = event;
    const key = planKey(runId);
    const { span } = this.#open.get(key) ?? {};
    const asking = this.#planning.get(runId) ?? 0;
    if (type === "plan_made") span?.setAttribute(own.steps, event.steps.length);
    if (isPlanning(event)) {
      this.#planning.set(runId, asking + (inFlight.get(type) ?? 0));
      if (type === "model_started" && span === undefined) this.#startPlan(event, key);
    } else if (asking === 0) this.#end(key, at, {});
  }

  #startPlan(event: AgentEvent, key: string): void {
    const attributes = { [genAi.operation]: operations.plan };
    this.#start(event, { key, name: operations.plan, attributes });
  }

  /** Adds what happened to the span that it is about, without content. */
  #happened(event: AgentEvent): void {
    const { runId, at } = event;
    const key = "callId" in event && event.callId !== undefined ? callKey(runId, event.callId) : "";
    const { span } = this.#open.get(key) ?? this.#open.get(runId) ?? {};
    span?.addEvent(`plangraph.${event.type}`, eventAttributes(event), at);
  }

  #start(
    event: AgentEvent,
    { key, name, kind = SpanKind.INTERNAL, attributes, links = [] }: NewSpan,
  ): void {
    const { runId, at: startTime } = event;
    const around = this.#around(event, key);
    const options = { kind, attributes, links: [...links], startTime };
    const span = this.#tracer.startSpan(name, options, around);
    this.#open.set(key, { runId, span, inside: trace.setSpan(around, span) });
    this.#keys.set(runId, (this.#keys.get(runId) ?? new Set()).add(key));
  }

  /** The context in which a span begins: that of the first span of its places that is open, or the caller's. */
  #around(event: AgentEvent, key: string): Context {
    const plan = isPlanning(event) && key !== planKey(event.runId) ? [planKey(event.runId)] : [];
    const place = [...plan, ...placesOf(event)].find((one) => this.#open.has(one));
    return this.#open.get(place ?? "")?.inside ?? context.active();
  }

  #mark(key: string, kind: string, error?: string): void {
    const { span } = this.#open.get(key) ?? {};
    const told = this.#hasContent && error !== undefined ? { message: error } : {};
    span?.setStatus({ code: SpanStatusCode.ERROR, ...told });
    span?.setAttribute(genAi.errorType, kind);
  }

  #fail(key: string, kind: string, { at }: Pick<AgentEvent, "at">): void {
    this.#mark(key, kind);
    this.#end(key, at, {});
  }

  #end(key: string, at: number, attributes: Attributes): void {
    const open = this.#open.get(key);
    if (open === undefined) return;
    open.span.setAttributes(attributes);
    open.span.end(at);
    this.#open.delete(key);
    this.#keys.get(open.runId)?.delete(key);
  }

  /** Ends a run, and what is in flight in it: with an error, unless the run waits. */
  #endRun(runId: string, at: number, kind?: string): void {
    for (const key of this.#keys.get(runId) ?? []) {
      if (key !== runId && kind !== undefined) this.#mark(key, kind);
      if (key !== runId) this.#end(key, at, {});
    }
    this.#end(runId, at, {});
    this.#keys.delete(runId);
    this.#planning.delete(runId);
  }
}

/** A span to start. */
type NewSpan = {
  readonly key: string;
  readonly name: string;
  readonly kind?: SpanKind;
  readonly attributes: Attributes;
  readonly links?: readonly Link[];
};

/** How an event changes the number of requests in flight. */
const inFlight: ReadonlyMap<string, number> = new Map([
  ["model_started", 1],
  ["model_finished", -1],
  ["model_failed", -1],
]);

/** Fields that are no attributes: those that spans have in other places, and those that may quote content. */
const notTold: ReadonlySet<string> = new Set([
  "type",
  "runId",
  "parent",
  "node",
  "at",
  "content",
  "reason",
  "error",
]);

const plainTypes: ReadonlySet<string> = new Set(["string", "number", "boolean"]);

/** The plain fields of an event. */
function eventAttributes(event: AgentEvent): Attributes {
  const plain = Object.entries(event).filter(
    ([name, value]) => !notTold.has(name) && plainTypes.has(typeof value),
  );
  return Object.fromEntries(plain.map(([name, value]) => [`plangraph.${name}`, value]));
}

function isPlanning({ role }: AgentEvent): boolean {
  return role === "planner" || role === "replanner";
}

function planKey(runId: string): string {
  return `${runId} plan`;
}
