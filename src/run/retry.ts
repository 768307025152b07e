import type { Clock } from "./clock.js";
import { classifyError, type Failure } from "./errors.js";

/** How often a call is made and how long it waits between attempts. */
export type RetryPolicy = {
  /** Attempts in all, the first included. */
  readonly attempts: number;
  /** The pause before the second attempt, in milliseconds; it doubles each time, with jitter. */
  readonly baseMs: number;
};

/** The longest `Retry-After` that is waited for. */
export const maxRetryAfterMs = 20_000;

/** Whether another attempt follows, and after how long. */
export type RetryDecision =
  { readonly retry: false } | { readonly retry: true; readonly delayMs: number };

/** Decides on another attempt: only where `mayRetry`, only within `attempts`, `Retry-After` honoured up to a cap. */
export function decideRetry(
  failure: Failure,
  attempt: number,
  policy: RetryPolicy,
  mayRetry: (failure: Failure) => boolean,
  random: () => number,
): RetryDecision {
  if (!mayRetry(failure) || !(attempt < policy.attempts)) return { retry: false };
  if (failure.retryAfterMs !== undefined) {
    return failure.retryAfterMs <= maxRetryAfterMs
      ? { retry: true, delayMs: failure.retryAfterMs }
      : { retry: false };
  }
  return {
    retry: true,
    delayMs: policy.baseMs * 2 ** (attempt - 1) * (0.5 + random() / 2),
  };
}

/** How a call is retried. */
export type RetryOptions = {
  readonly policy: RetryPolicy;
  readonly mayRetry: (failure: Failure) => boolean;
  readonly clock: Clock;
  /** Ends the wait, and the attempts. */
  readonly signal: AbortSignal;
  readonly onRetry?: (retry: { attempt: number; delayMs: number; error: unknown }) => void;
};

/** The value of a call, or the last error; with the number of attempts. */
export type Attempted<T> =
  | { readonly ok: true; readonly value: T; readonly attempts: number }
  | { readonly ok: false; readonly error: unknown; readonly attempts: number };

/**
 * Makes a call until it succeeds or `decideRetry` gives up. Only throws what `passThrough` accepts (LangGraph's control
 * flow).
 */
export async function withRetries<T>(
  call: (attempt: number) => Promise<T>,
  options: RetryOptions,
  passThrough: (error: unknown) => boolean,
): Promise<Attempted<T>> {
  const { policy, mayRetry, clock, signal, onRetry } = options;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return { ok: true, value: await call(attempts), attempts };
    } catch (error) {
      if (passThrough(error)) throw error;
      const decision = decideRetry(classifyError(error), attempts, policy, mayRetry, clock.random);
      if (!decision.retry || signal.aborted) return { ok: false, error, attempts };
      onRetry?.({ attempt: attempts, delayMs: decision.delayMs, error });
      try {
        await clock.sleep(decision.delayMs, signal);
      } catch {
        return { ok: false, error, attempts };
      }
    }
  }
}
