import { randomInt } from "node:crypto";

import type { RunnableConfig } from "@langchain/core/runnables";
import type { BaseCheckpointSaver } from "@langchain/langgraph";

import { addTo, timed } from "./metrics.js";
import type { Database } from "./postgres/database.js";
import { withoutRefused } from "./postgres/json-column.js";
import { loadSaver, schema } from "./postgres/schema.js";

/** Where a run's config has its lease. LangGraph keeps names that begin so out of what it records and shows. */
export const leaseKey = "__plangraph_lease";

/** The run of a write has another worker: control flow, never an outcome. */
class LeaseLost extends Error {
  constructor() {
    super("Another worker has the run: nothing was written.");
    this.name = "LeaseLost";
  }
}

/**
 * LangGraph's checkpointer, with one statement for each checkpoint and for the writes of each task. A run writes while
 * it holds its lease; who has none, while nobody works on the thread. `lost` hears of leases whose runs must end here.
 */
export async function openSaver(
  database: Database,
  lost: (lease: string) => void,
): Promise<BaseCheckpointSaver> {
  const { PostgresSaver } = await loadSaver();
  // A database that fails says nothing of the run: it goes on from its record when the lease is over.
  const guarded = async <Result>(config: RunnableConfig, work: () => Promise<Result>) => {
    try {
      return await work();
    } catch (error) {
      const lease: unknown = config.configurable?.[leaseKey];
      if (typeof lease === "string") lost(lease);
      throw error;
    }
  };
  const fenced: Fenced = (sql, config, values) =>
    guarded(config, async () => {
      const { thread_id: thread, [leaseKey]: lease } = config.configurable ?? {};
      const rows = await timed("plangraph_checkpoint_seconds_total", () =>
        database.query(sql, [lease ?? null, thread, ...values]),
      );
      addTo("plangraph_checkpoints_total");
      if (rows.length === 0) throw new LeaseLost();
    });

  class LeasedSaver extends PostgresSaver {
    /** A fork's versions are others than those of what it left, whose values are kept under their version. */
    override getNextVersion(current: number | undefined): number {
      return Math.floor(current ?? 0) + 1 + randomInt(1, 1e9) / 1e9;
    }

    override getTuple(config: RunnableConfig) {
      return guarded(config, () => super.getTuple(config));
    }

    override put(...put: Put) {
      return writeCheckpoint(fenced, this.serde, put);
    }

    override putWrites(...writes: PutWrites) {
      return writeTask(fenced, this.serde, writes);
    }
  }
  return new LeasedSaver(database.pool, undefined, { schema });
}

type SerializerProtocol = BaseCheckpointSaver["serde"];

/** The places of what a task has one of, as LangGraph's checkpointers number them. */
const places: ReadonlyMap<string, number> = new Map([
  ["__error__", -1],
  ["__scheduled__", -2],
  ["__interrupt__", -3],
  ["__resume__", -4],
]);

type Fenced = (sql: string, config: RunnableConfig, values: readonly unknown[]) => Promise<void>;
type Put = Parameters<BaseCheckpointSaver["put"]>;
type PutWrites = Parameters<BaseCheckpointSaver["putWrites"]>;

async function writeCheckpoint(
  fenced: Fenced,
  serde: SerializerProtocol,
  [config, checkpoint, metadata, versions]: Put,
): Promise<RunnableConfig> {
  const { thread_id, checkpoint_ns: ns = "", checkpoint_id } = config.configurable ?? {};
  const { channel_values: channels, ...rest } = checkpoint;
  const blobs = Object.entries(versions).map(async ([channel, version]) => {
    const value: unknown = channels[channel];
    const [type, bytes] = channel in channels ? await serde.dumpsTyped(value) : ["empty", null];
    return [channel, String(version), type, bytes];
  });
  const [, about] = await serde.dumpsTyped({ ...metadata, ...runIn(config) });
  await fenced(putSql, config, [
    ns,
    checkpoint.id,
    checkpoint_id ?? null,
    rest,
    withoutRefused(new TextDecoder().decode(about)),
    ...columnsOf(await Promise.all(blobs), 4),
  ]);
  return { configurable: { thread_id, checkpoint_ns: ns, checkpoint_id: checkpoint.id } };
}

async function writeTask(
  fenced: Fenced,
  serde: SerializerProtocol,
  [config, writes, taskId]: PutWrites,
): Promise<void> {
  const { checkpoint_ns: ns = "", checkpoint_id } = config.configurable ?? {};
  const rows = writes.map(async ([channel, value], at) => {
    const [type, bytes] = await serde.dumpsTyped(value);
    return [places.get(channel) ?? at, channel, type, bytes];
  });
  // Errors, interrupts and answers have places of their own, and are replaced.
  const isReplacing = writes.every(([channel]) => places.has(channel));
  const columns = columnsOf(await Promise.all(rows), 4);
  const sql = isReplacing ? replaceWritesSql : addWritesSql;
  await fenced(sql, config, [ns, checkpoint_id, taskId, ...columns]);
}

/** The run that wrote a checkpoint: deleting it deletes what it wrote. */
function runIn({ configurable }: RunnableConfig): { readonly run_id?: string } {
  const id: unknown = configurable?.["run_id"];
  return typeof id === "string" ? { run_id: id } : {};
}

/** The rows as one list a column. */
function columnsOf(rows: readonly (readonly unknown[])[], count: number): readonly unknown[][] {
  return Array.from({ length: count }, (_, at) => rows.map((row) => row[at] ?? null));
}

// Whoever takes the lease waits for the lock: what was written under the lease is there when another reads the thread.
const fence = `fence as materialized (
  select 1 from plangraph.runs where $1::uuid is not null and thread_id = $2::uuid and lease = $1 for share),
held as (
  select 1 from fence union all
  select 1 where $1::uuid is null and not exists (
    select 1 from plangraph.runs where thread_id = $2::uuid and status = 'running'))`;

const putSql = `with ${fence},
blobs as (
  insert into plangraph.checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
  select $2::text, $3, b.* from held, unnest($8::text[], $9::text[], $10::text[], $11::bytea[]) b
  on conflict do nothing)
insert into plangraph.checkpoints
  (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)
select $2::text, $3, $4, $5, $6, $7 from held
on conflict (thread_id, checkpoint_ns, checkpoint_id)
do update set checkpoint = excluded.checkpoint, metadata = excluded.metadata
returning 1`;

const writesSql = (conflict: string) => `with ${fence},
writes as (
  insert into plangraph.checkpoint_writes
    (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob)
  select $2::text, $3, $4, $5, w.* from held,
    unnest($6::int[], $7::text[], $8::text[], $9::bytea[]) w
  on conflict (thread_id, checkpoint_ns, checkpoint_id, task_id, idx) ${conflict})
select 1 from held`;

const addWritesSql = writesSql("do nothing");
const replaceWritesSql = writesSql(
  "do update set channel = excluded.channel, type = excluded.type, blob = excluded.blob",
);
