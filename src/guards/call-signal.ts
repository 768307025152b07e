/** The longest delay that a timer takes. */
const maxTimerMs = 2 ** 31 - 1;

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
