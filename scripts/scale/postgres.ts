import { setTimeout as sleep } from "node:timers/promises";

import { isUp, until } from "../../test/support/dev-server.js";
import type { Trial } from "./trial.js";
import { underLoad } from "./under-load.js";

/** The database crashes and comes back, again and again: servers and workers go on by themselves, and nothing is lost. */
export const crashes: Trial = async (parts, times) => {
  const { worked, postgres, expect, leaseMs } = parts;
  const workers = await Promise.all([1, 2].map(() => worked.worker()));
  const server = await worked.server();
  let red = 0;
  await underLoad(parts, async (losses) => {
    for (let crashed = 0; crashed < times; crashed += 1) {
      await sleep(2_000);
      const at = Date.now();
      await postgres.crash();
      if (await until(async () => !(await isUp(server.url)), (2 * leaseMs) / 1_000)) red += 1;
      await postgres.restart();
      await until(() => isUp(server.url), 30);
      losses.push(...workers.map(({ process }) => ({ pid: process.pid, at, until: Date.now() })));
    }
  });
  expect("crashes, seen at /ok", red, (count) => count === times);
};
