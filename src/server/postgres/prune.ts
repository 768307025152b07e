import { z } from "zod";

import { type KeptCheckpoint, oldestKept } from "../../run/old-checkpoints.js";
import type { Database, Query } from "./database.js";

/** What stays in a database. */
export type PruneRules = {
  /** How many checkpoints of each thread and of each graph inside it, from 1. */
  readonly keep: number;
  /** Only threads to which nothing has happened for so long, in milliseconds; default: all. */
  readonly olderThanMs?: number | undefined;
  /** Only this thread; default: all. */
  readonly threadId?: string | undefined;
};

/** What pruning did. `busy` are threads that it left alone because a run works on them. */
export type PrunedDatabase = {
  readonly threads: number;
  readonly removed: number;
  readonly kept: number;
  readonly busy: number;
};

/**
 * Removes old checkpoints with their writes and values, thread by thread, and records of ended runs but each thread's
 * last one. What a paused or unfinished run needs stays.
 */
export async function pruneThreads(database: Database, rules: PruneRules): Promise<PrunedDatabase> {
  const { olderThanMs = 0, threadId } = rules;
  const rows = await database.query(
    `select thread_id from plangraph.threads
     where updated_at <= now() - $1 * interval '1 millisecond' and ($2::uuid is null or thread_id = $2)
     order by thread_id`,
    [olderThanMs, threadId ?? null],
  );
  const total = { threads: 0, removed: 0, kept: 0, busy: 0 };
  for (const row of rows) {
    const { thread_id: id } = z.object({ thread_id: z.string() }).parse(row);
    const pruned = await database.transaction((query) => pruneThread(query, id, rules.keep));
    if (pruned === undefined) {
      total.busy += 1;
      continue;
    }
    total.threads += 1;
    total.removed += pruned.removed;
    total.kept += pruned.kept;
  }
  return total;
}

/**
 * Prunes a thread that stands still; undefined for one that a run works on, or will go on with from where it was. The locks let
 * none begin meanwhile.
 */
async function pruneThread(query: Query, threadId: string, keep: number) {
  const [free] = await query(
    "select 1 from plangraph.threads where thread_id = $1 for update skip locked",
    [threadId],
  );
  if (free === undefined) return undefined;
  const open = await query(
    `select status, mark is not null
       or kwargs #>> '{config,configurable,checkpoint_id}' is not null as is_begun
     from plangraph.runs where thread_id = $1 and status in ('pending', 'running') for update`,
    [threadId],
  );
  if (open.some((run) => run["status"] === "running" || run["is_begun"] === true)) return undefined;
  const checkpoints = await checkpointsOf(query, threadId);
  const oldest = oldestKept(checkpoints, keep);
  for (const [namespace, id] of oldest) await removeBefore(query, [threadId, namespace, id]);
  await removeUnused(query, threadId);
  await query(
    `delete from plangraph.runs r where thread_id = $1 and status not in ('pending', 'running')
       and exists (select 1 from plangraph.runs later where later.thread_id = r.thread_id
         and (later.created_at, later.run_id) > (r.created_at, r.run_id))`,
    [threadId],
  );
  const kept = checkpoints.filter(({ namespace, id }) => id >= (oldest.get(namespace) ?? ""));
  return { removed: checkpoints.length - kept.length, kept: kept.length };
}

const CheckpointRow = z.object({
  namespace: z.string(),
  id: z.string(),
  parents: z.record(z.string(), z.string()).nullable().catch(null),
  counters: z.record(z.string(), z.unknown()).nullable().catch(null),
});

async function checkpointsOf(query: Query, threadId: string): Promise<KeptCheckpoint[]> {
  const rows = await query(
    `select ns as namespace, checkpoint_id as id, metadata -> 'parents' as parents,
       metadata -> 'counters_since_delta_snapshot' as counters
     from plangraph.states where thread_id = $1`,
    [threadId],
  );
  return rows.map((row) => {
    const { namespace, id, parents, counters } = CheckpointRow.parse(row);
    const isDelta = Object.keys(counters ?? {}).length > 0;
    return { namespace, id, parents: parents ?? {}, isDelta };
  });
}

async function removeBefore(query: Query, before: readonly string[]): Promise<void> {
  for (const table of ["states", "state_writes"]) {
    await query(
      `delete from plangraph.${table} where thread_id = $1 and ns = $2 and checkpoint_id < $3`,
      before,
    );
  }
}

/** Removes the values that no checkpoint has any more. */
async function removeUnused(query: Query, threadId: string): Promise<void> {
  await query(
    `delete from plangraph.state_values v where thread_id = $1 and not exists (
       select 1 from plangraph.states s, json_each_text(s.checkpoint -> 'channel_versions') at
       where s.thread_id = v.thread_id and s.ns = v.ns and at.value = v.version)`,
    [threadId],
  );
}
