import { describe, expect, it } from "vitest";

import { ClassifiedError, type Failure } from "../../src/run/errors.js";
import {
  decideRetry,
  maxRetryAfterMs,
  type RetryOptions,
  withRetries,
} from "../../src/run/retry.js";
import { fakeClock } from "../support/run-scope.js";

const policy = { attempts: 3, baseMs: 100 };
const unavailable: Failure = { kind: "unavailable" };
const passing = ({ kind }: Failure) => kind === "unavailable" || kind === "rate_limited";

describe("decideRetry", () => {
  it.each<{
    name: string;
    failure: Failure;
    attempt: number;
    random?: number;
    delayMs: number | undefined;
  }>([
    { name: "half the base at least", failure: unavailable, attempt: 1, random: 0, delayMs: 50 },
    {
      name: "less than the base at most",
      failure: unavailable,
      attempt: 1,
      random: 0.99,
      delayMs: 99.5,
    },
    {
      name: "twice as much the second time",
      failure: unavailable,
      attempt: 2,
      random: 0,
      delayMs: 100,
    },
    {
      name: "what the server asks for",
      failure: { kind: "rate_limited", retryAfterMs: 7_000 },
      attempt: 1,
      delayMs: 7_000,
    },
    {
      name: "no time where the server asks for none",
      failure: { kind: "rate_limited", retryAfterMs: 0 },
      attempt: 1,
      delayMs: 0,
    },
    {
      name: "as long as the cap",
      failure: { kind: "rate_limited", retryAfterMs: maxRetryAfterMs },
      attempt: 1,
      delayMs: 20_000,
    },
    {
      name: "not, above the cap",
      failure: { kind: "rate_limited", retryAfterMs: maxRetryAfterMs + 1 },
      attempt: 1,
      delayMs: undefined,
    },
    { name: "not, after the last attempt", failure: unavailable, attempt: 3, delayMs: undefined },
    {
      name: "not, for what does not pass",
      failure: { kind: "unauthorized", status: 401 },
      attempt: 1,
      delayMs: undefined,
    },
    {
      name: "not, for what does not pass even where the server names a time",
      failure: { kind: "rejected", retryAfterMs: 1 },
      attempt: 1,
      delayMs: undefined,
    },
  ])("waits $name", ({ failure, attempt, random = 0.5, delayMs }) => {
    const decision = decideRetry(failure, attempt, policy, passing, () => random);
    expect(decision).toEqual(delayMs === undefined ? { retry: false } : { retry: true, delayMs });
  });

  it.each([0, 1, Number.NaN])(
    "makes no second attempt with a policy of %d attempts",
    (attempts) => {
      const decide = (attempt: number) =>
        decideRetry(unavailable, attempt, { attempts, baseMs: 1 }, passing, () => 0);
      expect(decide(1)).toEqual({ retry: false });
    },
  );
});

const failing = (kind: "unavailable" | "rejected") => new ClassifiedError(kind, "no");

/** A call that fails with the errors given, one after another, and then succeeds. */
function callOf(...errors: readonly unknown[]) {
  const attempts: number[] = [];
  const call = async (attempt: number) => {
    attempts.push(attempt);
    if (attempts.length <= errors.length) throw errors[attempts.length - 1];
    return "done";
  };
  return { call, attempts };
}

function options(given: Partial<RetryOptions> = {}) {
  const { clock, slept } = fakeClock();
  const { signal } = new AbortController();
  return { slept, options: { policy, mayRetry: passing, clock, signal, ...given } };
}

const never = () => false;

describe("withRetries", () => {
  it("gives the first value there is", async () => {
    const { call, attempts } = callOf();
    const done = { ok: true, value: "done", attempts: 1 };
    expect(await withRetries(call, options().options, never)).toEqual(done);
    expect(attempts).toEqual([1]);
  });

  it("tries again with growing pauses, and tells of each", async () => {
    const told: unknown[] = [];
    const { call, attempts } = callOf(failing("unavailable"), failing("unavailable"));
    const given = options({ onRetry: ({ attempt, delayMs }) => told.push([attempt, delayMs]) });
    const done = { ok: true, value: "done", attempts: 3 };
    expect(await withRetries(call, given.options, never)).toEqual(done);
    expect(attempts).toEqual([1, 2, 3]);
    expect(given.slept).toEqual([75, 150]);
    expect(told).toEqual([
      [1, 75],
      [2, 150],
    ]);
  });

  it("gives the last error when no attempt is left", async () => {
    const last = failing("unavailable");
    const { call } = callOf(failing("unavailable"), failing("unavailable"), last);
    const result = await withRetries(call, options().options, never);
    expect(result).toEqual({ ok: false, error: last, attempts: 3 });
  });

  it("stops at once for what does not pass", async () => {
    const { call, attempts } = callOf(failing("unavailable"), failing("rejected"));
    const result = await withRetries(call, options().options, never);
    expect(result).toMatchObject({ ok: false, attempts: 2 });
    expect(attempts).toHaveLength(2);
  });

  it("makes one attempt more at most, however long the server asks to wait", async () => {
    const error = Object.assign(new Error("slow down"), {
      status: 429,
      headers: { "retry-after": "9999" },
    });
    const { call, attempts } = callOf(error);
    const given = options();
    expect(await withRetries(call, given.options, never)).toMatchObject({ ok: false, attempts: 1 });
    expect(attempts).toEqual([1]);
    expect(given.slept).toEqual([]);
  });

  it("throws at once what must pass through", async () => {
    const interrupt = new Error("interrupt");
    const { call, attempts } = callOf(interrupt);
    const isInterrupt = (error: unknown) => error === interrupt;
    await expect(withRetries(call, options().options, isInterrupt)).rejects.toBe(interrupt);
    expect(attempts).toEqual([1]);
  });

  it("makes no attempt after an abort during the call", async () => {
    const controller = new AbortController();
    const { call, attempts } = callOf(failing("unavailable"));
    const aborting = async (attempt: number) => {
      controller.abort();
      return call(attempt);
    };
    const given = options({ signal: controller.signal });
    const result = await withRetries(aborting, given.options, never);
    expect(result).toMatchObject({ ok: false, attempts: 1 });
    expect(attempts).toEqual([1]);
    expect(given.slept).toEqual([]);
  });

  it("makes no attempt after an abort during the pause, and gives the call's error", async () => {
    const controller = new AbortController();
    const error = failing("unavailable");
    const { call, attempts } = callOf(error);
    const given = options({
      signal: controller.signal,
      onRetry: () => {
        controller.abort(new Error("called off"));
      },
    });
    const result = await withRetries(call, given.options, never);
    expect(result).toEqual({ ok: false, error, attempts: 1 });
    expect(attempts).toEqual([1]);
  });

  it.each([undefined, null, "text", 0])("takes %j, thrown, for a failure", async (thrown) => {
    const { call } = callOf(thrown);
    const result = await withRetries(call, options().options, never);
    expect(result).toEqual({ ok: false, error: thrown, attempts: 1 });
  });
});
