import type { RunnableConfig } from "@langchain/core/runnables";
import type { BaseCheckpointSaver, Checkpoint, CheckpointTuple } from "@langchain/langgraph";
import { z } from "zod";

import { isRecord } from "../../json/json.js";
import type { Database, Row } from "./database.js";
import { unpacked } from "./packed.js";

type Serde = BaseCheckpointSaver["serde"];
type CheckpointPendingWrite = NonNullable<CheckpointTuple["pendingWrites"]>[number];

/** Which checkpoints are read. */
type Wanted = {
  readonly thread: unknown;
  /** The graph in the thread's graph, as LangGraph names it; default: all. */
  readonly ns?: unknown;
  readonly id: unknown;
  readonly limit?: number | undefined;
  /** Only older ones than this. */
  readonly before?: RunnableConfig | undefined;
  /** Only those whose metadata have these fields. */
  readonly filter?: Readonly<Record<string, unknown>> | undefined;
};

/** Reads checkpoints, the newest first, each with its values and with what was written after it. */
export async function readStates(
  { query }: Pick<Database, "query">,
  serde: Serde,
  { thread, ns, id, limit, before, filter = {} }: Wanted,
): Promise<CheckpointTuple[]> {
  const olderThan: unknown = before?.configurable?.["checkpoint_id"];
  // The API takes any text for an id.
  if (![thread, id, olderThan].every((each) => each === undefined || isId(each))) return [];
  const rows = await query(readSql, [
    thread ?? null,
    ns ?? null,
    id ?? null,
    olderThan ?? null,
    JSON.stringify(filter),
    limit ?? null,
  ]);
  return Promise.all(rows.map((row) => tupleIn(row, serde)));
}

function isId(value: unknown): boolean {
  return z.guid().safeParse(value).success;
}

// What the run of a checkpoint says of itself is kept once, with the run.
const readSql = `select s.*, about.metadata, v.*, w.* from plangraph.states s
cross join lateral (
  select coalesce((select r.metadata from plangraph.runs r
    where r.thread_id = s.thread_id and r.run_id::text = s.metadata ->> 'run_id'), '{}') || s.metadata as metadata) about
cross join lateral (
  -- Of a channel with one version in several checkpoints, the first counts.
  select coalesce(array_agg(b.version order by b.checkpoint_id desc), '{}') as versions,
    coalesce(array_agg(b.data order by b.checkpoint_id desc), '{}') as value_data
  from plangraph.state_values b where b.thread_id = s.thread_id and b.ns = s.ns
    and b.version in (select value from json_each_text(s.checkpoint -> 'channel_versions'))) v
cross join lateral (
  select coalesce(array_agg(b.task_id), '{}') as tasks, coalesce(array_agg(b.data), '{}') as write_data
  from (select task_id, data from plangraph.state_writes b
    where b.thread_id = s.thread_id and b.ns = s.ns and b.checkpoint_id = s.checkpoint_id
    order by task_path collate "C", task_id, place) b) w
where ($1::uuid is null or s.thread_id = $1) and ($2::text is null or s.ns = $2)
  and ($3::uuid is null or s.checkpoint_id = $3) and ($4::uuid is null or s.checkpoint_id < $4)
  and about.metadata @> $5::jsonb
order by s.checkpoint_id desc limit $6`;

const StateRow = z.object({
  thread_id: z.string(),
  ns: z.string(),
  checkpoint_id: z.string(),
  parent_id: z.string().nullable(),
  checkpoint: z.custom<Omit<Checkpoint, "channel_values">>(isRecord),
  metadata: z.record(z.string(), z.unknown()),
  versions: z.array(z.string()),
  value_data: z.array(z.instanceof(Uint8Array)),
  tasks: z.array(z.string()),
  write_data: z.array(z.instanceof(Uint8Array)),
});

async function tupleIn(row: Row, serde: Serde): Promise<CheckpointTuple> {
  const { thread_id, ns, checkpoint_id: id, parent_id: parent, ...read } = StateRow.parse(row);
  const configOf = (checkpoint_id: string) => ({
    configurable: { thread_id, checkpoint_ns: ns, checkpoint_id },
  });
  const { channel_versions: versionOf } = read.checkpoint;
  const values = read.value_data.map((data, at) =>
    unpacked(serde, data, (channel) => String(versionOf[channel]) === read.versions[at]),
  );
  const writes = read.write_data.map(async (data, at) => {
    const task = read.tasks[at] ?? "";
    const all = await unpacked(serde, data);
    return all.map(([channel, value]): CheckpointPendingWrite => [task, channel, value]);
  });
  return {
    config: configOf(id),
    checkpoint: {
      ...read.checkpoint,
      channel_values: Object.fromEntries((await Promise.all(values)).flat()),
    },
    metadata: await serde.loadsTyped("json", JSON.stringify(read.metadata)),
    ...(parent !== null && { parentConfig: configOf(parent) }),
    pendingWrites: (await Promise.all(writes)).flat(),
  };
}
