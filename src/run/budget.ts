import type { LimitName } from "../state/limits.js";
import { addUsage, noUsage, type Usage, usageSince } from "../state/usage.js";
import type { Clock } from "./clock.js";
import type { ResolvedLimits } from "./limits.js";
import { openRunSignal, type RunSignal } from "./signals.js";

/** The calls that are counted as they begin. */
export type CountedCall = "modelCalls" | "toolCalls";

/** What a budget is opened with. */
export type BudgetOptions = {
  readonly limits: ResolvedLimits;
  readonly clock: Clock;
  /** The caller's signal. */
  readonly signal?: AbortSignal | undefined;
  /** The budget of the run that this one is part of. */
  readonly parent?: Budget | undefined;
  /** Share of the seconds kept back for the final-answer call. */
  readonly reserve?: number;
};

/** At most this much of `seconds` is kept back for the final-answer call, in milliseconds. */
const maxReserveMs = 20_000;

/**
 * What a run has used and what it may still use: one in memory for each run, shared by everything
 * that works for it at the same time. A sub-run's budget has limits of its own and records in its
 * parent's as well. The state's usage is the sum of what is committed; this one knows what is in flight, too.
 */
export class Budget {
  readonly limits: ResolvedLimits;
  readonly #clock: Clock;
  readonly #parent: Budget | undefined;
  #callerSignal: AbortSignal | undefined;
  readonly #reserve: number;
  readonly #subRuns = new Map<string, Usage>();
  readonly #begun = { modelCalls: 0, toolCalls: 0 };
  #usage: Usage = noUsage;
  #openedAt: number;
  #earlierMs = 0;
  #runId: string | undefined;
  #open: RunSignal | undefined;

  constructor(options: BudgetOptions) {
    this.limits = options.limits;
    this.#clock = options.clock;
    this.#callerSignal = options.signal;
    this.#parent = options.parent;
    this.#reserve = options.reserve ?? 0;
    this.#openedAt = options.clock.now();
  }

  /** Starts from where a run's state left it. Only the first call for a run does anything. */
  seed(runId: string, used: Usage, activeMs: number): void {
    if (this.#runId === runId) return;
    this.#runId = runId;
    this.#usage = used;
    this.#begun.modelCalls = used.modelCalls;
    this.#begun.toolCalls = used.toolCalls;
    this.#earlierMs = activeMs;
    this.close();
    this.#parent?.recordSubRun({ id: runId, activeMs }, used);
  }

  /** States what a sub-run had used when this budget's run already counted it. */
  seedSubRun(runId: string, used: Usage): void {
    this.#subRuns.set(runId, used);
  }

  /** Records what a sub-run used that was not seen here: before a pause, or in an earlier process. */
  recordSubRun(run: { readonly id: string; readonly activeMs: number }, used: Usage): void {
    // A run has worked no less than a part of it, which may have paused by itself.
    this.addEarlier(run.activeMs - this.#clock.now() + this.#openedAt);
    const unseen = usageSince(used, this.#subRuns.get(run.id) ?? noUsage);
    if (unseen.modelCalls + unseen.toolCalls <= 0) return;
    this.seedSubRun(run.id, used);
    this.replay(unseen);
  }

  /** Milliseconds this run has worked, people's answering time left out. */
  activeMs(): number {
    return this.#earlierMs + this.#clock.now() - this.#openedAt;
  }

  /** Working time that an earlier attempt of this run spent before it paused. */
  addEarlier(activeMs: number): void {
    this.#earlierMs = Math.max(this.#earlierMs, activeMs);
  }

  /** Counts a call as begun, or names the limit that forbids it. */
  begin(call: CountedCall): LimitName | undefined {
    const reached = this.reached(call);
    if (reached === undefined) this.count(call);
    return reached;
  }

  /** Counts calls that no limit is asked about: the final-answer call, and those of a replayed result. */
  count(call: CountedCall, times = 1): void {
    this.#begun[call] += times;
    this.#parent?.count(call, times);
  }

  /** Takes a call back that did not take place: it pauses, and is made anew elsewhere. */
  giveBack(call: CountedCall): void {
    this.count(call, -1);
  }

  /** The limit that stands against another such call, here or in the run this one is part of. */
  reached(call: CountedCall): LimitName | undefined {
    return this.#reachedHere(call) ?? this.#parent?.reached(call);
  }

  #reachedHere(call: CountedCall): LimitName | undefined {
    const { tokensIn, tokensOut, costUsd } = this.#usage;
    const used: readonly (readonly [LimitName, number])[] = [
      ["seconds", this.activeMs() / 1000 + this.#reserveMs() / 1000],
      [call, this.#begun[call]],
      ["tokens", tokensIn + tokensOut],
      ["costUsd", costUsd],
    ];
    return used.find(([name, amount]) => amount >= (this.limits[name] ?? Infinity))?.[0];
  }

  /** Records what a call used that was counted as it began: a call of this run, or of one of its sub-runs. */
  record(used: Usage, subRunId?: string): void {
    if (subRunId !== undefined) {
      this.seedSubRun(subRunId, addUsage(this.#subRuns.get(subRunId) ?? noUsage, used));
    }
    this.#usage = addUsage(this.#usage, used);
    this.#parent?.record(used, this.#runId ?? "");
  }

  /** Records what a result used that LangGraph had on record: its calls were counted in an earlier process. */
  replay(used: Usage): void {
    this.count("modelCalls", used.modelCalls);
    this.count("toolCalls", used.toolCalls);
    this.record(used);
  }

  /** What has been recorded so far. */
  usage(): Usage {
    return this.#usage;
  }

  /** Milliseconds left for work, the final-answer call's share left out; Infinity without a limit. */
  remainingMs(): number {
    const here = this.#secondsMs() - this.#reserveMs() - this.activeMs();
    return Math.max(0, Math.min(here, this.#parent?.remainingMs() ?? Infinity));
  }

  /** From now on the run is cancelled when this signal aborts: LangGraph makes one for what it runs. */
  follow(signal: AbortSignal | undefined): void {
    if (signal === undefined || signal === this.#callerSignal) return;
    this.#callerSignal = signal;
    this.#open?.follow(signal);
  }

  /** Aborts when the caller aborts or the time for work is over; its reason tells which. */
  signal(): AbortSignal {
    this.#open ??= openRunSignal(this.#callerSignal, this.remainingMs());
    return this.#open.signal;
  }

  /** For the final-answer call: aborts when the caller aborts or all the run's time is over. */
  finalAnswerSignal(): AbortSignal {
    this.close();
    this.#open = openRunSignal(this.#callerSignal, this.#totalMs());
    return this.#open.signal;
  }

  /** Milliseconds left of all the run's time, here and in the run this one is part of. */
  #totalMs(): number {
    const above = this.#parent === undefined ? Infinity : this.#parent.#totalMs();
    return Math.max(0, Math.min(this.#secondsMs() - this.activeMs(), above));
  }

  /** Stops the clock behind `signal`: when the run ends, and when it pauses. */
  close(): void {
    this.#open?.close();
    this.#open = undefined;
  }

  /** Whether the caller has cancelled the run. */
  aborted(): boolean {
    return this.#callerSignal?.aborted ?? false;
  }

  #secondsMs(): number {
    return this.limits.seconds === null ? Infinity : this.limits.seconds * 1000;
  }

  #reserveMs(): number {
    const { seconds } = this.limits;
    return seconds === null ? 0 : Math.min(seconds * 1000 * this.#reserve, maxReserveMs);
  }
}
