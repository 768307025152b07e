import { allowAnyListeners } from "../platform.js";

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
  allowAnyListeners(controller.signal);
  let followed: AbortSignal | undefined;
  const forward = () => {
    controller.abort(followed?.reason);
  };
  const follow = (next: AbortSignal | undefined) => {
    followed?.removeEventListener("abort", forward);
    followed = next;
    // Any number of runs may have the same caller.
    if (next !== undefined) allowAnyListeners(next);
    if (next?.aborted === true) forward();
    else next?.addEventListener("abort", forward, { once: true });
  };
  const runOut = () => {
    controller.abort(new DOMException("the run's time is over", "TimeoutError"));
  };
  const timer = ms > maxTimerMs ? undefined : setTimeout(runOut, Math.max(0, ms));
  // A browser has a number here, and no process to hold up.
  if (typeof timer === "object") timer.unref();
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

/** The signal of one call, and what goes with it. */
export type CallSignal = {
  /** Aborts with the run's reason, or with a TimeoutError. */
  readonly signal: AbortSignal;
  /** A sign of life: the time starts anew. */
  readonly touch: () => void;
  /** Ends the call: what came of it is enough. */
  readonly stop: () => void;
  /** Whether the time ran out. */
  readonly isOver: () => boolean;
  /** Stops the clock and the listening; every call ends with it. */
  readonly close: () => void;
};

/**
 * Opens the signal of one call in a run: it aborts when the run's signal does, or when for `ms` there
 * was no sign of life. By hand rather than by `AbortSignal.any` and `timeout`: these leave something
 * behind on the run's signal, or a timer, for every call.
 */
export function openCallSignal(runSignal: AbortSignal, ms: number): CallSignal {
  const controller = new AbortController();
  const forward = () => {
    controller.abort(runSignal.reason);
  };
  let isOver = false;
  let isClosed = false;
  const runOut = () => {
    isOver = true;
    controller.abort(new DOMException(`no answer within ${ms / 1000} s`, "TimeoutError"));
  };
  const start = () => (ms > maxTimerMs ? undefined : setTimeout(runOut, ms));
  let timer = start();
  if (runSignal.aborted) forward();
  else runSignal.addEventListener("abort", forward, { once: true });
  return {
    signal: controller.signal,
    touch: () => {
      if (isClosed) return;
      clearTimeout(timer);
      timer = start();
    },
    stop: () => {
      controller.abort();
    },
    isOver: () => isOver,
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      runSignal.removeEventListener("abort", forward);
    },
  };
}

/**
 * The result, or the signal's reason when it aborts first: work that ignores its signal holds nobody
 * up. The signal is this work's own: the listener goes with it.
 */
export async function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => {
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
  });
  return Promise.race([work(), aborted]);
}
