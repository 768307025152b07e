import { isAuthMatching } from "@langchain/langgraph-api/auth";
import type { Run } from "@langchain/langgraph-api/storage";
import { v7 as newId } from "@langchain/core/utils/uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { filterColumn } from "../../../src/server/postgres/auth-filter.js";
import { migrate } from "../../../src/server/postgres/schema.js";
import { databases, type OpenedDatabase, openStorage } from "../../support/ops.js";

type Storage = Awaited<ReturnType<typeof openStorage>>;
type Work = { readonly run: Run; readonly attempt: number; readonly signal: AbortSignal };

/** Takes runs as a worker's slot does; each is ended when the next is taken. */
function slotOf({ ops }: Storage) {
  const runs = ops.runs.next();
  return async (): Promise<Work> => {
    const { value } = await runs.next();
    if (value === undefined) throw new Error("No run.");
    return value;
  };
}

async function end({ ops }: Storage, run: Run): Promise<void> {
  await ops.runs.setStatus(run.run_id, "success");
  await ops.threads.setStatus(run.thread_id, {});
}

function checkpointOf(id: string) {
  return {
    v: 4,
    id,
    ts: new Date(0).toISOString(),
    channel_values: { x: id },
    channel_versions: { x: 1 },
    versions_seen: {},
  };
}

const metadata = { source: "loop", step: 1, parents: {} } as const;

