// Trials of many processes on one Postgres, with scripted models. `npm run scale -- cron 60`: two servers, three workers and a schedule
// for every second, for 60 seconds. Ends with 1 where what is promised does not hold.
import { setTimeout as sleep } from "node:timers/promises";

import { startPostgres, whyNoPostgres } from "../test/support/postgres.js";
import { question } from "../test/support/served.js";
import { openWorked, type Worked } from "../test/support/worked.js";

type Trial = (worked: Worked, amount: number) => Promise<boolean>;

/** Every second has its run, and none has two. */
const cron: Trial = async (worked, seconds) => {
  const [server] = await Promise.all([
    worked.server(),
    worked.server(),
    ...Array.from({ length: 3 }, () => worked.worker()),
  ]);
  const { crons, threads } = server.client;
  const metadata = { trial: "cron" };
  const { cron_id: id } = await crons.create("worker", {
    schedule: "* * * * * *",
    input: question("Is anybody there?"),
    metadata,
    onRunCompleted: "keep",
  });
  await sleep(seconds * 1_000);
  await crons.delete(id);
  const found = await threads.search({ metadata, limit: 1_000 });
  const slots = found.map(({ created_at: at }) => Math.floor(Date.parse(at) / 1_000));
  const late = found.map(({ created_at: at }) => Date.parse(at) % 1_000);
  const twice = slots.length - new Set(slots).size;
  console.log(
    `${seconds} seconds, 2 servers, 3 workers: ${slots.length} runs, ${twice} seconds with two, at most ${Math.max(...late)} ms late`,
  );
  return twice === 0 && Math.abs(slots.length - seconds) <= 1;
};

const trials: ReadonlyMap<string, Trial> = new Map([["cron", cron]]);

const [name = "", amount = "60"] = process.argv.slice(2);
const trial = trials.get(name);
const missing = whyNoPostgres();
if (trial === undefined || !(Number(amount) > 0) || missing !== undefined) {
  console.error(
    missing ?? `Expected one of ${[...trials.keys()].join(", ")}, and a number from 1.`,
  );
  process.exit(2);
}
const postgres = await startPostgres();
const worked = await openWorked({ database: postgres.url, leaseMs: 15_000 });
try {
  if (!(await trial(worked, Number(amount)))) process.exitCode = 1;
} finally {
  await worked.close();
  await postgres.stop();
}
