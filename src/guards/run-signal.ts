import { setMaxListeners } from "node:events";

/** The signal of a run, and what stands behind it. */
export type RunSignal = {
  readonly signal: AbortSignal;
  /** Listens to another caller from now on, instead of the one before. */
  readonly follow: (caller: AbortSignal | undefined) => void;
  /** Calls the run off. */
  readonly abort: (reason?: unknown) => void;
  /** Stops the clock and the listening. */
  readonly close: () => void;
};

/** The longest delay that a timer takes. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Opens a signal that aborts when the caller's does, or after `ms`. By hand: a signal made of
 * `AbortSignal.timeout` and `any` may be collected before it fires (Node 20), and then never does.
 */
export function openRunSignal(caller: AbortSignal | undefined, ms: number): RunSignal {
  const controller = new AbortController();
  // Every call that runs at the same time listens.
  setMaxListeners(0, controller.signal);
  let followed: AbortSignal | undefined;
  const forward = () => {
    controller.abort(followed?.reason);
  };
  const follow = (next: AbortSignal | undefined) => {
    followed?.removeEventListener("abort", forward);
    followed = next;
    // Any number of runs may have the same caller.
    if (next !== undefined) setMaxListeners(0, next);
    if (next?.aborted === true) forward();
    else next?.addEventListener("abort", forward, { once: true });
  };
  const runOut = () => {
    controller.abort(new DOMException("the run's time is over", "TimeoutError"));
  };
  const timer = ms > maxTimerMs ? undefined : setTimeout(runOut, Math.max(0, ms));
  timer?.unref();
  follow(caller);
  return {
    signal: controller.signal,
    follow,
    abort: (reason) => {
      controller.abort(reason);
    },
    close: () => {
      clearTimeout(timer);
      follow(undefined);
    },
  };
}