describe.each(databases)("a database $name", ({ isSkipped, open }) => {
  if (isSkipped) {
    it.skip("is not there", () => {});
    return;
  }
  let opened: OpenedDatabase;
  let storage: Storage;
  beforeAll(async () => {
    opened = await open();
    storage = await openStorage(opened.database);
  }, 120_000);
  afterAll(async () => {
    storage.close();
    await opened.close();
  });

  const statusOf = async ({ run_id }: Run) =>
    (await storage.ops.runs.get(run_id, undefined, undefined))?.status;

  it("is migrated once", async () => {
    expect(await migrate(opened.database)).toBe(0);
    const others = await Promise.all([opened.another?.(), opened.another?.()]);
    const steps = await Promise.all(others.flatMap((each) => (each ? [migrate(each)] : [])));
    expect(steps.every((count) => count === 0)).toBe(true);
  });

  it("sees what LangGraph's own filters let see", async () => {
    const all = [
      {},
      { owner: "ann" },
      { owner: null },
      { owner: ["ann", "bob"] },
      { owner: ["bob"], tags: ["a"] },
      { owner: "ann", tags: ["a", "b"] },
      { owner: 1 },
    ];
    const filters = [
      undefined,
      {},
      { owner: "ann" },
      { owner: "bob" },
      { owner: { $eq: "ann" } },
      { owner: { $contains: "ann" } },
      { owner: { $contains: ["ann", "bob"] } },
      { owner: "ann", tags: { $contains: "b" } },
      { tags: { $contains: ["a", "b"] } },
    ];
    for (const each of all) {
      for (const filter of filters) {
        const [row] = await opened.database.query("select plangraph.may_see($1, $2) as sees", [
          JSON.stringify(each),
          filterColumn(filter),
        ]);
        expect([each, filter, row?.["sees"]]).toEqual([each, filter, isAuthMatching(each, filter)]);
      }
    }
  });

  it("lets nobody see what an unknown or empty filter is for", async () => {
    for (const filter of [{ owner: {} }, { owner: { $gt: "a" } }, { owner: { $eq: "" } }]) {
      const [row] = await opened.database.query("select plangraph.may_see($1, $2) as sees", [
        JSON.stringify({ owner: "ann" }),
        filterColumn(filter),
      ]);
      expect(row?.["sees"]).toBe(false);
    }
  });

  it("hands out each run once, one of a thread at a time, in order", async () => {
    const [first] = await storage.add();
    const onThread = { threadId: first?.thread_id ?? "", multitaskStrategy: "enqueue" } as const;
    const [second] = await storage.add(onThread);
    const [third] = await storage.add(onThread);
    const [elsewhere] = await storage.add();
    const slots = [slotOf(storage), slotOf(storage), slotOf(storage)];
    const [one, two] = await Promise.all(slots.slice(0, 2).map((take) => take()));
    expect([one?.run.run_id, two?.run.run_id]).toEqual([first?.run_id, elsewhere?.run_id]);
    const taking = slots[2]?.();
    if (one === undefined || two === undefined) throw new Error("Two runs were expected.");
    await end(storage, two.run);
    await end(storage, one.run);
    const next = await taking;
    expect(next?.run.run_id).toBe(second?.run_id);
    expect(await Promise.all([first, second, third].map((run) => run && statusOf(run)))).toEqual([
      "success",
      "running",
      "pending",
    ]);
    if (next !== undefined) await end(storage, next.run);
    const last = await slots[0]?.();
    expect(last?.run.run_id).toBe(third?.run_id);
    if (last !== undefined) await end(storage, last.run);
  });

  it("prefers runs of a higher priority, and those that have waited longer", async () => {
    const [plain] = await storage.add();
    const [urgent] = await storage.add({ metadata: { priority: 10 } });
    const [old] = await storage.add();
    await opened.database.query(
      "update plangraph.runs set rank = rank - interval '1 hour' where run_id = $1",
      [old?.run_id],
    );
    const take = slotOf(storage);
    const order = [];
    for (let at = 0; at < 3; at += 1) {
      const { run } = await take();
      order.push(run.run_id);
      await end(storage, run);
    }
    expect(order).toEqual([old?.run_id, urgent?.run_id, plain?.run_id]);
  });

  it("lets one of two runs in that come at once and refuse each other", async () => {
    const thread = await storage.ops.threads.put(newId(), { if_exists: "raise" }, undefined);
    const options = {
      threadId: thread.thread_id,
      multitaskStrategy: "reject",
      preventInsertInInflight: true,
    } as const;
    const all = await Promise.all(Array.from({ length: 6 }, () => storage.add(options)));
    expect(new Set(all.map(([run]) => run?.run_id)).size).toBe(1);
    const runs = await storage.ops.runs.search(thread.thread_id, {}, undefined);
    expect(runs.map(({ status }) => status)).toEqual(["pending"]);
    await storage.ops.runs.cancel(thread.thread_id, [runs[0]?.run_id ?? ""], {}, undefined);
    expect((await storage.ops.threads.get(thread.thread_id, undefined)).status).toBe("idle");
  });

  it("refuses writes of a run that another worker has, and those that no run makes beside it", async () => {
    const [added] = await storage.add();
    const take = slotOf(storage);
    const { run } = await take();
    expect(run.run_id).toBe(added?.run_id);
    const config = { configurable: { ...run.kwargs.config?.configurable, checkpoint_ns: "" } };
    const { checkpointer } = storage;
    await checkpointer.put(config, checkpointOf("1"), metadata, { x: 1 });
    const at = { configurable: { ...config.configurable, checkpoint_id: "1" } };
    await checkpointer.putWrites(at, [["x", "kept"]], "task-1");
    const unleased = { configurable: { thread_id: run.thread_id, checkpoint_ns: "" } };
    const lost = "Another worker has the run: nothing was written.";
    await expect(checkpointer.put(unleased, checkpointOf("2"), metadata, { x: 1 })).rejects.toThrow(
      lost,
    );
    await opened.database.query(
      "update plangraph.runs set lease = gen_random_uuid() where run_id = $1",
      [run.run_id],
    );
    await expect(checkpointer.put(config, checkpointOf("3"), metadata, { x: 1 })).rejects.toThrow(
      lost,
    );
    await expect(checkpointer.putWrites(at, [["x", "late"]], "task-2")).rejects.toThrow(lost);
    const tuple = await checkpointer.getTuple(unleased);
    expect(tuple?.checkpoint.id).toBe("1");
    expect(tuple?.pendingWrites).toEqual([["task-1", "x", "kept"]]);
    // What the worker then says of the run is no longer its business.
    await end(storage, run);
    expect(await statusOf(run)).toBe("running");
    await opened.database.query(
      "update plangraph.runs set status = 'error', lease = null where run_id = $1",
      [run.run_id],
    );
    await checkpointer.put(unleased, checkpointOf("4"), metadata, { x: 1 });
    expect((await checkpointer.getTuple(unleased))?.checkpoint.id).toBe("4");
  });

  it("goes on from the record at the second attempt, and gives up where there never is one", async () => {
    const [added] = await storage.add();
    const expire = (id: string | undefined) =>
      opened.database.query(
        "update plangraph.runs set status = 'pending', lease = null where run_id = $1",
        [id],
      );
    // Each slot is a worker that dies: nothing is ended.
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const other = await openStorage(opened.database);
      const { run } = await slotOf(other)();
      other.close();
      expect([run.run_id, run.kwargs.input]).toEqual([added?.run_id, { n: 1 }]);
      if (attempt === 2) {
        const config = { configurable: { ...run.kwargs.config?.configurable, checkpoint_ns: "" } };
        await other.checkpointer.put(config, checkpointOf("1"), metadata, { x: 1 });
        await expire(added?.run_id);
        break;
      }
      await expire(added?.run_id);
    }
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const other = await openStorage(opened.database);
      const { run } = await slotOf(other)();
      other.close();
      expect([run.run_id, run.kwargs.input]).toEqual([added?.run_id, null]);
      await expire(added?.run_id);
    }
    const other = await openStorage(opened.database);
    void slotOf(other)();
    const events = [];
    const stream = other.ops.runs.stream.join(
      added?.run_id ?? "",
      added?.thread_id,
      { lastEventId: undefined },
      undefined,
    );
    for await (const { event, data } of stream) events.push({ event, data });
    other.close();
    expect(events).toEqual([
      {
        event: "error",
        data: {
          error: "Error",
          message:
            "Every one of the last 6 attempts ended with its worker before it had recorded anything.",
        },
      },
    ]);
    expect((await storage.ops.threads.get(added?.thread_id ?? "", undefined)).status).toBe("error");
  });

  it("streams a run's events to its end, and again from any of them", async () => {
    const [added] = await storage.add();
    const take = slotOf(storage);
    const { run } = await take();
    const read = async (lastEventId: string | undefined) => {
      const events = [];
      const stream = storage.ops.runs.stream.join(
        run.run_id,
        run.thread_id,
        { lastEventId },
        undefined,
      );
      for await (const event of stream) events.push(event);
      return events;
    };
    const following = read(undefined);
    for (const n of [1, 2, 3]) {
      const event = {
        runId: run.run_id,
        resumable: true,
        event: "values",
        data: { n, text: "\0" },
      };
      await storage.ops.runs.stream.publish(event);
    }
    await end(storage, run);
    const events = await following;
    expect(events.map(({ data }) => data)).toEqual([1, 2, 3].map((n) => ({ n, text: "\0" })));
    expect((await read(events[0]?.id)).map(({ id }) => id)).toEqual([events[1]?.id, events[2]?.id]);
    expect(await storage.ops.runs.wait(added?.run_id ?? "", undefined, undefined)).toEqual({
      n: 3,
      text: "\0",
    });
    // Nothing of a run that has ended comes after its end.
    await storage.ops.runs.stream.publish({
      runId: run.run_id,
      resumable: true,
      event: "values",
      data: 4,
    });
    expect(await read(events[2]?.id)).toEqual([]);
  });
});
