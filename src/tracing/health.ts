import { calledIn } from "../observe/called-in.js";
import type { AgentEvent } from "../observe/events.js";
import { workedMs } from "../observe/worked-time.js";
import type { TracedRun } from "./traced-run.js";

/** How often something was called, how it ended, and how long it took, in milliseconds. */
export type CallFigures = {
  readonly name: string;
  readonly calls: number;
  /** How many failed; those that a person refused, and those that were not made, are none of them. */
  readonly failed: number;
  readonly retries: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  /** How often each kind of error came. */
  readonly errors: { readonly [kind: string]: number };
};

/** Calls of a model. */
export type ModelFigures = CallFigures & {
  /** Replies that could not be used and were sent back. */
  readonly corrected: number;
  /** The median time to the first token, where replies stream. */
  readonly firstTokenMs?: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
};

/** Calls of a tool. */
export type ToolFigures = CallFigures & {
  /** Calls that a person refused. */
  readonly refused: number;
  /** Calls that were not made, or not to their end: a step before them failed, or their run was stopped. */
  readonly skipped: number;
};

/** Searches in a knowledge base, by stage; `empty` of them found nothing. */
export type RetrievalFigures = CallFigures & { readonly empty: number };

/** How runs did: their ends, times and costs, and the models, tools and searches in them. */
export type Health = {
  readonly runs: number;
  /** How many runs stand how. */
  readonly statuses: { readonly [status: string]: number };
  /** Of runs that have ended, without the time in which they waited for people. */
  readonly medianMs: number;
  readonly p95Ms: number;
  /** The median time until something was told of a run: a plan, a call or a reply. */
  readonly firstSignMs: number;
  readonly costUsd: number;
  readonly tokens: number;
  readonly models: readonly ModelFigures[];
  readonly tools: readonly ToolFigures[];
  readonly retrieval: readonly RetrievalFigures[];
};

/** A recorded run with its events. */
export type RunEvents = { readonly run: TracedRun; readonly events: readonly AgentEvent[] };

/** How these runs did. Tools that fail most come first; models and stages of searches by how often they were asked. */
export function healthOf(recorded: readonly RunEvents[]): Health {
  const events = recorded.flatMap((one) => one.events);
  const times = recorded.flatMap(({ run }) =>
    run.status === "paused" || run.status === "drained" ? [] : (workedMs(run) ?? []),
  );
  const usages = recorded.flatMap(({ run }) => run.usage ?? []);
  return {
    runs: recorded.length,
    statuses: counted(recorded.map(({ run }) => run.status)),
    medianMs: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    firstSignMs: quantile(recorded.flatMap(firstSign), 0.5),
    costUsd: sum(usages.map(({ costUsd }) => costUsd)),
    tokens: sum(usages.map(({ tokensIn, tokensOut }) => tokensIn + tokensOut)),
    models: modelsIn(events),
    tools: toolsIn(events),
    retrieval: retrievalIn(events),
  };
}

function firstSign({ run, events }: RunEvents): number[] {
  const sign = events.find(({ type }) => signs.has(type));
  return sign === undefined ? [] : [sign.at - run.startedAt];
}

const signs: ReadonlySet<AgentEvent["type"]> = new Set([
  "plan_made",
  "tool_started",
  "model_finished",
  "input_needed",
  "run_finished",
]);

type Of<Type extends AgentEvent["type"]> = Extract<AgentEvent, { readonly type: Type }>;

function modelsIn(events: readonly AgentEvent[]): ModelFigures[] {
  const ends = events.filter(
    (event): event is Of<"model_finished"> | Of<"model_failed"> =>
      event.type === "model_finished" || event.type === "model_failed",
  );
  const groups = byName(ends).map(([name, calls]) => {
    const replies = calls.filter((call) => call.type === "model_finished");
    const firsts = replies.flatMap(({ firstTokenMs }) => firstTokenMs ?? []);
    return {
      ...figures(name, calls, calls.flatMap(failureOf)),
      retries: calls.filter(({ attempt }) => attempt > 1).length,
      corrected: events.filter((each) => each.type === "model_corrected" && each.model === name)
        .length,
      ...(firsts.length === 0 ? {} : { firstTokenMs: quantile(firsts, 0.5) }),
      tokensIn: sum(replies.map(({ usage }) => usage.tokensIn)),
      tokensOut: sum(replies.map(({ usage }) => usage.tokensOut)),
    };
  });
  return groups.toSorted((left, right) => right.calls - left.calls);
}

/** Why a model did not reply; nothing where it did, or where its run was stopped. */
function failureOf(end: Of<"model_finished"> | Of<"model_failed">): string[] {
  return end.type === "model_finished" || end.kind === "cancelled" ? [] : [end.kind ?? "error"];
}

function toolsIn(events: readonly AgentEvent[]): ToolFigures[] {
  const ends = events.filter((event) => event.type === "tool_finished");
  const groups = byName(ends).map(([name, calls]) => {
    const withFate = (fate?: Fate) => calls.filter(({ error = "" }) => fates[error] === fate);
    const carriedOut = withFate();
    return {
      ...figures(name, carriedOut, carriedOut.filter(({ ok }) => !ok).map(kindOfTool)),
      calls: calls.length,
      refused: withFate("refused").length,
      skipped: withFate("skipped").length,
      retries: sum(calls.map(({ attempts }) => Math.max(0, attempts - 1))),
    };
  });
  return groups.toSorted((left, right) => right.failed - left.failed || right.calls - left.calls);
}

type Fate = "refused" | "skipped";

/** Kinds of errors that are no failures of a tool: people, or what happened before it, decided so. */
const fates: { readonly [kind: string]: Fate | undefined } = {
  denied: "refused",
  skipped: "skipped",
  cancelled: "skipped",
};

function kindOfTool({ error }: Of<"tool_finished">): string {
  return error ?? "error";
}

function retrievalIn(events: readonly AgentEvent[]): RetrievalFigures[] {
  const ends = events.filter((event) => event.type === "retrieved");
  const groups = byName(ends).map(([name, searches]) => ({
    ...figures(
      name,
      searches,
      searches.flatMap(({ error }) => (error === undefined ? [] : ["error"])),
    ),
    retries: 0,
    empty: searches.filter(({ candidates }) => candidates === 0).length,
  }));
  return groups.toSorted((left, right) => right.calls - left.calls);
}

function figures(
  name: string,
  calls: readonly { readonly ms: number }[],
  errors: readonly string[],
) {
  const times = calls.map(({ ms }) => ms);
  return {
    name,
    calls: calls.length,
    failed: errors.length,
    medianMs: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    errors: counted(errors),
  };
}

function byName<Event extends AgentEvent>(
  ends: readonly Event[],
): readonly (readonly [string, readonly Event[]])[] {
  return grouped(ends, (event) => calledIn(event) ?? "");
}

function grouped<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): readonly (readonly [string, readonly Item[]])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? [];
    group.push(item);
    groups.set(keyOf(item), group);
  }
  return [...groups];
}

function counted(words: readonly string[]): { readonly [word: string]: number } {
  return Object.fromEntries(
    grouped(words, (word) => word).map(([word, all]) => [word, all.length]),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** The value below which this part of the numbers lies; 0 without any. */
function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
