import type { AgentEvent } from "../../observe/events.js";
import { readRun, runsOfThread } from "../api/traces.js";
import { type RunView, viewOf } from "../model/run-view.js";
import { mayGoOn, type TracedRun, type TraceMark, type TraceStatus } from "../model/traced.js";

/** How many of the last runs are read at once. */
const readAtOnce = 3;

/** The runs of a conversation by the place of their question: live ones, and those that the server kept. */
export class ThreadRuns {
  readonly #views = new Map<number, RunView>();
  readonly #traces = new Map<number, TracedRun>();
  #isTraced = true;

  get(at: number): RunView | undefined {
    return this.#views.get(at);
  }

  set(at: number, view: RunView): void {
    this.#views.set(at, view);
  }

  /** The id by which a run can be looked at, where the server keeps traces. */
  traceOf(at: number): string | undefined {
    if (!this.#isTraced) return undefined;
    return this.#traces.get(at)?.id ?? this.#views.get(at)?.id;
  }

  /** What was judged of a run. */
  markOf(at: number): TraceMark | undefined {
    return this.#traces.get(at)?.mark;
  }

  /** Forgets the runs from a question on. */
  forget(from: number): void {
    for (const map of [this.#views, this.#traces]) {
      for (const key of map.keys()) if (key >= from) map.delete(key);
    }
  }

  /** The events that were kept of a run. */
  async kept(at: number): Promise<readonly AgentEvent[]> {
    const trace = this.#traces.get(at);
    return trace === undefined ? [] : eventsIn(trace.id);
  }

  /** Reads a run that was kept. */
  async show(at: number): Promise<void> {
    const events = await this.kept(at);
    if (events.length > 0) this.#views.set(at, viewOf(events));
  }

  /** Reads which runs were kept of a thread with so many questions, and the last of those that are not known or have gone on. */
  async read(thread: string, questions: number): Promise<void> {
    const traced = await runsOfThread(thread);
    this.#isTraced = traced !== undefined;
    this.forget(questions);
    for (const run of (traced ?? []).toReversed()) {
      const { earlierQuestions: at = 0 } = run;
      if (at < questions) this.#traces.set(at, run);
    }
    const isKnown = (at: number) => {
      const [view, trace] = [this.#views.get(at), this.#traces.get(at)];
      if (trace === undefined) return true;
      return view?.id === trace.id && (isEnded(view) || statusOf(view) === trace.status);
    };
    const last = Array.from({ length: questions }, (_, at) => at).slice(-readAtOnce);
    const missing = last.filter((at) => !isKnown(at));
    await Promise.all(missing.map((at) => this.show(at).catch(() => undefined)));
  }
}

/** Whether a run has ended, as far as its events tell. */
export function isEnded(view: RunView): boolean {
  return !mayGoOn(statusOf(view));
}

function statusOf({ finished, stopped }: RunView): TraceStatus {
  return finished?.outcome.status ?? stopped?.reason ?? "running";
}

async function eventsIn(id: string): Promise<readonly AgentEvent[]> {
  return (await readRun(id)).events.map(({ event }) => event);
}
