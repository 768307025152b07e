import { setTimeout as sleep } from "node:timers/promises";

import type { Trial } from "./trial.js";
import { underLoad } from "./under-load.js";

/**
 * Workers stand still for longer than their leases, as a stalled machine does, and go on: what others did meanwhile is not
 * undone. With `UNFENCED=1` they may write without a lease, and the trial fails.
 */
export const stall: Trial = async (parts, times) => {
  const { worked, leaseMs } = parts;
  const workers = await Promise.all([1, 2, 3].map(() => worked.worker()));
  await underLoad(parts, async (losses) => {
    for (let stalled = 0; stalled < times; stalled += 1) {
      await sleep(Math.random() * 1_000);
      const { process } = workers[stalled % workers.length] ?? {};
      const at = Date.now();
      process?.kill("SIGSTOP");
      await sleep(leaseMs * 1.7);
      process?.kill("SIGCONT");
      losses.push({ pid: process?.pid, at, until: Date.now() });
    }
  });
};
