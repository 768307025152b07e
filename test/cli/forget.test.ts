import { afterEach, beforeEach, expect, it } from "vitest";

import { openThreads } from "../../src/cli/checkpoint.js";
import { keepFact, readFacts } from "../../src/runtime/facts.js";
import { openStore } from "../../src/sqlite/index.js";
import { createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeEach(async () => {
  directory = await createDirectory();
});
afterEach(() => directory.remove());

async function hasThread(file: string, thread: string): Promise<boolean> {
  const { saver, close } = await openThreads(file);
  const found = await saver.getTuple({ configurable: { thread_id: thread } });
  close();
  return found !== undefined;
}

it("deletes a thread and its traces, and no other", async () => {
  const [threads, traces] = [directory.path("runs.db"), directory.path("traces.db")];
  for (const thread of ["one", "two"]) {
    const { run } = createConsole();
    const kept = ["--checkpoint", threads, "--thread", thread, "--trace", traces];
    expect(await run("react", "What is 2 + 3?", ...kept)).toBe(0);
  }
  const { run, written } = createConsole();
  const places = ["--checkpoint", threads, "--trace", traces];
  expect(await run("forget", "--thread", "one", ...places)).toBe(0);
  expect(written.stdout).toBe(`${threads}: the thread deleted.\n${traces}: 1 run deleted.\n`);
  expect(await hasThread(threads, "one")).toBe(false);
  expect(await hasThread(threads, "two")).toBe(true);
  const list = createConsole();
  await list.run("trace", "list", "--trace", traces, "--json");
  expect(JSON.parse(list.written.stdout)).toMatchObject([{ threadId: "two" }]);
});

it("deletes all that a user told, and nothing of the same name in a tenant", async () => {
  const file = directory.path("runs.db");
  const owners = [{ user: "ann" }, { user: "ann", tenant: "shop" }, { user: "bob" }];
  const store = await openStore(file);
  for (const owner of owners) {
    for (let at = 0; at < (owner === owners[0] ? 450 : 1); at += 1) {
      await keepFact(store, owner, { key: `fact ${at}`, text: `It is ${at}.`, since: at });
    }
  }
  store.close();
  const { run, written } = createConsole();
  expect(await run("forget", "--user", "ann", "--checkpoint", file)).toBe(0);
  expect(written.stdout).toContain("what the user told deleted; it does not say whose");
  const after = await openStore(file);
  const left = await Promise.all(owners.map((owner) => readFacts(after, owner, { all: true })));
  after.close();
  expect(left.map((facts) => facts.length)).toEqual([0, 1, 1]);
});

it("says which file is not there", async () => {
  const { run, written } = createConsole();
  expect(await run("forget", "--thread", "one", "--trace", directory.path("none.db"))).toBe(2);
  expect(written.stderr).toContain("none.db: there is no such file");
});

it.each([
  [["--tenant", "shop"], "--tenant: expected --user with it."],
  [["--namespace", "memories/ann"], "--namespace: expected --user with it."],
])("says that %j needs a user", async (flags, problem) => {
  const { run, written } = createConsole();
  expect(await run("forget", "--thread", "one", ...flags, "--data", "none")).toBe(2);
  expect(written.stderr).toContain(problem);
});

it.each(["", "/ann", "memories//ann"])(
  "deletes nothing in a namespace of no name: %j",
  async (name) => {
    const { run, written } = createConsole();
    expect(await run("forget", "--user", "ann", "--namespace", name, "--data", "none")).toBe(2);
    expect(written.stderr).toContain('expected lists of labels such as ["memories", "ann"]');
  },
);
