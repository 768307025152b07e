import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { InMemoryStore, type Operation } from "@langchain/langgraph";
import { afterEach, describe, expect, it } from "vitest";

import { openStore, type SqliteStore } from "../../src/sqlite/index.js";

const open: SqliteStore[] = [];

async function opened(file: string): Promise<SqliteStore> {
  const store = await openStore(file);
  open.push(store);
  return store;
}

function newFile(): string {
  return join(mkdtempSync(join(tmpdir(), "store-")), "store.db");
}

afterEach(() => {
  for (const store of open.splice(0)) store.close();
});

const written: Operation[] = [
  { namespace: ["users", "lin"], key: "allergy", value: { text: "nuts", rank: 2, tags: ["a"] } },
  { namespace: ["users", "lin"], key: "city", value: { text: "苏州", rank: 1 } },
  { namespace: ["users", "linda"], key: "allergy", value: { text: "none", rank: 3 } },
  { namespace: ["users"], key: "count", value: { rank: 2 } },
  { namespace: ["other", "lin"], key: "allergy", value: { text: "milk" } },
];

/** What stands in an item beside its dates. */
const plain = (results: readonly unknown[]) =>
  JSON.parse(
    JSON.stringify(results, (name, value: unknown) =>
      name === "createdAt" || name === "updatedAt" ? undefined : value,
    ),
  );

const reads: { readonly name: string; readonly operations: Operation[] }[] = [
  { name: "an item", operations: [{ namespace: ["users", "lin"], key: "allergy" }] },
  { name: "an item that is not there", operations: [{ namespace: ["users", "l"], key: "city" }] },
  { name: "a whole store", operations: [{ namespacePrefix: [] }] },
  { name: "all below a place", operations: [{ namespacePrefix: ["users"] }] },
  { name: "nobody else's", operations: [{ namespacePrefix: ["users", "lin"] }] },
  { name: "nothing below half a name", operations: [{ namespacePrefix: ["users", "li"] }] },
  {
    name: "those with a value",
    operations: [{ namespacePrefix: ["users"], filter: { text: "none" } }],
  },
  {
    name: "those in a range",
    operations: [{ namespacePrefix: ["users"], filter: { rank: { $gte: 2 } } }],
  },
  { name: "a page", operations: [{ namespacePrefix: [], limit: 2, offset: 1 }] },
  { name: "places", operations: [{ matchConditions: [], limit: 10, offset: 0 }] },
  {
    name: "places that begin alike",
    operations: [
      {
        matchConditions: [{ matchType: "prefix", path: ["users"] }],
        maxDepth: 1,
        limit: 10,
        offset: 0,
      },
    ],
  },
  {
    name: "a deleted item and its neighbour",
    operations: [
      { namespace: ["users", "lin"], key: "city", value: null },
      { namespacePrefix: ["users", "lin"] },
    ],
  },
];

describe("a store in a file", () => {
  it.each(reads)("finds $name as LangGraph's own store does", async ({ operations }) => {
    const file = newFile();
    const before = await opened(file);
    const own = new InMemoryStore();
    await before.batch(written);
    await own.batch(written);
    before.close();
    open.length = 0;
    const store = await opened(file);
    expect(plain(await store.batch(operations))).toEqual(plain(await own.batch(operations)));
    // And the same again, after what the batch wrote.
    expect(plain(await store.batch([{ namespacePrefix: [] }]))).toEqual(
      plain(await own.batch([{ namespacePrefix: [] }])),
    );
  });

  it("keeps when an item was made and changed", async () => {
    const file = newFile();
    const store = await opened(file);
    await store.put(["a"], "one", { n: 1 });
    const made = await store.get(["a"], "one");
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
    await store.put(["a"], "one", { n: 2 });
    const [found] = await (await opened(file)).search(["a"]);
    expect(found?.value).toEqual({ n: 2 });
    expect(found?.createdAt).toEqual(made?.createdAt);
    expect(found?.updatedAt.getTime()).toBeGreaterThan(made?.updatedAt.getTime() ?? Infinity);
  });

  it("is seen by another program with the file open, and takes writes of both", async () => {
    const file = newFile();
    const [one, other] = [await opened(file), await opened(file)];
    await Promise.all(
      Array.from({ length: 40 }, async (_, at) =>
        (at % 2 === 0 ? one : other).put(["n"], String(at), { at }),
      ),
    );
    expect(await one.search(["n"], { limit: 100 })).toHaveLength(40);
    expect(await other.search(["n"], { limit: 100 })).toHaveLength(40);
  });

  it("writes all of a batch or nothing", async () => {
    const store = await opened(newFile());
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    await expect(
      store.batch([
        { namespace: ["a"], key: "good", value: { n: 1 } },
        { namespace: ["a"], key: "bad", value: circular },
      ]),
    ).rejects.toThrow(/circular/);
    expect(await store.get(["a"], "good")).toBeNull();
    await store.put(["a"], "good", { n: 2 });
    expect((await store.get(["a"], "good"))?.value).toEqual({ n: 2 });
  });

  it("cannot be a folder, or in one that is not there", async () => {
    for (const file of [tmpdir(), join(tmpdir(), "no-such-folder", "x.db")]) {
      await expect(openStore(file)).rejects.toMatchObject({ code: "unreadable_file" });
    }
  });
});
