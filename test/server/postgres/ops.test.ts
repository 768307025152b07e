import { isAuthMatching } from "@langchain/langgraph-api/auth";
import type { Run } from "@langchain/langgraph-api/storage";
import { v7 as newId } from "@langchain/core/utils/uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { filterColumn } from "../../../src/server/postgres/auth-filter.js";
import { HttpError } from "../../../src/server/postgres/http-error.js";
import { migrate } from "../../../src/server/postgres/migrate.js";
import {
  checkpointOf,
  databases,
  idOf,
  metadata,
  type OpenedDatabase,
  openStorage,
} from "../../support/ops.js";

const nothing = () => Promise.resolve();

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

/** Records one checkpoint of a run. */
function record({ checkpointer }: Storage, { kwargs }: Run) {
  const config = { configurable: { ...kwargs.config?.configurable, checkpoint_ns: "" } };
  return checkpointer.put(config, checkpointOf(1), metadata, { x: 1 });
}

describe.each(databases)("a database $name", ({ isSkipped, open }) => {
  describe.skipIf(isSkipped)("as storage", () => {
    let opened: OpenedDatabase;
    let storage: Storage;
    beforeAll(async () => {
      opened = await open();
      storage = await openStorage(opened.database);
    }, 120_000);
    afterAll(async () => {
      await storage.close();
      await opened.close();
    });

    const statusOf = async (runId: string) =>
      (await storage.ops.runs.get(runId, undefined, undefined))?.status;
    const newThread = () => storage.ops.threads.put(newId(), { if_exists: "raise" }, undefined);
    const startRun = async (options?: Parameters<typeof storage.add>[0]) => {
      const [run] = await storage.add(options);
      return run?.run_id ?? "";
    };

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
          expect([each, filter, row?.["sees"]]).toEqual([
            each,
            filter,
            isAuthMatching(each, filter),
          ]);
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
      const { thread_id: threadId } = await newThread();
      const onThread = { threadId, multitaskStrategy: "enqueue" } as const;
      const [first, second] = [await startRun(onThread), await startRun(onThread)];
      const [elsewhere, third] = [await startRun(), await startRun(onThread)];
      const [take, takeToo, takeThen] = [slotOf(storage), slotOf(storage), slotOf(storage)];
      const [one, two] = await Promise.all([take(), takeToo()]);
      expect([one.run.run_id, two.run.run_id]).toEqual([first, elsewhere]);
      const taking = takeThen();
      await end(storage, two.run);
      await end(storage, one.run);
      const { run } = await taking;
      expect(run.run_id).toBe(second);
      expect(await Promise.all([first, second, third].map(statusOf))).toEqual([
        "success",
        "running",
        "pending",
      ]);
      await end(storage, run);
      const last = await take();
      expect(last.run.run_id).toBe(third);
      await end(storage, last.run);
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
      const thread = await newThread();
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
      await checkpointer.put(config, checkpointOf(1), metadata, { x: 1 });
      const at = { configurable: { ...config.configurable, checkpoint_id: idOf(1) } };
      await checkpointer.putWrites(at, [["x", "kept"]], "task-1");
      const unleased = { configurable: { thread_id: run.thread_id, checkpoint_ns: "" } };
      const lost = "Another worker has the run: nothing was written.";
      await expect(checkpointer.put(unleased, checkpointOf(2), metadata, { x: 1 })).rejects.toThrow(
        lost,
      );
      await opened.database.query(
        "update plangraph.runs set lease = gen_random_uuid() where run_id = $1",
        [run.run_id],
      );
      await expect(checkpointer.put(config, checkpointOf(3), metadata, { x: 1 })).rejects.toThrow(
        lost,
      );
      await expect(checkpointer.putWrites(at, [["x", "late"]], "task-2")).rejects.toThrow(lost);
      const tuple = await checkpointer.getTuple(unleased);
      expect(tuple?.checkpoint.id).toBe(idOf(1));
      expect(tuple?.pendingWrites).toEqual([["task-1", "x", "kept"]]);
      const nowhere = { configurable: { ...unleased.configurable, checkpoint_id: "nonsense" } };
      expect(await checkpointer.getTuple(nowhere)).toBeUndefined();
      // What the worker then says of the run is no longer its business.
      await end(storage, run);
      expect(await statusOf(run.run_id)).toBe("running");
      await opened.database.query(
        "update plangraph.runs set status = 'error', lease = null where run_id = $1",
        [run.run_id],
      );
      await checkpointer.put(unleased, checkpointOf(4), metadata, { x: 1 });
      expect((await checkpointer.getTuple(unleased))?.checkpoint.id).toBe(idOf(4));
    });

    it("refuses runs when many wait", async () => {
      const first = await Promise.all(Array.from({ length: 100 }, () => startRun()));
      const refusal = await storage.add().catch((error: unknown) => error);
      const response = refusal instanceof HttpError ? refusal.getResponse() : undefined;
      expect([response?.status, response?.headers.get("retry-after")]).toEqual([429, "10"]);
      expect(await response?.text()).toBe("100 runs wait already. Try again later.");
      await storage.ops.runs.cancel(undefined, first, {}, undefined);
      const next = await startRun();
      expect(await storage.ops.runs.delete(next, undefined, undefined)).toBe(next);
    });

    /** Takes a run as a worker does that dies: nothing is ended. */
    const takenByDying = async (work: (storage: Storage, run: Run) => Promise<unknown>) => {
      const dying = await openStorage(opened.database);
      const { run } = await slotOf(dying)();
      await dying.close();
      await work(dying, run);
      await opened.database.query(
        "update plangraph.runs set status = 'pending', lease = null where run_id = $1",
        [run.run_id],
      );
      return { runId: run.run_id, input: run.kwargs.input };
    };

    it("goes on from the record once there is one", async () => {
      const runId = await startRun();
      expect(await takenByDying(nothing)).toEqual({ runId, input: { n: 1 } });
      expect(await takenByDying(record)).toEqual({ runId, input: { n: 1 } });
      expect(await takenByDying(nothing)).toEqual({ runId, input: null });
      const { run } = await slotOf(storage)();
      expect(run.kwargs.input).toBeNull();
      await end(storage, run);
    });

    it("gives up a run whose workers end before there is a record", async () => {
      const [run] = await storage.add();
      const { run_id: runId = "", thread_id: thread = "" } = run ?? {};
      for (let attempt = 1; attempt <= 5; attempt += 1) {
        expect(await takenByDying(nothing)).toEqual({ runId, input: { n: 1 } });
      }
      const last = await openStorage(opened.database);
      void slotOf(last)();
      expect(await storage.ops.runs.wait(runId, thread, undefined)).toEqual({
        __error__: {
          error: "Error",
          message:
            "Every one of the last 6 attempts ended with its worker before it had recorded anything.",
        },
      });
      await last.close();
      expect(await statusOf(runId)).toBe("error");
      expect((await storage.ops.threads.get(thread, undefined)).status).toBe("error");
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
      expect((await read(events[0]?.id)).map(({ id }) => id)).toEqual([
        events[1]?.id,
        events[2]?.id,
      ]);
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
});
