import { setTimeout as delay } from "node:timers/promises";

/** Time and chance as a run sees them; a test hands in its own. */
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
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  },
  random: () => Math.random(),
};

/** Whether a text names an IANA time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
