import { v7 as newId } from "@langchain/core/utils/uuid";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import {
  checkpointOf,
  databases,
  idOf,
  loginOf,
  metadata,
  type OpenedDatabase,
  openStorage,
  setHandlers,
} from "../../support/ops.js";

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

    it("copies a thread with its states, and what was written after them", async () => {
      const { thread_id: from } = await storage.ops.threads.put(
        newId(),
        { if_exists: "raise" },
        undefined,
      );
      const config = { configurable: { thread_id: from, checkpoint_ns: "" } };
      const { checkpointer } = storage;
      const at = await checkpointer.put(config, checkpointOf(1), metadata, { x: 1 });
      await checkpointer.putWrites(at, [["x", "written"]], "task");
      const { thread_id: to } = await storage.ops.threads.copy(from, undefined);
      const [one, other] = await Promise.all(
        [from, to].map((id) => checkpointer.getTuple({ configurable: { thread_id: id } })),
      );
      expect(to).not.toBe(from);
      expect(other).toEqual({
        ...one,
        config: { configurable: { ...at.configurable, thread_id: to } },
      });
      expect(other?.pendingWrites).toEqual([["task", "x", "written"]]);
    });

    it("copies what a thread asks and has come to, for whoever copies it", async () => {
      await setHandlers({
        "threads:create": ({ value, user }) => {
          value["metadata"] = { ...Object(value["metadata"]), owner: user.identity };
          return true;
        },
      });
      const { ops } = storage;
      const run = (threadId: string) =>
        ops.runs.put(
          newId(),
          storage.assistant,
          { config: { configurable: { note: "kept" } } },
          { threadId },
          loginOf("ann"),
        );
      const made = async () => {
        const options = { if_exists: "raise", metadata: { kind: "report" } } as const;
        const { thread_id: id } = await ops.threads.put(newId(), options, loginOf("ann"));
        return id;
      };
      const paused = await made();
      await run(paused);
      const asked = { task: [{ id: "i", value: {} }] };
      const usage = { usage: { tokensIn: 5 }, run: { id: "r" } };
      await opened.database.query(
        `update plangraph.threads set status = 'interrupted', interrupts = $2, "values" = $3
         where thread_id = $1`,
        [paused, JSON.stringify(asked), JSON.stringify(usage)],
      );
      const busy = await made();
      await run(busy);
      const { thread_id: id } = await ops.threads.copy(paused, loginOf("bob"));
      const copied = await ops.threads.get(id, undefined);
      expect(copied).toMatchObject({
        status: "interrupted",
        interrupts: asked,
        values: usage,
        metadata: { thread_id: id, kind: "report", owner: "bob" },
      });
      expect(copied.config?.configurable).toEqual({
        note: "kept",
        langgraph_auth_user: loginOf("bob").user,
        langgraph_auth_user_id: "bob",
        langgraph_auth_permissions: [],
      });
      const other = await ops.threads.copy(busy, undefined);
      expect(other).toMatchObject({ status: "idle", metadata: { owner: "ann" } });
      expect(other.config?.configurable).toMatchObject({ langgraph_auth_user_id: "ann" });
    });

    it("keeps what is recorded at the same time: the first list of a task, and the last of all else", async () => {
      const { thread_id } = await storage.ops.threads.put(
        newId(),
        { if_exists: "raise" },
        undefined,
      );
      const config = { configurable: { thread_id, checkpoint_ns: "" } };
      const { checkpointer } = storage;
      const at = { configurable: { ...config.configurable, checkpoint_id: idOf(1) } };
      await Promise.all([
        checkpointer.putWrites(at, [["x", "first"]], "task", "b"),
        checkpointer.putWrites(at, [["x", "second"]], "task", "b"),
        checkpointer.putWrites(at, [["__resume__", "first"]], "task", "b"),
        checkpointer.putWrites(at, [["__resume__", "second"]], "task", "b"),
        checkpointer.putWrites(at, [["x", "earlier in the graph"]], "other", "a"),
        checkpointer.put(config, checkpointOf(1), { ...metadata, step: 1 }, { x: 1 }),
        checkpointer.put(config, checkpointOf(1), { ...metadata, step: 2 }, { x: 1 }),
      ]);
      await checkpointer.putWrites(at, [["x", "late"]], "task", "b");
      await checkpointer.putWrites(at, [["__resume__", "last"]], "task", "b");
      const tuple = await checkpointer.getTuple(config);
      expect(tuple?.metadata?.step).toBe(2);
      expect(tuple?.checkpoint.channel_values).toEqual({ x: idOf(1) });
      expect(tuple?.pendingWrites).toEqual([
        ["other", "x", "earlier in the graph"],
        ["task", "__resume__", "last"],
        ["task", "x", "first"],
      ]);
    });

    it("refuses what cannot be recorded, and keeps what comes after it", async () => {
      const { thread_id } = await storage.ops.threads.put(
        newId(),
        { if_exists: "raise" },
        undefined,
      );
      const { checkpointer } = storage;
      const at = { configurable: { thread_id, checkpoint_ns: "", checkpoint_id: idOf(1) } };
      const unheard = vi.fn<(reason: unknown) => void>();
      process.once("unhandledRejection", unheard);
      const failure = new Error("This has no JSON.");
      vi.spyOn(checkpointer.serde, "dumpsTyped").mockRejectedValueOnce(failure);
      await expect(checkpointer.putWrites(at, [["x", "lost"]], "task")).rejects.toThrow(failure);
      const config = { configurable: { thread_id, checkpoint_ns: "" } };
      await checkpointer.put(config, checkpointOf(1), metadata, { x: 1 });
      await checkpointer.putWrites(at, [["x", "written"]], "task");
      const tuple = await checkpointer.getTuple(config);
      expect(tuple?.pendingWrites).toEqual([["task", "x", "written"]]);
      process.off("unhandledRejection", unheard);
      expect(unheard).not.toHaveBeenCalled();
    });

    it("changes an assistant as its next version", async () => {
      const { assistants } = storage.ops;
      const id = newId();
      const about = { graph_id: "worker", name: "mine", metadata: { a: 1 } };
      const made = { ...about, config: {}, context: {}, if_exists: "raise" } as const;
      await assistants.put(id, made, undefined);
      const changed = { name: "yours", metadata: { b: 2 } };
      expect(await assistants.patch(id, changed, undefined)).toMatchObject({
        graph_id: "worker",
        name: "yours",
        version: 2,
        metadata: { a: 1, b: 2 },
        config: {},
      });
      expect(await assistants.patch(id, { config: { tags: ["x"] } }, undefined)).toMatchObject({
        name: "yours",
        version: 3,
        config: { tags: ["x"] },
      });
    });
  });
});
