import { defined } from "../json/json.js";
import { warn } from "../platform.js";
import { cleanEvent, cleanInput, type Privacy } from "./clean-event.js";
import type { AgentEvent } from "./events.js";
import type { ModelInput, ObservedWork, Observer } from "./observer.js";
import { errorLine } from "./redact.js";

/** How the stream of a run ended that has no outcome yet. */
export type Stop = Pick<AgentEvent & { type: "run_stopped" }, "reason" | "error">;

/** Who sees a run, and the runs inside it. */
export type RunWatchOptions = Privacy & {
  readonly observers: readonly Observer[];
  /** The watch of the run that this one works for: it sees this run too. */
  readonly outer?: RunWatch | undefined;
};

/** Passes what happens in one stream of a run to its observers, and isolates the run from them. */
export class RunWatch {
  readonly #own: Set<Observer>;
  readonly #privacy: Privacy;
  readonly #outer: RunWatch | undefined;
  #last: AgentEvent | undefined;
  #runId: string | undefined;

  constructor({ observers, outer, ...privacy }: RunWatchOptions) {
    this.#own = new Set(observers.filter((one) => outer?.has(one) !== true));
    this.#privacy = privacy;
    this.#outer = outer;
  }

  /** Whether the run, or one around it, has this observer. */
  has(observer: Observer): boolean {
    return this.#own.has(observer) || this.#outer?.has(observer) === true;
  }

  /** Whether any observer is left. */
  get isWatched(): boolean {
    return this.#own.size > 0 || this.#outer?.isWatched === true;
  }

  /** The run's id, once it is known. */
  get runId(): string | undefined {
    return this.#runId;
  }

  /** Notes the run's id, and returns whether this is its first entry in this stream. */
  begin(runId: string): boolean {
    const isFirst = this.#runId === undefined;
    this.#runId = runId;
    return isFirst;
  }

  /** Shows an event of the run to all observers. Returns it as it may leave the run. */
  tell(event: AgentEvent, input?: () => ModelInput): AgentEvent {
    this.#last = event;
    return this.#pass(event, input);
  }

  /** Tells observers that the stream ended before the run did. */
  stop(stop: Stop): void {
    const last = this.#last;
    if (last === undefined || last.type === "run_finished" || !this.isWatched) return;
    const { runId, parent, node, at } = last;
    this.tell({ type: "run_stopped", ...stop, runId, ...defined({ parent }), node, at });
  }

  /** Runs work inside the contexts of all observers, the outermost run's first. */
  around<T>(work: ObservedWork, run: () => Promise<T>): Promise<T> {
    const inner = [...this.#own].reduceRight(
      (next, observer) => () => this.#inside(observer, work, next),
      run,
    );
    return this.#outer === undefined ? inner() : this.#outer.around(work, inner);
  }

  #pass(event: AgentEvent, input: (() => ModelInput) | undefined): AgentEvent {
    const { level, redact } = this.#privacy;
    const clean = cleanEvent(event, this.#privacy);
    const isShown = level === "full" && input !== undefined;
    const detail = isShown ? { input: () => cleanInput(input(), redact) } : {};
    for (const observer of this.#own) {
      this.#guarded(observer, () => observer.onEvent?.(clean, detail));
    }
    return this.#outer === undefined ? clean : this.#outer.#pass(clean, detail.input);
  }

  #inside<T>(observer: Observer, work: ObservedWork, run: () => Promise<T>): Promise<T> {
    let started: Promise<T> | undefined;
    const once = () => (started ??= run());
    this.#guarded(observer, async () => {
      try {
        await observer.around?.(work, once);
      } catch (error) {
        // The observer may pass the work's own error on.
        const own = await once().catch((failure: unknown) => failure);
        if (own !== error) throw error;
      }
    });
    return once();
  }

  /** Calls an observer, and drops it if it fails. */
  #guarded(observer: Observer, call: () => unknown): void {
    try {
      Promise.resolve(call()).catch((error: unknown) => this.#drop(observer, error));
    } catch (error) {
      this.#drop(observer, error);
    }
  }

  #drop(observer: Observer, error: unknown): void {
    if (!this.#own.delete(observer)) return;
    warn(`An observer failed and sees no more of this run: ${errorLine(error)}`);
  }
}
