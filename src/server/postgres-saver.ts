import { randomInt } from "node:crypto";

import type { RunnableConfig } from "@langchain/core/runnables";
import { BaseCheckpointSaver } from "@langchain/langgraph";

import { defined } from "../json/json.js";
import type { Database } from "./postgres/database.js";
import { deleteStates } from "./postgres/delete-threads.js";
import { withoutRefused } from "./postgres/json-column.js";
import { packed } from "./postgres/packed.js";
import { readStates } from "./postgres/read-states.js";
import { leaseKey, openRecorder, placeOf } from "./postgres/record.js";

type Put = Parameters<BaseCheckpointSaver["put"]>;
type PutWrites = Parameters<BaseCheckpointSaver["putWrites"]>;
type ListOptions = NonNullable<Parameters<BaseCheckpointSaver["list"]>[1]>;

/**
 * LangGraph's checkpointer on the tables of the server: the interface is LangGraph's, and a step costs one statement. A
 * run writes while it holds its lease; who has none, while nobody works on the thread. `lost` hears of leases whose runs
 * must end here.
 */
export function openSaver(database: Database, lost: (lease: string) => void): BaseCheckpointSaver {
  return new LeasedSaver(database, lost);
}

class LeasedSaver extends BaseCheckpointSaver {
  readonly #database: Database;
  readonly #recorder: ReturnType<typeof openRecorder>;
  readonly #lost: (lease: string) => void;

  constructor(database: Database, lost: (lease: string) => void) {
    super();
    this.#database = database;
    this.#recorder = openRecorder(database);
    this.#lost = lost;
  }

  /** A fork's versions are others than those of what it left, whose values are kept under their version. */
  override getNextVersion(current: number | undefined): number {
    return Math.floor(current ?? 0) + 1 + randomInt(1, 1e9) / 1e9;
  }

  override async getTuple(config: RunnableConfig) {
    const wanted = { ns: "", ...placeIn(config), limit: 1 };
    if (wanted.thread === undefined) return undefined;
    const [found] = await this.#guarded(config, () =>
      readStates(this.#database, this.serde, wanted),
    );
    return found;
  }

  override async *list(config: RunnableConfig, options: ListOptions = {}) {
    yield* await readStates(this.#database, this.serde, { ...placeIn(config), ...options });
  }

  override async put(...put: Put) {
    const [config, { id }] = put;
    await this.#guarded(config, () => this.#recorder.state(config, this.#stateOf(put)));
    const { thread_id, checkpoint_ns = "" } = config.configurable ?? {};
    return { configurable: { thread_id, checkpoint_ns, checkpoint_id: id } };
  }

  override async putWrites(...[config, writes, taskId, taskPath = ""]: PutWrites) {
    const packing = distinct(writes.map(([channel]) => placeOf(channel))).map(async (place) => {
      const all = writes.filter(([channel]) => placeOf(channel) === place);
      return { taskId, taskPath, place, data: await packed(this.serde, all) };
    });
    if (packing.length === 0) return;
    await this.#guarded(config, () => this.#recorder.writes(config, Promise.all(packing)));
  }

  override async deleteThread(threadId: string): Promise<void> {
    await this.#database.transaction((query) => deleteStates(query, [threadId]));
  }

  async #stateOf([config, checkpoint, metadata, versions]: Put) {
    const { channel_values: values, ...rest } = checkpoint;
    const changed = Object.entries(versions).map(([channel, at]) => [channel, String(at)] as const);
    const packing = distinct(changed.map(([, version]) => version)).map(async (version) => {
      const kept = changed.filter(([channel, at]) => at === version && channel in values);
      const pairs = kept.map(([channel]) => [channel, values[channel]] as const);
      return [version, await packed(this.serde, pairs)] as const;
    });
    const [, about] = await this.serde.dumpsTyped({ ...metadata, ...writerIn(config) });
    return {
      checkpoint: rest,
      metadata: withoutRefused(new TextDecoder().decode(about)),
      values: await Promise.all(packing),
    };
  }

  /** A database that fails says nothing of the run: it goes on from its record when the lease is over. */
  async #guarded<Result>(config: RunnableConfig, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const lease: unknown = config.configurable?.[leaseKey];
      if (typeof lease === "string") this.#lost(lease);
      throw error;
    }
  }
}

function placeIn({ configurable }: RunnableConfig) {
  const { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id } = configurable ?? {};
  return { thread, id, ...(ns !== undefined && { ns }) };
}

/** The run that wrote a checkpoint: deleting it deletes what it wrote. Without a run somebody changed the state. */
function writerIn({ configurable }: RunnableConfig): Readonly<Record<string, unknown>> {
  const { run_id, graph_id } = configurable ?? {};
  return run_id === undefined ? defined({ graph_id }) : { run_id };
}

function distinct<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)];
}
