import { setTimeout as sleep } from "node:timers/promises";

import { question } from "../../test/support/served.js";
import { approvalOf } from "../../test/support/worked.js";
import { inParallel, type Sql, type Trial } from "./trial.js";

/** Many approvals wait for days, and hold nothing; then all processes are new, and every one is answered. */
export const days: Trial = async ({ worked, sql, expect, leaseMs }, count) => {
  const server = await worked.server();
  const workers = await Promise.all([worked.worker(), worked.worker()]);
  await sleep(2 * leaseMs);
  const idle = await connections(sql);
  const threads = await inParallel(20, count, async () => {
    const { thread_id: thread } = await server.client.threads.create();
    await server.client.runs.wait(thread, "worker", { input: question(`refund ${thread}`) });
    return thread;
  });
  // Connections of a pool that nobody uses are closed after ten seconds.
  await sleep(11_000);
  const [held] = await sql(
    "select count(lease)::int as leases, count(*) filter (where status in ('pending', 'running'))::int as runs from plangraph.runs",
  );
  expect("approvals wait", count, () => true);
  expect("leases", Number(held?.["leases"]), (leases) => leases === 0);
  expect("runs that wait or work", Number(held?.["runs"]), (runs) => runs === 0);
  expect("connections more than before", (await connections(sql)) - idle, (more) => more <= 0);
  await Promise.all([server, ...workers].map((each) => each.stop()));
  for (const [table, columns] of dated) {
    const moved = columns.map((column) => `${column} = ${column} - interval '3 days'`).join(", ");
    await sql(`update plangraph.${table} set ${moved}`);
  }
  const { client } = await worked.server();
  await Promise.all([worked.worker(), worked.worker()]);
  await inParallel(20, count, async (at) => {
    const thread = threads[at] ?? "";
    await client.runs.wait(thread, "worker", approvalOf(await client.threads.get(thread)));
  });
  const refunds = (await worked.calls()).filter((call) => call.startsWith("refund "));
  expect("refunds after three days", refunds.length, (all) => all === count);
  expect("of them different", new Set(refunds).size, (all) => all === count);
};

const dated: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ["threads", ["created_at", "updated_at"]],
  ["runs", ["created_at", "updated_at", "not_before", "rank"]],
  ["run_events", ["created_at"]],
];

async function connections(sql: Sql): Promise<number> {
  const [row] = await sql(
    "select count(*)::int as connections from pg_stat_activity where backend_type = 'client backend'",
  );
  return Number(row?.["connections"]);
}
