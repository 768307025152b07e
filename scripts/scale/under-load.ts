import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { readEntries } from "../../test/support/crash-log.js";
import { crashQuestions } from "../../test/support/crash-scripts.js";
import { live, type Lived } from "./live.js";
import { judgeCalls, type Loss } from "./tried-calls.js";
import type { TrialParts } from "./trial.js";

const place = fileURLToPath(new URL("graphs.ts", import.meta.url));
const names = ["react", "rewoo", "compiler", "tasks"];

/** All graphs, which read and write. */
export const allGraphs = Object.fromEntries(names.map((name) => [name, `${place}:${name}`]));

/** How many runs are at work at the same time. */
const atOnce = 12;

/**
 * Keeps runs of all graphs going while `disturb` does what it does, and tells it in `losses`; then checks that each ended as
 * an undisturbed one, wrote once, and is still so a while later. Needs workers.
 */
export async function underLoad(
  { worked, sql, expect, leaseMs }: TrialParts,
  disturb: (losses: Loss[]) => Promise<void>,
): Promise<void> {
  const { client } = await worked.server();
  const whole = new Map<string, string>();
  for (const graph of names)
    whole.set(graph, (await live(client, graph, crashQuestions[0])).answer);
  const losses: Loss[] = [];
  const over = new AbortController();
  const lines = Array.from({ length: atOnce }, async (_, at) => {
    const all: Lived[] = [];
    for (let turn = at; !over.signal.aborted; turn += 1) {
      all.push(await live(client, names[turn % names.length] ?? "", crashQuestions[0]));
    }
    return all;
  });
  await disturb(losses).finally(() => over.abort());
  const lived = (await Promise.all(lines)).flat();
  // Whoever stood still has long known that it lost its runs.
  await sleep(leaseMs);
  const calls = judgeCalls(readEntries(worked.folder), losses, approvalsIn(lived));
  const later = await Promise.all(
    lived.map(async ({ thread, graph, status }) => {
      const { values, next } = await client.threads.getState<{ answer?: string }>(thread);
      const isWhole = !Array.isArray(values) && values.answer === whole.get(graph);
      return status === "success" && isWhole && next.length === 0;
    }),
  );
  const bad = lived.filter((_, at) => later[at] !== true);
  for (const each of bad) console.log(JSON.stringify(each));
  for (const each of calls.writesTwice) console.log(`twice: ${each}`);
  const [counted] = await sql(
    "select count(*) filter (where attempt > 1)::int as again from plangraph.runs",
  );
  expect("runs of 4 graphs", lived.length, (count) => count > 0);
  expect("of them taken over", Number(counted?.["again"]), () => true);
  expect("without an end, wound back, or with another answer", bad.length, (count) => count === 0);
  expect("writes made again unasked", calls.writesTwice.length, (count) => count === 0);
  expect("questions about writes in doubt", calls.asked, () => true);
  expect("calls", calls.calls, () => true);
  expect("of them made again that had ended", calls.repeated, () => true);
  expect("ms before the loss, at most, had these ended", calls.repeatedMs, (ms) => ms < 1_000);
}

function approvalsIn(lived: readonly Lived[]): ReadonlyMap<string, number> {
  const approvals = new Map<string, number>();
  for (const name of lived.flatMap(({ approved }) => approved)) {
    approvals.set(name, (approvals.get(name) ?? 0) + 1);
  }
  return approvals;
}
