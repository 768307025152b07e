import { setTimeout as sleep } from "node:timers/promises";

import type { Sql, Trial } from "./trial.js";
import { underLoad } from "./under-load.js";

/** Each worker in turn is stopped for a new one, as a deployment does: no run fails, and none stands still for long. */
export const deploy: Trial = async (parts, times) => {
  const { worked, sql, expect } = parts;
  const start = () => worked.worker({ drainMs: 200 });
  const workers = await Promise.all([1, 2, 3].map(start));
  const watch = watchGivenUp(sql);
  await underLoad(parts, async (losses) => {
    for (let deployed = 0; deployed < times; deployed += 1) {
      await sleep(500);
      workers.push(await start());
      const old = workers.shift();
      await old?.stop();
      losses.push({ pid: old?.process.pid, at: Date.now() });
    }
  });
  const longest = await watch.end();
  const [failed] = await sql(
    "select count(*)::int as runs from plangraph.runs where status not in ('success', 'interrupted')",
  );
  expect("runs failed", Number(failed?.["runs"]), (runs) => runs === 0);
  expect("ms that a run waited for its next worker, at most", longest, (ms) => ms < 1_000);
};

/** Watches runs that a worker has given up, until `end` says how long one of them waited at most, in milliseconds. */
function watchGivenUp(sql: Sql) {
  const since = new Map<unknown, number>();
  let longest = 0;
  const over = new AbortController();
  const look = async () => {
    while (!over.signal.aborted) {
      const rows = await sql(
        "select run_id from plangraph.runs where status = 'pending' and attempt > 0",
      );
      const waiting = new Set(rows.map((row) => row["run_id"]));
      for (const id of since.keys()) if (!waiting.has(id)) since.delete(id);
      for (const id of waiting) {
        since.set(id, since.get(id) ?? Date.now());
        longest = Math.max(longest, Date.now() - (since.get(id) ?? 0));
      }
      await sleep(20);
    }
    return longest;
  };
  const looking = look();
  return {
    end: () => {
      over.abort();
      return looking;
    },
  };
}
