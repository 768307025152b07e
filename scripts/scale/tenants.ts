import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Client } from "@langchain/langgraph-sdk";

import { attemptsOn, refusal } from "../../test/support/foreign-attempts.js";
import {
  bundledPlace,
  clientWith,
  type ServerProcess,
  startServerProcess,
} from "../../test/support/plangraph-server.js";
import { question } from "../../test/support/served.js";
import { approvalOf } from "../../test/support/worked.js";
import { inParallel, type Trial, type TrialParts } from "./trial.js";

/** So many users, each with a thread that waits for approval, try everything on another's thread, at another server. */
export const tenants: Trial = async (parts, count) => {
  const [first, second] = await startServers(parts);
  const { worked, expect } = parts;
  await Promise.all([worked.worker(), worked.worker()]);
  try {
    const owned = await inParallel(8, count, (user) => ownedBy(clientAt(first, user)));
    const ends = await inParallel(8, count, (user) =>
      triedBy(clientAt(second, user), owned[(user + 1) % count]),
    );
    const truncated = await truncate(first);
    const statuses = await inParallel(8, count, (user) =>
      finished(clientAt(second, user), owned[user]),
    );
    const refunds = (await worked.calls()).filter((call) => call.startsWith("refund "));
    const done = ends.flat().filter((end) => !refusal.test(end));
    expect("users, at two servers with two workers", count, () => true);
    expect("attempts on another's thread", ends.flat().length, (all) => all >= 18 * count);
    expect("of them not refused", done.length, (all) => all === 0);
    expect("the status of /internal/truncate", truncated, (status) => status >= 400);
    expect("refunds", refunds.length, (all) => all === count);
    expect("of them different", new Set(refunds).size, (all) => all === count);
    const idle = statuses.filter((status) => status === "idle");
    expect("threads that ended", idle.length, (all) => all === count);
  } finally {
    await Promise.all([first.kill(), second.kill()]);
  }
};

async function startServers({ worked, postgres }: TrialParts) {
  const config = join(worked.folder, "langgraph.json");
  const graphs = { worker: await bundledPlace("worked-graphs.ts", "worker") };
  const auth = { path: await bundledPlace("tenants-auth.ts", "auth") };
  await writeFile(config, JSON.stringify({ graphs, auth, env: worked.environment }));
  const start = () =>
    startServerProcess({ kind: "server", database: postgres.url, cwd: worked.folder, config });
  return Promise.all([start(), start()]);
}

function clientAt({ url }: ServerProcess, user: number): Client {
  return clientWith(url, `user${user}`);
}

type Owned = { readonly thread: string; readonly ended: string; readonly open: string };

/** A thread that waits for approval, with a run that comes later. */
async function ownedBy(client: Client): Promise<Owned> {
  const { thread_id: thread } = await client.threads.create();
  await client.runs.wait(thread, "worker", { input: question(`refund ${thread}`) });
  const [ended] = await client.runs.list(thread);
  const later = { input: question("later"), afterSeconds: 3_600 };
  const { run_id: open } = await client.runs.create(thread, "worker", later);
  return { thread, ended: ended?.run_id ?? "", open };
}

/** What comes of everything that a user tries on another's thread. */
async function triedBy(client: Client, owned: Owned | undefined): Promise<readonly string[]> {
  if (owned === undefined) return [];
  const ends: string[] = [];
  for (const attempt of Object.values(attemptsOn(client, owned))) {
    ends.push(await attempt().then(() => "done", String));
  }
  const seen = await client.threads.search({ limit: 1_000 });
  return seen.length === 1 ? ends : [...ends, `saw ${seen.length} threads`];
}

async function truncate({ url }: ServerProcess): Promise<number> {
  const { status } = await fetch(`${url}/internal/truncate`, {
    method: "POST",
    headers: { authorization: "Bearer user0", "content-type": "application/json" },
    body: JSON.stringify({ runs: true, threads: true, checkpointer: true, store: true }),
  });
  return status;
}

/** How a user's own thread stands once its refund is approved. */
async function finished(client: Client, owned: Owned | undefined): Promise<string> {
  const { thread = "", open = "" } = owned ?? {};
  await client.runs.cancel(thread, open);
  await client.runs.wait(thread, "worker", approvalOf(await client.threads.get(thread)));
  return (await client.threads.get(thread)).status;
}
