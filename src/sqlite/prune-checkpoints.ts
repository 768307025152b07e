import { setImmediate } from "node:timers/promises";

import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { checkNames } from "../run/check-names.js";

/** A SQLite database, as `better-sqlite3` and its kin open it. */
export type SqliteDatabase = {
  readonly exec: (sql: string) => unknown;
  readonly prepare: (sql: string) => {
    readonly all: (...values: string[]) => unknown[];
    readonly run: (...values: string[]) => unknown;
  };
};

/** What is to be left of the threads. */
export type PruneOptions = {
  /** How many checkpoints stay, of each thread and of each graph that ran inside it: 1 or more. */
  readonly keep: number;
  /** Only this thread; default: all. */
  readonly threadId?: string | undefined;
};

/** What pruning did. */
export type Pruned = { readonly threads: number; readonly removed: number; readonly kept: number };

/**
 * Removes old checkpoints, with the writes that belong to them, from the database of a `SqliteSaver`: the newest
 * `keep` stay, and with them all that a paused or unfinished run needs. A thread that a graph with delta
 * channels keeps is left whole. The file does not become smaller by itself: `saver.db.exec("VACUUM")`. Throws
 * `invalid_option` for a `keep` that is no whole number from 1, and what the database throws: `SQLITE_BUSY`
 * while another program writes.
 */
export async function pruneCheckpoints(
  { db }: { readonly db: SqliteDatabase },
  options: PruneOptions,
): Promise<Pruned> {
  checkNames("pruneCheckpoints", options, { keep: true, threadId: true });
  const { keep, threadId } = options;
  if (!Number.isInteger(keep) || keep < 1) {
    throw new PlangraphError("invalid_option", `keep must be a whole number from 1, got ${keep}.`);
  }
  const ids = threadId === undefined ? threadIds(db) : [threadId];
  const counts: Counts[] = [];
  for (const id of ids) {
    counts.push(pruneThread(db, id, keep));
    // Whoever else works in this program has a turn between two threads.
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

/** Prunes one thread, all of it or, where something goes wrong, nothing. */
function pruneThread(db: SqliteDatabase, threadId: string, keep: number): Counts {
  // From the start nobody else may write: what is read here is still so when it is removed.
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

/** What of a checkpoint's metadata says on which others it depends. */
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

/** The metadata; a serializer of the caller's own may have written something that is no JSON. */
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
  // Checkpoints of older versions of LangGraph find what was sent to nodes with the one before them.
  db.prepare(
    `DELETE FROM writes WHERE ${before} AND NOT (channel = '__pregel_tasks' AND checkpoint_id IN
     (SELECT parent_checkpoint_id FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ?))`,
  ).run(threadId, namespace, id, threadId, namespace);
}

/** A checkpoint of a thread, as far as pruning looks at it. */
export type KeptCheckpoint = {
  /** Empty for the thread itself; else that of a graph that ran inside it. */
  readonly namespace: string;
  /** In the order of time. */
  readonly id: string;
  /** The checkpoints that the surrounding graphs stood at, by namespace. */
  readonly parents: Readonly<Record<string, string>>;
  /** It holds changes only: to be read, it needs those before it. */
  readonly isDelta: boolean;
};

/** Behind every id. */
const afterAll = "\uffff";

/**
 * Finds, for each namespace of a thread, the id of the oldest checkpoint to keep: what is before it can go,
 * and all of a namespace that has an id behind every other. `keep` are kept of each. What ran inside a step is
 * kept as long as the checkpoint that the step began at: a pause or a crash is gone on with from there.
 */
export function oldestKept(
  checkpoints: readonly KeptCheckpoint[],
  keep: number,
): ReadonlyMap<string, string> {
  const oldest = new Map<string, string>();
  for (const [namespace, own] of byNamespace(checkpoints)) {
    const needed = own.filter(({ parents }) => isNeeded(namespace, parents, oldest));
    const ids = needed.map(({ id }) => id).toSorted();
    const first = needed.some(({ isDelta }) => isDelta) ? 0 : Math.max(0, ids.length - keep);
    oldest.set(namespace, ids[first] ?? afterAll);
  }
  return oldest;
}

/** The checkpoints by namespace, a surrounding one before those inside it. */
function byNamespace(checkpoints: readonly KeptCheckpoint[]): [string, KeptCheckpoint[]][] {
  const groups = new Map<string, KeptCheckpoint[]>();
  for (const checkpoint of checkpoints) {
    const group = groups.get(checkpoint.namespace) ?? [];
    groups.set(checkpoint.namespace, group);
    group.push(checkpoint);
  }
  return [...groups].toSorted(([left], [right]) => left.length - right.length);
}

/** Whether the checkpoint around this one is kept. A namespace without a task outlives runs; a graph without a checkpoint forbids nothing. */
function isNeeded(
  namespace: string,
  parents: KeptCheckpoint["parents"],
  oldest: ReadonlyMap<string, string>,
): boolean {
  if (!namespace.includes(":")) return true;
  return Object.entries(parents).every(([around, id]) => id >= (oldest.get(around) ?? ""));
}
