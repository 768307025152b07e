import type { LimitName } from "../state/limits.js";
import { addUsage, noUsage, type Usage, usageSince } from "../state/usage.js";
import type { Clock } from "./clock.js";
import type { ResolvedLimits } from "./limits.js";
import { openRunSignal, type RunSignal } from "./signals.js";

/** The calls that are counted as they begin. */
export type CountedCall = "modelCalls" | "toolCalls";

/** Options of a budget. */
export type BudgetOptions = {
  readonly limits: ResolvedLimits;
  readonly clock: Clock;
  /** The caller's signal. */
  readonly signal?: AbortSignal | undefined;
  /** The parent run's budget. */
  readonly parent?: Budget | undefined;
  /** Share of the seconds reserved for the final-answer call. */
  readonly reserve?: number;
};

/** The longest reserve, in milliseconds. */
const maxReserveMs = 20_000;

/**
 * What a run has used and may still use. Each run has one in memory, shared by everything that works for it at the same
 * time. A sub-run's budget has its own limits and records in its parent's, too. The state's usage is the sum of what is
 * committed; a budget also knows what is in flight.
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

  /** Seeds the budget from a run's state. Only the first call for a run has an effect. */
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

  /** Sets the usage of a sub-run that this budget's state includes already. */
  seedSubRun(runId: string, used: Usage): void {
    this.#subRuns.set(runId, used);
  }

  /** Records the usage of a sub-run that is not included yet: from before a pause, or from an earlier process. */
  recordSubRun(run: { readonly id: string; readonly activeMs: number }, used: Usage): void {
    // A run has worked at least as long as its sub-run, which may have paused by itself.
    this.addEarlier(run.activeMs - this.#clock.now() + this.#openedAt);
    const unseen = usageSince(used, this.#subRuns.get(run.id) ?? noUsage);
    if (unseen.modelCalls + unseen.toolCalls <= 0) return;
    this.seedSubRun(run.id, used);
    this.replay(unseen);
  }

  /** Milliseconds that this run has worked, without the time that people took. */
  activeMs(): number {
    return this.#earlierMs + this.#clock.now() - this.#openedAt;
  }

  /** Sets the working time of an earlier attempt, before the pause. */
  addEarlier(activeMs: number): void {
    this.#earlierMs = Math.max(this.#earlierMs, activeMs);
  }

  /** Counts a call that begins, or returns the limit that forbids it. */
  begin(call: CountedCall): LimitName | undefined {
    const reached = this.reached(call);
    if (reached === undefined) this.count(call);
    return reached;
  }

  /** Counts calls that no limit forbids: the final-answer call, and those of a replayed result. */
  count(call: CountedCall, times = 1): void {
    this.#begun[call] += times;
    this.#parent?.count(call, times);
  }

  /** Takes back a call that did not take place: it pauses, and is made again elsewhere. */
  giveBack(call: CountedCall): void {
    this.count(call, -1);
  }

  /** The limit that forbids another such call, in this run or its parents. */
  reached(call: CountedCall): LimitName | undefined {
    return this.#reachedHere(call) ?? this.#parent?.reached(call);
  }

  /** How many more such calls may begin, in this run and its parents. */
  left(call: CountedCall): number {
    const here = (this.limits[call] ?? Infinity) - this.#begun[call];
    return Math.min(here, this.#parent?.left(call) ?? Infinity);
  }

  /** The largest share that is used up of a limit on time, tokens or money, in this run or its parents: 0.5 for half. */
  usedShare(): number {
    const shares = this.#used().map(([name, amount]) => amount / (this.limits[name] ?? Infinity));
    return Math.max(...shares, this.#parent?.usedShare() ?? 0);
  }

  #reachedHere(call: CountedCall): LimitName | undefined {
    const [seconds, ...others] = this.#used();
    const used = [seconds, [call, this.#begun[call]] as const, ...others];
    return used.find(([name, amount]) => amount >= (this.limits[name] ?? Infinity))?.[0];
  }

  /** What is used of the limits on time, tokens and money. */
  #used() {
    const { tokensIn, tokensOut, costUsd } = this.#usage;
    return [
      ["seconds", this.activeMs() / 1000 + this.#reserveMs() / 1000],
      ["tokens", tokensIn + tokensOut],
      ["costUsd", costUsd],
    ] as const;
  }

  /** Records the usage of a call that was counted as it began, in this run or a sub-run. */
  record(used: Usage, subRunId?: string): void {
    if (subRunId !== undefined) {
      this.seedSubRun(subRunId, addUsage(this.#subRuns.get(subRunId) ?? noUsage, used));
    }
    this.#usage = addUsage(this.#usage, used);
    this.#parent?.record(used, this.#runId ?? "");
  }

  /** Records the usage of a replayed result: its calls were counted in an earlier process. */
  replay(used: Usage): void {
    this.count("modelCalls", used.modelCalls);
    this.count("toolCalls", used.toolCalls);
    this.record(used);
  }

  /** The usage recorded so far. */
  usage(): Usage {
    return this.#usage;
  }

  /** Milliseconds left for work, without the reserve; Infinity without a limit. */
  remainingMs(): number {
    const here = this.#secondsMs() - this.#reserveMs() - this.activeMs();
    return Math.max(0, Math.min(here, this.#parent?.remainingMs() ?? Infinity));
  }

  /** Follows another caller's signal from now on: LangGraph makes one for each run. */
  follow(signal: AbortSignal | undefined): void {
    if (signal === undefined || signal === this.#callerSignal) return;
    this.#callerSignal = signal;
    this.#open?.follow(signal);
  }

  /** Aborts when the caller aborts or the time for work is over; its reason says which. */
  signal(): AbortSignal {
    this.#open ??= openRunSignal(this.#callerSignal, this.remainingMs());
    return this.#open.signal;
  }

  /** For the final-answer call: aborts when the caller aborts or the whole time is over. */
  finalAnswerSignal(): AbortSignal {
    this.close();
    this.#open = openRunSignal(this.#callerSignal, this.#totalMs());
    return this.#open.signal;
  }

  /** Milliseconds left of the whole time, in this run and its parents. */
  #totalMs(): number {
    const above = this.#parent === undefined ? Infinity : this.#parent.#totalMs();
    return Math.max(0, Math.min(this.#secondsMs() - this.activeMs(), above));
  }

  /** Stops the timer behind `signal`: when the run ends or pauses. */
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

/** The limit that forbids any further call. A step of a plan is no tool call. */
export function limitAt(budget: Budget): LimitName | undefined {
  return budget.reached("toolCalls") ?? budget.reached("modelCalls");
}
