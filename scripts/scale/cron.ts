import { setTimeout as sleep } from "node:timers/promises";

import { question } from "../../test/support/served.js";
import type { Trial } from "./trial.js";

/** Two servers, three workers and a schedule for every second: every second has its run, and none has two. */
export const cron: Trial = async ({ worked, expect }, seconds) => {
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
  expect("runs", slots.length, (runs) => Math.abs(runs - seconds) <= 1);
  expect("seconds with two", slots.length - new Set(slots).size, (twice) => twice === 0);
  expect("ms late at most", Math.max(...late), (ms) => ms < 1_000);
};
