import type { AgentEventBody } from "../../src/observe/events.js";
import type { Clock } from "../../src/run/clock.js";
import { Budget, type BudgetOptions } from "../../src/run/budget.js";
import { type Limits, resolveLimits } from "../../src/run/limits.js";
import type { RunScope } from "../../src/run/scope.js";

/** A clock that stands still but for `pass` and `sleep`, which returns at once and writes down how long it was asked to. */
export function fakeClock(startedAt = 1_000) {
  const slept: number[] = [];
  let now = startedAt;
  const pass = (ms: number) => {
    now += ms;
  };
  const clock: Clock = {
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      pass(ms);
    },
    random: () => 0.5,
  };
  return { clock, slept, pass };
}

/** What a test's run is made of; everything may be left out. */
export type RunScopeOptions = Pick<BudgetOptions, "signal" | "parent" | "reserve"> & {
  readonly runId?: string;
  readonly limits?: Limits;
};

/** A run to work for, with its clock and its events in the test's hands. */
export function runScope({ runId = "run-1", limits, ...budget }: RunScopeOptions = {}) {
  const time = fakeClock();
  const events: AgentEventBody[] = [];
  const run: RunScope = {
    runId,
    budget: new Budget({ ...budget, limits: resolveLimits(limits), clock: time.clock }),
    clock: time.clock,
    emit: (event) => {
      events.push(event);
    },
  };
  return { run, events, ...time };
}
