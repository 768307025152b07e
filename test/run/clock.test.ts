import { expect, it } from "vitest";

import { systemClock } from "../../src/run/clock.js";

it("tells the machine's time and waits", async () => {
  const startedAt = systemClock.now();
  expect(Math.abs(startedAt - Date.now())).toBeLessThan(1_000);
  await systemClock.sleep(20);
  expect(systemClock.now() - startedAt).toBeGreaterThanOrEqual(15);
});

it("stops waiting when the signal aborts", async () => {
  const controller = new AbortController();
  const waiting = systemClock.sleep(60_000, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
});

it("gives numbers from 0 to below 1", () => {
  const number = systemClock.random();
  expect(number).toBeGreaterThanOrEqual(0);
  expect(number).toBeLessThan(1);
});
