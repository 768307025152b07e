import type { LimitName } from "../state/limits.js";
import { addUsage, noUsage, type Usage, usageSince } from "../state/usage.js";
import type { Clock } from "./clock.js";
import type { ResolvedLimits } from "./limits.js";
import { openRunSignal, type RunSignal } from "./signals.js";

/** The calls a ledger counts as they begin. */
export type CountedCall = "modelCalls" | "toolCalls";

/** What a ledger is opened with. */
export type LedgerOptions = {
  readonly limits: ResolvedLimits;
  readonly clock: Clock;
  /** The caller's signal. */
  readonly signal?: AbortSignal | undefined;
  /** The ledger of the run that this one is part of. */
  readonly parent?: Ledger | undefined;
  /** Share of the seconds kept back for the closing call. */
  readonly reserve?: number;
};

/** At most this much of `seconds` is kept back for the closing call, in milliseconds. */
const maxReserveMs = 20_000;

/**
 * What a run has used and what it may still use: one in memory for each run, shared by everything
 * that works for it at the same time. A sub-run's ledger has limits of its own and books into its
 * parent's as well.
 */
export class Ledger {
  readonly limits: ResolvedLimits;
  readonly #clock: Clock;
  readonly #parent: Ledger | undefined;
  #callerSignal: AbortSignal | undefined;
  readonly #reserve: number;
  readonly #booked = new Set<string>();
  readonly #subRuns = new Map<string, Usage>();
  readonly #begun = { modelCalls: 0, toolCalls: 0 };
  #usage: Usage = noUsage;
  #openedAt: number;
  #earlierMs = 0;
  #runId: string | undefined;
  #open: RunSignal | undefined;

  constructor(options: LedgerOptions) {
    this.limits = options.limits;
    this.#clock = options.clock;
    this.#callerSignal = options.signal;
    this.#parent = options.parent;
    this.#reserve = options.reserve ?? 0;
    this.#openedAt = options.clock.now();
  }

  /** Takes up a run where its state left it. Only the first call for a run does anything. */
  resume(runId: string, used: Usage, activeMs: number): void {
    if (this.#runId === runId) return;
    this.#runId = runId;
    this.#usage = used;
    this.#begun.modelCalls = used.modelCalls;
    this.#begun.toolCalls = used.toolCalls;
    this.#earlierMs = activeMs;
    this.close();
    this.#parent?.takeUp({ id: runId, activeMs }, used);
  }

  /** Says what a sub-run had used when this ledger's run already counted it. */
  knows(runId: string, used: Usage): void {
    this.#subRuns.set(runId, used);
  }

  /** Books what a sub-run used where this ledger did not see it: before a pause, or in a process before. */
  takeUp({ id, activeMs }: { readonly id: string; readonly activeMs: number }, used: Usage): void {
    // A run has worked no less than a part of it, which may have paused by itself.
    this.addEarlier(activeMs - this.#clock.now() + this.#openedAt);
    const unseen = usageSince(used, this.#subRuns.get(id) ?? noUsage);
    if (unseen.modelCalls + unseen.toolCalls <= 0) return;
    this.knows(id, used);
    this.book(`${id}/earlier:${used.modelCalls}:${used.toolCalls}`, unseen, false);
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

  /** Counts a call that no limit is asked about: the closing call. */
  count(call: CountedCall): void {
    this.#begun[call] += 1;
    this.#parent?.count(call);
  }

  /** Takes a call back that did not take place: it pauses, and is made anew elsewhere. */
  giveBack(call: CountedCall): void {
    this.#begun[call] -= 1;
    this.#parent?.giveBack(call);
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

  /** Books what a finished call used, once for each key; `live` calls were counted by `begin`. */
  book(key: string, used: Usage, live: boolean): void {
    if (this.#booked.has(key)) return;
    this.#booked.add(key);
    this.#usage = addUsage(this.#usage, used);
    if (!live) {
      this.#begun.modelCalls += used.modelCalls;
      this.#begun.toolCalls += used.toolCalls;
    }
    this.#parent?.bookFor(this.#runId ?? "", key, used, live);
  }

  /** Books what a call of a sub-run used. */
  bookFor(runId: string, key: string, used: Usage, live: boolean): void {
    this.#subRuns.set(runId, addUsage(this.#subRuns.get(runId) ?? noUsage, used));
    this.book(`${runId}/${key}`, used, live);
  }

  /** What has been booked so far. */
  usage(): Usage {
    return this.#usage;
  }

  /** Milliseconds left for work, the closing call's share left out; Infinity without a limit. */
  remainingMs(): number {
    const here = this.#secondsMs() - this.#reserveMs() - this.activeMs();
    return Math.max(0, Math.min(here, this.#parent?.remainingMs() ?? Infinity));
  }

  /** From now on the run is called off when this signal aborts: LangGraph makes one for what it runs. */
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

  /** For the closing call: aborts when the caller aborts or all the run's time is over. */
  closingSignal(): AbortSignal {
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

  /** Whether the caller has called the run off. */
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
