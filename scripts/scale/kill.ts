import { setTimeout as sleep } from "node:timers/promises";

import type { ServerProcess } from "../../test/support/plangraph-server.js";
import { underLoad } from "./under-load.js";
import { p95, type Sql, type Trial } from "./trial.js";

/** Workers of all graphs are killed again and again: every run ends as an undisturbed one, and writes once. */
export const kill: Trial = async (parts, kills) => {
  const { worked, sql, expect, leaseMs } = parts;
  let workers = await Promise.all([1, 2, 3].map(() => worked.worker()));
  const takenOver: Promise<number>[] = [];
  await underLoad(parts, async (losses) => {
    for (let killed = 0; killed < kills; killed += 1) {
      await sleep(Math.random() * 2_000);
      const [lost, ...rest] = workers.toSorted(() => Math.random() - 0.5);
      if (lost === undefined) return;
      const began = Date.now();
      await lost.kill();
      losses.push({ pid: lost.process.pid, at: began });
      takenOver.push(untilTaken(sql, lost, began));
      workers = [...rest, await worked.worker()];
      if (killed % 10 === 9) console.error(`${killed + 1} kills`);
    }
  });
  const waits = (await Promise.all(takenOver)).filter((ms) => ms > 0);
  expect("kills", kills, () => true);
  expect("ms until taken over, p95", p95(waits), (ms) => ms <= leaseMs + 1_000);
};

/** Milliseconds until every run of a killed worker has another; 0 if it had none. */
async function untilTaken(sql: Sql, { process }: ServerProcess, began: number): Promise<number> {
  const rows = await sql(
    "select lease from plangraph.runs where status = 'running' and owner like $1",
    [`% ${process.pid}`],
  );
  if (rows.length === 0) return 0;
  const leases = rows.map(({ lease }) => lease);
  const left = () => sql("select 1 from plangraph.runs where lease = any($1::uuid[])", [leases]);
  while ((await left()).length > 0) await sleep(50);
  return Date.now() - began;
}
