/** Time and randomness of a run; tests pass their own. */
export type Clock = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Waits; rejects with the signal's reason when it aborts first. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** A number from 0 to below 1, for jitter. */
  readonly random: () => number;
};

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep,
  random: () => Math.random(),
};

/**
 * The machine's clock, set to another time: it is `start` now, and goes on from there. With one date, runs of different
 * days have the same prompts and can be compared.
 */
export function clockFrom(start: Date): Clock {
  const ahead = start.getTime() - systemClock.now();
  return { ...systemClock, now: () => systemClock.now() + ahead };
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Whether a text names an IANA time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
