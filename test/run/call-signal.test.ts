import { getEventListeners } from "node:events";

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { openCallSignal, openRunSignal } from "../../src/run/signals.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("openCallSignal", () => {
  it("aborts with a TimeoutError when the time is over", () => {
    const call = openCallSignal(new AbortController().signal, 10);
    vi.advanceTimersByTime(40);
    expect(call.signal.reason).toMatchObject({
      name: "TimeoutError",
      message: "no answer within 0.01 s",
    });
    expect(call.isOver()).toBe(true);
    call.close();
  });

  it("starts the time anew at every sign of life", () => {
    const call = openCallSignal(new AbortController().signal, 200);
    for (let sign = 0; sign < 6; sign += 1) {
      vi.advanceTimersByTime(50);
      call.touch();
    }
    expect(call.signal.aborted).toBe(false);
    call.close();
  });

  it.each([Infinity, 2 ** 31])(
    "takes %d ms for no time-out, where a timer would fire at once",
    (ms) => {
      const call = openCallSignal(new AbortController().signal, ms);
      call.touch();
      vi.advanceTimersByTime(20);
      expect(call.signal.aborted).toBe(false);
      call.close();
    },
  );

  it("aborts with the run's reason", () => {
    const run = new AbortController();
    const call = openCallSignal(run.signal, 1_000);
    run.abort(new Error("called off"));
    expect(call.signal.reason).toEqual(new Error("called off"));
    expect(call.isOver()).toBe(false);
    call.close();
  });

  it("has aborted already where the run had", () => {
    const call = openCallSignal(AbortSignal.abort(new Error("before")), 1_000);
    expect(call.signal.reason).toEqual(new Error("before"));
    call.close();
  });

  it("leaves nothing behind on the run's signal", () => {
    const { signal } = new AbortController();
    for (let at = 0; at < 200; at += 1) openCallSignal(signal, 1_000).close();
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});

describe("openRunSignal", () => {
  it("leaves nothing behind on the caller's signal", () => {
    const { signal } = new AbortController();
    for (let at = 0; at < 50; at += 1) openRunSignal(signal, 1_000).close();
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("aborts at once where no time is left", () => {
    const run = openRunSignal(undefined, -5);
    vi.advanceTimersByTime(20);
    expect(run.signal.reason).toMatchObject({ name: "TimeoutError" });
  });

  it("does not abort any more once it is closed", () => {
    const caller = new AbortController();
    const run = openRunSignal(caller.signal, 5);
    run.close();
    caller.abort();
    vi.advanceTimersByTime(20);
    expect(run.signal.aborted).toBe(false);
  });
});
