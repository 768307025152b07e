import { v7 as newId } from "@langchain/core/utils/uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { forgetItems, forgetThreads } from "../../../src/server/postgres/forget.js";
import { openStore } from "../../../src/server/postgres-store.js";
import { databases, loginOf, type OpenedDatabase, openStorage } from "../../support/ops.js";

describe.each(databases)("a database $name", ({ isSkipped, open }) => {
  describe.skipIf(isSkipped)("that forgets a user", () => {
    let opened: OpenedDatabase;
    let storage: Awaited<ReturnType<typeof openStorage>>;
    let store: Awaited<ReturnType<typeof openStore>>;
    beforeAll(async () => {
      opened = await open();
      storage = await openStorage(opened.database);
      store = await openStore(opened.database);
    }, 120_000);
    afterAll(async () => {
      await storage.close();
      await opened.close();
    });
    beforeEach(async () => {
      for (const table of ["threads", "assistants", "spent", "store"]) {
        await opened.database.query(`delete from plangraph.${table}`);
      }
    });

    const forget = async (whose: { readonly user: string; readonly tenant?: string }) => {
      await forgetItems(opened.database, whose);
      return forgetThreads(opened.database, whose);
    };
    const left = async (table: string, what: string) => {
      const rows = await opened.database.query(`select ${what} as it from plangraph.${table}`);
      return rows.map(({ it: one }) => String(one)).toSorted();
    };

    it("deletes the user's assistants with their runs, and nobody else's", async () => {
      const { ops } = storage;
      const make = async (metadata: object) => {
        const id = newId();
        const about = { metadata: { ...metadata }, config: {}, context: {} };
        await ops.assistants.put(
          id,
          { ...about, graph_id: "g", if_exists: "raise", name: JSON.stringify(metadata) },
          undefined,
        );
        await ops.runs.put(
          newId(),
          id,
          {},
          { metadata: { of: JSON.stringify(metadata) } },
          undefined,
        );
      };
      const all = [
        { owner: "ann" },
        { user_id: "ann" },
        { owner: "ann", tenant: "shop" },
        { owner: "bob" },
        { created_by: "system" },
      ];
      for (const metadata of all) await make(metadata);
      await forget({ user: "ann" });
      const names = all.slice(2).map((each) => JSON.stringify(each));
      expect(await left("assistants", "name")).toEqual(names.toSorted());
      expect(await left("runs", "metadata ->> 'of'")).toEqual(names.toSorted());
      await forget({ user: "ann", tenant: "shop" });
      expect(await left("assistants", "name")).toHaveLength(2);
    });

    it("deletes the user's items in the store, and nobody else's", async () => {
      const items: readonly (readonly [namespace: string[], value: Record<string, string>])[] = [
        [["notes"], { owner: "ann" }],
        [["notes", "all"], { user_id: "ann" }],
        [["tenants"], { owner: "ann", tenant: "shop" }],
        [["ann", "notes"], {}],
        [["shop", "ann"], {}],
        [["anna"], {}],
        [["bob"], { owner: "bob" }],
        [["plangraph", "facts", "-", "u=bob"], {}],
      ];
      for (const [namespace, value] of items) await store.put(namespace, "key", value);
      const paths = (from: number) => items.slice(from).map(([labels]) => labels.join(":"));
      await forget({ user: "plangraph" });
      expect(await left("store", "namespace_path")).toEqual(paths(0).toSorted());
      await forget({ user: "ann" });
      expect(await left("store", "namespace_path")).toEqual(paths(2).toSorted());
      await forget({ user: "ann", tenant: "shop" });
      expect(await left("store", "namespace_path")).toEqual(paths(3).toSorted());
    });

    it("deletes of the store what the caller says is the user's, and tells where else the name is", async () => {
      const places = [
        ["memories", "ann"],
        ["memories", "ann", "food"],
        ["memories", "anna"],
        ["memories", "bob"],
        ["memories", "bob", "friends", "ann"],
        ["plangraph", "facts", "-", "u=bob"],
      ];
      for (const namespace of places) await store.put(namespace, "key", {});
      const items = (user: string, ...namespaces: readonly string[][]) =>
        forgetItems(opened.database, { user, namespaces });
      // A user may be called as a namespace of everybody.
      expect(await items("memories")).toHaveLength(5);
      expect(await items("plangraph", ["plangraph", "facts"])).toEqual([]);
      expect(await items("ann", ["mem"], ["ann"])).toEqual([
        { namespace: ["memories", "ann"], items: 1 },
        { namespace: ["memories", "ann", "food"], items: 1 },
        { namespace: ["memories", "bob", "friends", "ann"], items: 1 },
      ]);
      expect(await left("store", "namespace_path")).toHaveLength(6);
      expect(await items("ann", ["memories", "ann"])).toEqual([
        { namespace: ["memories", "bob", "friends", "ann"], items: 1 },
      ]);
      expect(await left("store", "namespace_path")).toEqual(
        places
          .slice(2)
          .map((labels) => labels.join(":"))
          .toSorted(),
      );
    });

    it("deletes what the user used, and what nobody else did", async () => {
      for (const [kind, who] of [
        ["user", "ann"],
        ["user", '["shop","ann"]'],
        ["user", "bob"],
        ["tenant", "ann"],
        ["all", ""],
      ]) {
        await opened.database.query(
          `insert into plangraph.spent (day, kind, who, tokens, usd)
           values ('2026-01-01', $1, $2, 1, 1)`,
          [kind, who],
        );
      }
      await forget({ user: "ann" });
      expect(await left("spent", "kind || ' ' || who")).toEqual([
        "all ",
        "tenant ann",
        'user ["shop","ann"]',
        "user bob",
      ]);
      await forget({ user: "ann", tenant: "shop" });
      expect(await left("spent", "kind || ' ' || who")).toEqual(["all ", "tenant ann", "user bob"]);
    });

    it("deletes the copies of the user's threads, and those that the user made", async () => {
      const { ops, assistant } = storage;
      await ops.assistants.put(
        assistant,
        { graph_id: "g", if_exists: "raise", config: {}, context: {} },
        undefined,
      );
      const threadOf = async (user: string) => {
        const [run] = await ops.runs.put(newId(), assistant, {}, {}, loginOf(user));
        return run?.thread_id ?? "";
      };
      const [ann, bob] = [await threadOf("ann"), await threadOf("bob")];
      const copies = [
        await ops.threads.copy(ann, undefined),
        await ops.threads.copy(bob, loginOf("ann")),
      ].map(({ thread_id: id }) => id);
      const others = [bob, (await ops.threads.copy(bob, undefined)).thread_id];
      expect((await forget({ user: "ann" })).toSorted()).toEqual([ann, ...copies].toSorted());
      expect(await left("threads", "thread_id")).toEqual(others.toSorted());
    });
  });
});
