import { setTimeout as sleep } from "node:timers/promises";

import type { RunnableConfig } from "@langchain/core/runnables";
import type { Run } from "@langchain/langgraph-api/storage";
import { z } from "zod";

import { addTo } from "../metrics.js";
import type { WebhookCall } from "../webhooks.js";
import type { Database, Query } from "./database.js";
import { deleteThreads, undoRun } from "./delete-threads.js";
import { leaseKey } from "./record.js";
import { runColumns, runOf } from "./rows.js";
import { tellEnd, webhookOf } from "./tell-end.js";

/** Channels of the database's messages. */
export const channels = {
  waiting: "plangraph_waiting",
  cancel: "plangraph_cancel",
  provider: "plangraph_provider",
  events: "plangraph_events",
} as const;

/** A run that this process works on. */
export type Held = {
  readonly runId: string;
  readonly threadId: string;
  readonly graphId: string;
  readonly lease: string;
  /** Its place in the order of runs, in milliseconds: the lower, the earlier its turn. */
  readonly rank: number;
  /** Its thread goes when it ends. */
  readonly isTemporary: boolean;
  /** Its values are streamed to this process alone: nobody asked for them. */
  readonly hidesValues: boolean;
  /** The last values of a run without a record. */
  values?: unknown;
  /** Who is told of the end, and what of the run. */
  readonly webhook: WebhookCall | undefined;
  /** Aborts the run; nobody but this file calls it. */
  readonly controller: AbortController;
  /** Since when it has waited for its provider, in milliseconds since the epoch; undefined: it works. */
  waitsSince?: number | undefined;
  /** Another worker has it, or may have: nothing of it counts any more. */
  isLost: boolean;
  /** How it ended, once it has; kept until its thread is told, too. */
  status?: "error" | "success" | "timeout" | "interrupted";
};

/** A run that begins. */
type HeldRun = Pick<
  Held,
  "runId" | "threadId" | "graphId" | "lease" | "rank" | "isTemporary" | "hidesValues" | "webhook"
>;

/** The runs that a process works on, and the leases that it renews. */
export type Leases = {
  readonly hold: (run: HeldRun) => Held;
  /** The run with this lease, or by its own or its thread's id. */
  readonly withLease: (lease: string) => Held | undefined;
  readonly ofRun: (runId: string) => Held | undefined;
  readonly ofThread: (threadId: string) => Held | undefined;
  readonly all: () => readonly Held[];
  /** Whether a config is of a run without a thread, of which nothing is recorded. */
  readonly isTemporary: (config: RunnableConfig) => boolean;
  readonly release: (held: Held) => void;
  readonly lose: (held: Held) => void;
  /** Milliseconds since the last renewal that succeeded. */
  readonly silentMs: () => number;
  /** Waits for the runs to end, then gives the rest back: other workers go on with them at once. */
  readonly drain: (ms: number) => Promise<void>;
  readonly close: () => void;
};

/** Starts to renew leases, three times in the time that one lasts. */
export function openLeases(database: Database, leaseMs: number): Leases {
  const held = new Map<string, Held>();
  const find = (is: (each: Held) => boolean) => [...held.values()].find(is);
  const beats = startBeats(() => beat(database, [...held.values()], leaseMs), leaseMs / 3);
  database.listen(channels.cancel, (runId) => {
    find((each) => each.runId === runId && !each.isLost)?.controller.abort("interrupt");
  });
  return {
    hold: (run) => {
      const each: Held = { ...run, controller: new AbortController(), isLost: false };
      held.set(each.lease, each);
      return each;
    },
    withLease: (lease) => held.get(lease),
    ofRun: (runId) => find((each) => each.runId === runId),
    ofThread: (threadId) => find((each) => each.threadId === threadId),
    all: () => [...held.values()],
    isTemporary: ({ configurable }) => held.get(configurable?.[leaseKey])?.isTemporary === true,
    release: ({ lease }) => void held.delete(lease),
    lose,
    silentMs: beats.silentMs,
    drain: async (ms) => {
      const until = Date.now() + ms;
      while (held.size > 0 && Date.now() < until) await sleep(20);
      // One that has ended is being recorded.
      const rest = [...held.values()].filter(({ status }) => status === undefined);
      await giveBack(
        database,
        rest.map(({ lease }) => lease),
      );
      rest.forEach(lose);
    },
    close: beats.stop,
  };
}

function lose(held: Held): void {
  if (!held.isLost) addTo("plangraph_leases_lost_total");
  held.isLost = true;
  // LangGraph's worker takes this reason quietly; what it then says of the run is dropped.
  held.controller.abort("interrupt");
}

