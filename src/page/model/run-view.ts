import type { AgentEvent } from "../../observe/events.js";
import { PlanRows, type Row } from "../../observe/plan-rows.js";
import type { Span } from "../../observe/span-tree.js";

type Of<Type extends AgentEvent["type"]> = Extract<AgentEvent, { readonly type: Type }>;

/** What a run waits for: a model in its role, a tool, or nothing. */
export type Waiting = {
  readonly kind: "model" | "tool";
  readonly name: string;
  readonly role: string;
};

/** Something that people should know of besides the steps. */
export type Note = Of<
  | "retry"
  | "fallback"
  | "degraded"
  | "limit_reached"
  | "handed_off"
  | "routed"
  | "progress"
  | "reload_failed"
>;

const noted: ReadonlySet<AgentEvent["type"]> = new Set([
  "retry",
  "fallback",
  "degraded",
  "limit_reached",
  "handed_off",
  "routed",
  "progress",
  "reload_failed",
]);

/** A run as its events tell it, live or from a trace. */
export class RunView {
  readonly #plan = new PlanRows();
  readonly #notes: Note[] = [];
  #root: string | undefined;
  #finished: Of<"run_finished"> | undefined;
  #stopped: Of<"run_stopped"> | undefined;
  #revisions = 0;
  /** What `rows` gave last, until something new is told. */
  #rows: readonly Row[] | undefined;

  /** Reads the next event. */
  add(event: AgentEvent): void {
    this.#plan.add(event);
    this.#rows = undefined;
    if (isNote(event)) this.#notes.push(event);
    if (event.type === "plan_changed") this.#revisions += 1;
    if (event.parent !== undefined) return;
    this.#root ??= event.runId;
    if (event.type === "run_started") {
      this.#finished = undefined;
      this.#stopped = undefined;
    } else if (event.type === "run_finished") this.#finished = event;
    else if (event.type === "run_stopped") this.#stopped = event;
  }

  /** The id by which it is traced. */
  get id(): string | undefined {
    return this.#root;
  }

  /** How it ended; nothing while it has not. */
  get finished(): Of<"run_finished"> | undefined {
    return this.#finished;
  }

  /** How its stream ended without an end of the run. */
  get stopped(): Of<"run_stopped"> | undefined {
    return this.#stopped;
  }

  /** How often its plan has changed. */
  get revisions(): number {
    return this.#revisions;
  }

  get notes(): readonly Note[] {
    return this.#notes;
  }

  /** The steps of its plans, then the calls that it made without one. */
  rows(): readonly Row[] {
    this.#rows ??= [...this.#plan.rows(), ...this.#plan.looseRows()];
    return this.#rows;
  }

  spans(): readonly Span[] {
    return this.#plan.spans;
  }

  /** What it waits for, the newest. */
  waiting(): Waiting | undefined {
    const span = this.#plan.waiting().at(-1);
    if (span === undefined || span.kind === "run") return undefined;
    return { kind: span.kind, name: span.name, role: span.role ?? "" };
  }
}

/** Whether an event is something that people should know of besides the steps. */
export function isNote(event: AgentEvent): event is Note {
  return noted.has(event.type);
}

/** A run as these events tell it. */
export function viewOf(events: readonly AgentEvent[]): RunView {
  const view = new RunView();
  for (const event of events) view.add(event);
  return view;
}
