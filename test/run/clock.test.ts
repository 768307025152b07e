import { expect, it } from "vitest";

import { clockFrom, systemClock } from "../../src/run/clock.js";

it("tells the machine's time and waits", async () => {
  const startedAt = systemClock.now();
  expect(Math.abs(startedAt - Date.now())).toBeLessThan(1_000);
  await systemClock.sleep(20);
  expect(systemClock.now() - startedAt).toBeGreaterThanOrEqual(15);
});

it("goes on from another time", async () => {
  const start = new Date("2020-02-29T12:00:00Z");
  const clock = clockFrom(start);
  expect(new Date(clock.now()).toISOString()).toMatch(/^2020-02-29T12:00:0/);
  const before = clock.now();
  await clock.sleep(20);
  expect(clock.now() - before).toBeGreaterThanOrEqual(15);
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
