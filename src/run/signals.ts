import { allowAnyListeners } from "../platform.js";

/** A run's signal and its control. */
export type RunSignal = {
  readonly signal: AbortSignal;
  /** Follows another caller's signal from now on. */
  readonly follow: (caller: AbortSignal | undefined) => void;
  /** Cancels the run. */
  readonly abort: (reason?: unknown) => void;
  /** Stops the timer and removes the listeners. */
  readonly close: () => void;
};

/** The longest delay of a timer. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Opens a signal that aborts when the caller's does, or after `ms`. Not with `AbortSignal.timeout` and `any`: on Node
 * 20 such a signal may be garbage-collected before it fires, and then never does.
 */
export function openRunSignal(caller: AbortSignal | undefined, ms: number): RunSignal {
  const controller = new AbortController();
  // Every concurrent call listens.
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
  // In a browser this is a number, and there is no process to keep alive.
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

/** The signal of one call and its control. */
export type CallSignal = {
  /** Aborts with the run's reason, or with a TimeoutError. */
  readonly signal: AbortSignal;
  /** A sign of life: the time starts again. */
  readonly touch: () => void;
  /** Ends the call: its result so far is enough. */
  readonly stop: () => void;
  /** Whether the time ran out. */
  readonly isOver: () => boolean;
  /** Stops the timer and removes the listener; every call ends with it. */
  readonly close: () => void;
};

/**
 * Opens the signal of one call in a run: it aborts when the run's signal does, or after `ms` without a sign of life.
 * Not with `AbortSignal.any` and `timeout`: they leave a listener on the run's signal, or a timer, for every call.
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
 * The result, or the signal's reason if it aborts first: work that ignores its signal does not block the run. The
 * signal belongs to this work, so its listener goes with it.
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
