import { setImmediate } from "node:timers/promises";

import { z } from "zod";

import { checkNames, invalidOption } from "../run/check-names.js";
import { type KeptCheckpoint, oldestKept } from "../run/old-checkpoints.js";
import type { SqliteDatabase } from "./open-database.js";

/** The checkpoints to keep. */
export type PruneOptions = {
  /** How many checkpoints to keep of each thread and of each graph that ran inside it: 1 or more. */
  readonly keep: number;
  /** Only this thread; default: all. */
  readonly threadId?: string | undefined;
};

/** The result of pruning. */
export type Pruned = { readonly threads: number; readonly removed: number; readonly kept: number };

/**
 * Removes old checkpoints, with their writes, from the database of a `SqliteSaver`. The newest `keep` stay, with all
 * that a paused or unfinished run needs. A thread of a graph with delta channels is left whole. The file does not
 * shrink by itself: `saver.db.exec("VACUUM")`. Throws `invalid_option` for a `keep` that is not a whole number from 1,
 * and the errors of the database: `SQLITE_BUSY` while another program writes.
 */
export async function pruneCheckpoints(
  { db }: { readonly db: SqliteDatabase },
  options: PruneOptions,
): Promise<Pruned> {
  checkNames("pruneCheckpoints", options, { keep: true, threadId: true });
  const { keep, threadId } = options;
  if (!Number.isInteger(keep) || keep < 1) {
    throw invalidOption(`keep must be a whole number from 1, got ${keep}.`);
  }
  const ids = threadId === undefined ? threadIds(db) : [threadId];
  const counts: Counts[] = [];
  for (const id of ids) {
    counts.push(pruneThread(db, id, keep));
    // Other work of this process gets a turn between two threads.
    await setImmediate();
  }
  const found = counts.filter(({ removed, kept }) => removed + kept > 0);
  const sum = (field: keyof Counts) => found.reduce((total, count) => total + count[field], 0);
  return { threads: found.length, removed: sum("removed"), kept: sum("kept") };
}

type Counts = { readonly removed: number; readonly kept: number };

function threadIds(db: SqliteDatabase): string[] {
  const rows = db.prepare("SELECT DISTINCT thread_id AS id FROM checkpoints ORDER BY 1").all();
  return rows.map((row) => z.object({ id: z.string() }).parse(row).id);
}

/** Prunes one thread, completely or, after an error, not at all. */
function pruneThread(db: SqliteDatabase, threadId: string, keep: number): Counts {
  // The transaction locks out other writers from the start: the data read here are still current at the removal.
  db.exec("BEGIN IMMEDIATE");
  try {
    const checkpoints = checkpointsOf(db, threadId);
    const oldest = oldestKept(checkpoints, keep);
    for (const [namespace, id] of oldest) removeBefore(db, threadId, namespace, id);
    db.exec("COMMIT");
    const kept = checkpoints.filter(({ namespace, id }) => id >= (oldest.get(namespace) ?? ""));
    return { removed: checkpoints.length - kept.length, kept: kept.length };
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}

const Row = z.object({ namespace: z.string(), id: z.string(), metadata: z.string().nullable() });

/** The part of a checkpoint's metadata that names the checkpoints it depends on. */
const Metadata = z.object({
  parents: z.record(z.string(), z.string()).catch({}),
  counters_since_delta_snapshot: z.record(z.string(), z.unknown()).catch({}),
});

function checkpointsOf(db: SqliteDatabase, threadId: string): KeptCheckpoint[] {
  const rows = db.prepare(
    `SELECT checkpoint_ns AS namespace, checkpoint_id AS id, CAST(metadata AS TEXT) AS metadata
     FROM checkpoints WHERE thread_id = ?`,
  );
  return rows.all(threadId).map((row) => {
    const { namespace, id, metadata } = Row.parse(row);
    const { parents, counters_since_delta_snapshot: counters } = metadataIn(metadata);
    return { namespace, id, parents, isDelta: Object.keys(counters).length > 0 };
  });
}

/** The metadata; a caller's own serializer may have written something that is not JSON. */
function metadataIn(text: string | null): z.infer<typeof Metadata> {
  const none = { parents: {}, counters_since_delta_snapshot: {} };
  try {
    return Metadata.catch(none).parse(JSON.parse(text ?? "{}"));
  } catch {
    return none;
  }
}

function removeBefore(db: SqliteDatabase, threadId: string, namespace: string, id: string): void {
  const before = "thread_id = ? AND checkpoint_ns = ? AND checkpoint_id < ?";
  db.prepare(`DELETE FROM checkpoints WHERE ${before}`).run(threadId, namespace, id);
  // Older versions of LangGraph keep the messages sent to nodes with the checkpoint before.
  db.prepare(
    `DELETE FROM writes WHERE ${before} AND NOT (channel = '__pregel_tasks' AND checkpoint_id IN
     (SELECT parent_checkpoint_id FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ?))`,
  ).run(threadId, namespace, id, threadId, namespace);
}