/** Calls `beat` again and again, never twice at the same time. */
function startBeats(beatOnce: () => Promise<void>, everyMs: number) {
  let beatAt = Date.now();
  let isBeating = false;
  const timer = setInterval(() => {
    if (isBeating) return;
    isBeating = true;
    void beatOnce()
      .then(() => {
        beatAt = Date.now();
        return undefined;
      })
      // A database that is away for a moment is asked again; the fence holds meanwhile.
      .catch(() => {})
      .finally(() => {
        isBeating = false;
      });
  }, Math.ceil(everyMs));
  return {
    silentMs: () => Date.now() - beatAt,
    stop: () => {
      clearInterval(timer);
    },
  };
}

/** Renews what is held and gives back what other processes let expire. */
async function beat(database: Database, held: readonly Held[], leaseMs: number): Promise<void> {
  // What is claimed while the statement runs is none of its business.
  const mine = held.filter(({ isLost, status }) => !isLost && status === undefined);
  const { kept, cancelled } = await renew(database, mine, leaseMs);
  for (const each of mine) {
    if (!kept.has(each.lease) && each.status === undefined) lose(each);
    else if (cancelled.has(each.lease)) each.controller.abort("interrupt");
  }
  await reap(database);
}

const Renewed = z.array(z.object({ lease: z.string(), cancel: z.string().nullable() }));

async function renew({ query }: Database, held: readonly Held[], leaseMs: number) {
  if (held.length === 0) {
    // The statement is sent all the same: it shows whether the database answers.
    await query("select 1");
    return { kept: new Set<string>(), cancelled: new Set<string>() };
  }
  const rows = await query(
    `update plangraph.runs set lease_until = now() + $2 * interval '1 millisecond'
     where lease = any($1::uuid[]) and status = 'running' returning lease, cancel`,
    [held.map(({ lease }) => lease), leaseMs],
  );
  const renewed = Renewed.parse(rows);
  return {
    kept: new Set(renewed.map(({ lease }) => lease)),
    cancelled: new Set(renewed.filter(({ cancel }) => cancel !== null).map(({ lease }) => lease)),
  };
}

const taken = "lease = null, lease_until = null, owner = null, updated_at = now()";

/** Lets go of the runs whose worker is gone. */
async function reap(database: Database): Promise<void> {
  await letGo(database, "lease_until < now()", []);
}

/** Lets go of runs whose leases are still held: other workers go on with them at once. */
export async function giveBack(database: Database, leases: readonly string[]): Promise<void> {
  if (leases.length > 0) await letGo(database, "lease = any($1::uuid[])", [leases]);
}

/** Makes runs wait for another worker; those that were to be cancelled have ended. */
async function letGo(database: Database, which: string, values: readonly unknown[]): Promise<void> {
  const { query, transaction, notify } = database;
  const rows = await query(
    `update plangraph.runs set ${taken}, status = 'pending'
     where status = 'running' and cancel is null and ${which} returning run_id`,
    values,
  );
  const cancelled = await query(
    `select run_id from plangraph.runs
     where status = 'running' and cancel is not null and ${which}`,
    values,
  );
  for (const { run_id: runId } of cancelled) {
    const run = await transaction((within) => endCancelled(within, runId, which, values));
    if (run !== undefined) tellEnd(webhookOf(run), { status: "interrupted" });
  }
  if (rows.length + cancelled.length > 0) await notify(channels.waiting, "");
}

const Cancelled = z.object({
  thread_id: z.string(),
  cancel: z.string(),
  mark: z.string().nullable(),
  is_temporary: z.boolean(),
});

/** Ends a cancelled run that nobody works on any more, as its worker would have; returns it, unless it is none. */
async function endCancelled(
  query: Query,
  runId: unknown,
  which: string,
  values: readonly unknown[],
): Promise<Run | undefined> {
  const [row] = await query(
    `update plangraph.runs set ${taken}, status = 'interrupted'
     where status = 'running' and ${which} and run_id = $${values.length + 1}
     returning ${runColumns}, cancel, mark, coalesce(kwargs ->> 'temporary', '') = 'true' as is_temporary`,
    [...values, runId],
  );
  if (row === undefined) return undefined;
  const run = runOf(row);
  const { thread_id: threadId, cancel, mark, is_temporary: isTemporary } = Cancelled.parse(row);
  if (isTemporary) {
    await deleteThreads(query, [threadId], { keepEvents: true });
    return run;
  }
  if (cancel === "rollback") {
    await undoRun(query, { runId, threadId, mark: mark ?? "" });
  }
  await query(
    `update plangraph.threads t set status = 'idle', updated_at = now()
     where thread_id = $1 and status = 'busy' and not exists (select 1 from plangraph.runs r
       where r.thread_id = t.thread_id and r.status in ('pending', 'running'))`,
    [threadId],
  );
  return run;
}
