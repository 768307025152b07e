import type { RunKwargs } from "@langchain/langgraph-api/storage";
import { v7 as newId } from "@langchain/core/utils/uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { filterColumn } from "../../../src/server/postgres/auth-filter.js";
import { forgetThreads } from "../../../src/server/postgres/forget.js";
import { giveBack } from "../../../src/server/postgres/lease.js";
import { pruneThreads } from "../../../src/server/postgres/prune.js";
import {
  checkpointOf,
  databases,
  idOf,
  metadata,
  type OpenedDatabase,
  openStorage,
} from "../../support/ops.js";

// What a run leaves behind that was cancelled, lost, or begun elsewhere than at the end of its thread.
describe.each(databases)("a database $name", ({ isSkipped, open }) => {
  describe.skipIf(isSkipped)("as storage", () => {
    let opened: OpenedDatabase;
    let storage: Awaited<ReturnType<typeof openStorage>>;
    beforeAll(async () => {
      opened = await open();
      storage = await openStorage(opened.database);
    }, 120_000);
    afterAll(async () => {
      await storage.close();
      await opened.close();
    });

    const newThread = async () => {
      const made = await storage.ops.threads.put(newId(), { if_exists: "raise" }, undefined);
      return made.thread_id;
    };
    const add = async (threadId: string | undefined, kwargs: RunKwargs = { input: { n: 1 } }) => {
      const [run] = await storage.add(threadId === undefined ? {} : { threadId }, kwargs);
      if (run === undefined) throw new Error("It was not added.");
      return run;
    };
    const take = async () => {
      // Left open: a slot that is closed gives its run back.
      const { value } = await storage.ops.runs.next()[Symbol.asyncIterator]().next();
      if (value === undefined) throw new Error("There is no run.");
      return value.run;
    };
    const put = (config: object | undefined, at: number) => {
      const configurable = { ...Reflect.get(config ?? {}, "configurable"), checkpoint_ns: "" };
      return storage.checkpointer.put({ configurable }, checkpointOf(at), metadata, { x: at });
    };
    const newest = async (threadId: string) => {
      const at = { configurable: { thread_id: threadId, checkpoint_ns: "" } };
      return (await storage.checkpointer.getTuple(at))?.checkpoint.id;
    };
    const leaseOf = (runId: string) => storage.leases.ofRun(runId)?.lease ?? "";
    const cancel = (thread: string, run: string, action: "interrupt" | "rollback" = "interrupt") =>
      storage.ops.runs.cancel(thread, [run], { action }, undefined);

    it("lets nobody see by a filter without a value", async () => {
      for (const filters of [
        { tenant: undefined },
        { tenant: null },
        { owner: "ann", tenant: undefined },
        { tenant: { $eq: undefined } },
      ]) {
        const [row] = await opened.database.query("select plangraph.may_see($1, $2) as may_see", [
          JSON.stringify({ owner: "ann" }),
          filterColumn(filters),
        ]);
        expect([filters, row?.["may_see"]]).toEqual([filters, false]);
      }
    });

    it("takes nobody's word for who they are", async () => {
      const thread = await newThread();
      const configurable = {
        langgraph_auth_user: { identity: "ann" },
        langgraph_auth_user_id: "ann",
        langgraph_auth_permissions: ["all"],
        note: "kept",
      };
      const run = await add(thread, { input: { n: 1 }, config: { configurable } });
      expect(run.kwargs.config?.configurable).toMatchObject({ note: "kept" });
      const { config } = await storage.ops.threads.get(thread, undefined);
      for (const given of [run.kwargs.config?.configurable, config?.configurable]) {
        expect(Object.keys(given ?? {}).filter((name) => name.includes("auth"))).toEqual([]);
      }
      await cancel(thread, run.run_id);
    });

    it("begins at the end of a thread, whatever an earlier run began at", async () => {
      const thread = await newThread();
      const fork = {
        configurable: { checkpoint_id: idOf(1), checkpoint_ns: "", checkpoint_map: {} },
      };
      const first = await add(thread, { input: { n: 1 }, config: fork });
      expect(first.kwargs.config?.configurable).toMatchObject({ checkpoint_id: idOf(1) });
      await cancel(thread, first.run_id);
      const next = await add(thread);
      expect(next.kwargs.config?.configurable).not.toHaveProperty("checkpoint_id");
      expect(next.kwargs.config?.configurable).not.toHaveProperty("checkpoint_map");
      await cancel(thread, next.run_id);
    });

    it("rolls back what a cancelled run had written whose worker is gone", async () => {
      const thread = await newThread();
      await put({ configurable: { thread_id: thread } }, 1);
      const { run_id: runId } = await add(thread);
      const run = await take();
      await put(run.kwargs.config, 2);
      await cancel(thread, runId, "rollback");
      await giveBack(opened.database, [leaseOf(runId)]);
      expect(await newest(thread)).toBe(idOf(1));
      expect(await storage.ops.runs.get(runId, thread, undefined)).toBeNull();
      expect((await storage.ops.threads.get(thread, undefined)).status).toBe("idle");
    });

    it("ends a cancelled run whose worker gives it back, and keeps what it had come to", async () => {
      const thread = await newThread();
      const { run_id: runId } = await add(thread);
      const run = await take();
      await put(run.kwargs.config, 1);
      await cancel(thread, runId);
      await giveBack(opened.database, [leaseOf(runId)]);
      expect((await storage.ops.runs.get(runId, thread, undefined))?.status).toBe("interrupted");
      expect(await newest(thread)).toBe(idOf(1));
    });

    it("leaves nothing of a cancelled run without a thread whose worker is gone", async () => {
      const { run_id: runId, thread_id: thread } = await add(undefined, {
        input: { n: 1 },
        temporary: true,
      });
      await take();
      await cancel(thread, runId);
      await giveBack(opened.database, [leaseOf(runId)]);
      const left = await opened.database.query(
        "select 1 from plangraph.threads where thread_id = $1",
        [thread],
      );
      expect(left).toEqual([]);
    });

    it("leaves nothing of a run without a thread that was cancelled while it waited", async () => {
      const { run_id: runId, thread_id: thread } = await add(undefined, {
        input: { n: 1 },
        temporary: true,
      });
      await cancel(thread, runId);
      await expect(storage.ops.threads.get(thread, undefined)).rejects.toThrow("not found");
      expect(await storage.ops.runs.wait(runId, undefined, undefined)).toBeNull();
    });

    describe("lets nobody read what was said by a run", () => {
      const say = async (kwargs?: RunKwargs) => {
        const { run_id: runId } = await add(undefined, kwargs);
        const run = await take();
        const event = { runId, resumable: true, event: "values", data: { said: 1 } };
        await storage.ops.runs.stream.publish(event);
        return run;
      };
      const end = async (run: Awaited<ReturnType<typeof say>>) => {
        await storage.ops.runs.setStatus(run.run_id, "success");
        if (run.kwargs.temporary === true) {
          await storage.ops.threads.delete(run.thread_id, undefined);
        } else await storage.ops.threads.setStatus(run.thread_id, {});
      };
      const heard = ({ run_id: runId }: { readonly run_id: string }) =>
        storage.ops.runs.wait(runId, undefined, undefined);

      it("that was deleted, or whose thread was", async () => {
        const runs = [await say(), await say()];
        for (const run of runs) {
          await end(run);
          expect(await heard(run)).toEqual({ said: 1 });
        }
        const [one, other] = runs;
        await storage.ops.runs.delete(one?.run_id ?? "", undefined, undefined);
        await storage.ops.threads.delete(other?.thread_id ?? "", undefined);
        expect(await Promise.all(runs.map(heard))).toEqual([null, null]);
      });

      it("that was rolled back", async () => {
        const run = await say();
        await cancel(run.thread_id, run.run_id, "rollback");
        await storage.ops.runs.setStatus(run.run_id, "interrupted");
        await storage.ops.threads.setStatus(run.thread_id, {});
        expect(await heard(run)).toBeNull();
      });

      it("without a thread, once its user or its thread was forgotten", async () => {
        for (const isUser of [true, false]) {
          const config = { configurable: { user_id: "ann" } };
          const kwargs = { input: { n: 1 }, temporary: true, config };
          const run = await say({ ...kwargs, stream_mode: ["values"] });
          await end(run);
          expect(await heard(run)).toEqual({ said: 1 });
          await forgetThreads(opened.database, { user: "bob" });
          expect(await heard(run)).toEqual({ said: 1 });
          const whose = isUser ? { user: "ann" } : { thread: run.thread_id };
          await forgetThreads(opened.database, whose);
          expect(await heard(run)).toBeNull();
        }
      });
    });

    it("still asks what it asked when the answer is called off before it is taken", async () => {
      const thread = await newThread();
      const asked = { task: [{ id: "i", value: {} }] };
      await opened.database.query(
        "update plangraph.threads set status = 'interrupted', interrupts = $2 where thread_id = $1",
        [thread, JSON.stringify(asked)],
      );
      const run = await add(thread, { command: { resume: {} } });
      await cancel(thread, run.run_id);
      expect(await storage.ops.threads.get(thread, undefined)).toMatchObject({
        status: "interrupted",
        interrupts: asked,
      });
    });

    it("prunes nothing of a thread on which a run has begun, or begins at a checkpoint of it", async () => {
      for (const isBegun of [true, false]) {
        const thread = await newThread();
        for (const at of [1, 2, 3]) await put({ configurable: { thread_id: thread } }, at);
        const fork = { configurable: { checkpoint_id: idOf(1) } };
        const { run_id: runId } = await add(thread, {
          input: { n: 1 },
          ...(isBegun ? {} : { config: fork }),
        });
        if (isBegun) {
          await take();
          await giveBack(opened.database, [leaseOf(runId)]);
        }
        const rules = { keep: 1, threadId: thread };
        expect(await pruneThreads(opened.database, rules)).toMatchObject({ busy: 1, removed: 0 });
        await cancel(thread, runId);
        expect(await pruneThreads(opened.database, rules)).toMatchObject({ busy: 0, removed: 2 });
      }
    });

    it("forgets the schedules of a user, and of nobody else", async () => {
      const cron = (user: string) =>
        opened.database.query(
          `insert into plangraph.crons (cron_id, assistant_id, schedule, on_run_completed, enabled,
             payload, metadata, user_id, next_run_date)
           values ($1, $2, '0 0 1 1 *', 'delete', true, '{}', $3, $4, now() + interval '1 year')`,
          [newId(), storage.assistant, JSON.stringify({ owner: user }), user],
        );
      await cron("ann");
      await cron("bob");
      await forgetThreads(opened.database, { user: "ann" });
      const left = await opened.database.query("select user_id from plangraph.crons");
      expect(left).toEqual([{ user_id: "bob" }]);
    });

    it("keeps the events of a run that ends while its database is away, and reads on after it", async () => {
      let isAway = true;
      const query: typeof opened.database.query = (sql, values) =>
        isAway && sql.includes("run_events")
          ? Promise.reject(new Error("The database is away."))
          : opened.database.query(sql, values);
      const flaky = await openStorage({ ...opened.database, query });
      const { run_id: runId, thread_id: thread } = await add(undefined);
      const { value } = await flaky.ops.runs.next()[Symbol.asyncIterator]().next();
      expect(value?.run.run_id).toBe(runId);
      await flaky.ops.runs.stream.publish({
        runId,
        resumable: true,
        event: "values",
        data: { n: 1 },
      });
      const heard = flaky.ops.runs.wait(runId, undefined, undefined);
      await flaky.ops.runs.setStatus(runId, "success");
      setTimeout(() => {
        isAway = false;
      }, 1_200);
      await flaky.ops.threads.setStatus(thread, {});
      expect(await heard).toEqual({ n: 1 });
      expect(await storage.ops.runs.wait(runId, undefined, undefined)).toEqual({ n: 1 });
      await flaky.close();
    });

    it("lets runs in beside many that begin later", async () => {
      const later = await Promise.all(
        Array.from({ length: 100 }, () => storage.add({ afterSeconds: 3_600 })),
      );
      const run = await add(undefined);
      expect(run.status).toBe("pending");
      const ids = [run, ...later.flat()].map(({ run_id: id }) => id);
      await storage.ops.runs.cancel(undefined, ids, {}, undefined);
    });
  });
});
