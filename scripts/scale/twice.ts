import type { Client } from "@langchain/langgraph-sdk";

import { until } from "../../test/support/dev-server.js";
import { question } from "../../test/support/served.js";
import { approvalOf } from "../../test/support/worked.js";
import { inParallel, type Trial } from "./trial.js";

/** Every input, approval and cancellation arrives twice, at two servers: each takes effect once. */
export const twice: Trial = async ({ worked, expect }, count) => {
  const [{ client }, { client: other }] = await Promise.all([worked.server(), worked.server()]);
  await Promise.all([worked.worker(), worked.worker()]);
  const both = (send: (to: Client) => Promise<unknown>) =>
    Promise.allSettled([send(client), send(other)]);
  let refused = 0;
  const keep = (all: readonly PromiseSettledResult<unknown>[]) => {
    refused += all.filter(({ status }) => status === "rejected").length;
  };
  await inParallel(5, count, async () => {
    const { thread_id: paying } = await client.threads.create();
    const pay = { input: question(`pay ${paying}`) };
    keep(await both((to) => to.runs.wait(paying, "worker", pay)));

    const { thread_id: refunding } = await client.threads.create();
    const refund = { input: question(`refund ${refunding}`) };
    keep(await both((to) => to.runs.wait(refunding, "worker", refund)));
    const approval = approvalOf(await client.threads.get(refunding));
    keep(await both((to) => to.runs.wait(refunding, "worker", approval)));
    // Late, when the thread has ended.
    keep(await Promise.allSettled([client.runs.wait(refunding, "worker", approval)]));

    const { thread_id: cancelled } = await client.threads.create();
    const { run_id: run } = await client.runs.create(cancelled, "worker", {
      input: question(`pay ${cancelled}`),
    });
    await until(async () => (await worked.calls()).some((call) => call.includes(cancelled)), 30);
    await both((to) => to.runs.cancel(cancelled, run, true));
    await until(async () => (await client.runs.get(cancelled, run)).status === "interrupted", 30);
  });
  const calls = await worked.calls();
  const writes = calls.filter((call) => /^(?:pay|refund) /.test(call));
  expect("threads of each kind", count, () => true);
  expect("requests refused", refused, (all) => all >= 3 * count);
  expect("writes", writes.length, (all) => all === 2 * count);
  expect("of them different", new Set(writes).size, (all) => all === 2 * count);
};
