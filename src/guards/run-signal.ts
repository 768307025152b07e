import { setMaxListeners } from "node:events";

/** The signal of a run, and the way to stop what stands behind it. */
export type RunSignal = { readonly signal: AbortSignal; readonly close: () => void };

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
  const forward = () => {
    controller.abort(caller?.reason);
  };
  const runOut = () => {
    controller.abort(new DOMException("the run's time is over", "TimeoutError"));
  };
  const timer = ms > maxTimerMs ? undefined : setTimeout(runOut, Math.max(0, ms));
  timer?.unref();
  if (caller?.aborted === true) forward();
  else caller?.addEventListener("abort", forward, { once: true });
  return {
    signal: controller.signal,
    close: () => {
      clearTimeout(timer);
      caller?.removeEventListener("abort", forward);
    },
  };
}
