import type { RunnableConfig } from "@langchain/core/runnables";
import type { Checkpoint } from "@langchain/langgraph";

import { addTo, timed } from "../metrics.js";
import type { Database } from "./database.js";

/** Where a run's config has its lease. LangGraph keeps names that begin so out of what it records and shows. */
export const leaseKey = "__plangraph_lease";

/** The places of what a task has one of, as LangGraph's checkpointers number them. */
const places: ReadonlyMap<string, number> = new Map([
  ["__error__", -1],
  ["__scheduled__", -2],
  ["__interrupt__", -3],
  ["__resume__", -4],
]);

/** The place of a write in what its task wrote; 0 is the list of all others. */
export function placeOf(channel: string): number {
  return places.get(channel) ?? 0;
}

/** The run of a write has another worker: control flow, never an outcome. */
class LeaseLost extends Error {
  constructor() {
    super("Another worker has the run: nothing was written.");
    this.name = "LeaseLost";
  }
}

/** A checkpoint, with the values that changed, packed by their versions. */
type StoredState = {
  readonly checkpoint: Omit<Checkpoint, "channel_values">;
  readonly metadata: string;
  readonly values: readonly (readonly [version: string, data: Uint8Array])[];
};

/** What one task wrote, packed: its writes, at place 0, or one that it has but one of, below 0. */
type StoredWrites = {
  readonly taskId: string;
  readonly taskPath: string;
  readonly place: number;
  readonly data: Uint8Array;
};

/** Something to record, and the checkpoint that it comes after. */
type Item = { readonly after: string | null } & (
  { readonly state: StoredState } | { readonly writes: readonly StoredWrites[] }
);

/** Records what LangGraph hands over, in the order of the calls; one statement for all that comes at the same time. */
export type Recorder = {
  readonly state: (config: RunnableConfig, state: Promise<StoredState>) => Promise<void>;
  readonly writes: (
    config: RunnableConfig,
    writes: Promise<readonly StoredWrites[]>,
  ) => Promise<void>;
};

/** What is recorded together: of one run, in one graph of it. */
type Batch = { readonly items: Promise<Item>[]; readonly done: Promise<void> };

/**
 * Opens the recording of runs. A run records while it holds its lease; who has none, while nobody works on the thread.
 * What a step wrote and the checkpoint after it come together, and are recorded together.
 */
export function openRecorder({ query }: Pick<Database, "query">): Recorder {
  const open = new Map<string, Batch>();
  const last = new Map<string, Promise<void>>();
  const add = (config: RunnableConfig, item: Promise<Item>): Promise<void> => {
    const { thread_id: thread, checkpoint_ns: ns = "" } = config.configurable ?? {};
    const key = JSON.stringify([thread, ns, config.configurable?.[leaseKey]]);
    // It may fail before its batch is sent, which hears of it.
    item.catch(() => {});
    const waiting = open.get(key);
    if (waiting !== undefined) {
      waiting.items.push(item);
      return waiting.done;
    }
    const before = last.get(key);
    const items = [item];
    const send = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      open.delete(key);
      const ready = await Promise.all(items);
      await before?.catch(() => {});
      await record(query, config, ready);
    };
    const done = send().finally(() => {
      if (last.get(key) === done) last.delete(key);
    });
    open.set(key, { items, done });
    last.set(key, done);
    return done;
  };
  return {
    state: (config, state) =>
      add(
        config,
        state.then((ready) => ({ after: parentOf(config), state: ready })),
      ),
    writes: (config, writes) =>
      add(
        config,
        writes.then((ready) => ({ after: parentOf(config), writes: ready })),
      ),
  };
}

function parentOf({ configurable }: RunnableConfig): string | null {
  const parent: unknown = configurable?.["checkpoint_id"];
  return typeof parent === "string" ? parent : null;
}

async function record(
  query: Database["query"],
  { configurable = {} }: RunnableConfig,
  items: readonly Item[],
): Promise<void> {
  const { thread_id: thread, checkpoint_ns: ns = "", [leaseKey]: lease } = configurable;
  const rows = await timed("plangraph_checkpoint_seconds_total", () =>
    query(recordSql, [
      lease ?? null,
      thread,
      ns,
      ...columnsOf(stateRows(items), 4),
      ...columnsOf(valueRows(items), 3),
      ...columnsOf(writeRows(items), 5),
    ]),
  );
  addTo("plangraph_checkpoints_total");
  if (rows.length === 0) throw new LeaseLost();
}

type Cells = readonly unknown[];

/** A statement changes a row once: the last that is said of a checkpoint counts. */
function stateRows(items: readonly Item[]): readonly Cells[] {
  const rows = new Map<string, Cells>();
  for (const item of items) {
    if (!("state" in item)) continue;
    const { checkpoint, metadata } = item.state;
    rows.set(checkpoint.id, [checkpoint.id, item.after, JSON.stringify(checkpoint), metadata]);
  }
  return [...rows.values()];
}

function valueRows(items: readonly Item[]): readonly Cells[] {
  return items.flatMap((item) => {
    if (!("state" in item)) return [];
    const { checkpoint, values } = item.state;
    return values.map(([version, data]) => [version, checkpoint.id, data]);
  });
}

/** The first list of a task counts, and the last of what it has one of. */
function writeRows(items: readonly Item[]): readonly Cells[] {
  const rows = new Map<string, Cells>();
  for (const item of items) {
    if (!("writes" in item)) continue;
    for (const { taskId, taskPath, place, data } of item.writes) {
      const key = JSON.stringify([item.after, taskId, place]);
      if (place < 0 || !rows.has(key)) rows.set(key, [item.after, taskId, place, taskPath, data]);
    }
  }
  return [...rows.values()];
}

/** The rows as one list a column. */
function columnsOf(rows: readonly (readonly unknown[])[], count: number): readonly unknown[][] {
  return Array.from({ length: count }, (_, at) => rows.map((row) => row[at] ?? null));
}

// Whoever takes the lease waits for the lock: what was written under the lease is there when another reads the thread.
const recordSql = `with fence as materialized (
  select 1 from plangraph.runs where $1::uuid is not null and thread_id = $2::uuid and lease = $1 for share),
held as (
  select 1 from fence union all
  select 1 where $1::uuid is null and not exists (
    select 1 from plangraph.runs where thread_id = $2::uuid and status = 'running')),
states as (
  insert into plangraph.states (thread_id, ns, checkpoint_id, parent_id, checkpoint, metadata)
  select $2, $3, s.* from held, unnest($4::uuid[], $5::uuid[], $6::json[], $7::jsonb[]) s
  on conflict (thread_id, ns, checkpoint_id)
  do update set checkpoint = excluded.checkpoint, metadata = excluded.metadata),
vals as (
  insert into plangraph.state_values (thread_id, ns, version, checkpoint_id, data)
  select $2, $3, v.* from held, unnest($8::text[], $9::uuid[], $10::bytea[]) v
  on conflict do nothing),
writes as (
  insert into plangraph.state_writes as w (thread_id, ns, checkpoint_id, task_id, place, task_path, data)
  select $2, $3, u.* from held, unnest($11::uuid[], $12::text[], $13::int[], $14::text[], $15::bytea[]) u
  on conflict (thread_id, ns, checkpoint_id, task_id, place)
  do update set task_path = excluded.task_path, data = excluded.data where w.place < 0)
select 1 from held`;
