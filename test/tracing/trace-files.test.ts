import { writeFile } from "node:fs/promises";

import { afterEach, describe, expect, it, vi } from "vitest";

import { openDatabase } from "../../src/sqlite/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { traceStore } from "../../src/tracing/index.js";
import { question } from "../support/middleware.js";
import { traceFolder, tracedAgent } from "../support/trace-folder.js";

const { path, open, read } = traceFolder();
afterEach(() => {
  vi.restoreAllMocks();
});

describe("a sample", () => {
  it("keeps all runs that were not answered, and what was said of the others", async () => {
    const store = await open({ sample: 0 });
    await tracedAgent(store).invoke(question);
    await tracedAgent(store, { models: scriptedModel([new Error("No line")]) }).invoke(question);
    await tracedAgent(store, { limits: { modelCalls: 1 } }).invoke(question);
    store.close();
    await read((file) => {
      expect(
        file
          .runs()
          .map(({ status }) => status)
          .toSorted(),
      ).toEqual(["failed", "limit"]);
    });
  });

  it("keeps about that part of the answered ones", async () => {
    const store = await open({ sample: 0.5 });
    const graph = tracedAgent(store);
    for (let at = 0; at < 40; at += 1) await graph.invoke(question);
    store.close();
    const kept = await read((file) => file.runs({ limit: 100 }).length);
    expect(kept).toBeGreaterThan(5);
    expect(kept).toBeLessThan(35);
  });
});

describe("a file that cannot be used", () => {
  it.each([
    {
      name: "text",
      make: () => writeFile(path(), "hello ".repeat(500)),
      problem: /not a database/,
    },
    {
      name: "something else",
      make: async () => {
        const db = await openDatabase(path(), { where: "test", busyMs: 100 });
        db.exec("CREATE TABLE users (id)");
        db.close();
      },
      problem: /holds something else than traces/,
    },
    {
      name: "a newer form",
      make: async () => {
        (await open()).close();
        const db = await openDatabase(path(), { where: "test", busyMs: 100 });
        db.exec("PRAGMA user_version = 9");
        db.close();
      },
      problem: /form 9, of a newer plangraph; this one reads up to form 1/,
    },
    {
      name: "a folder that is not there",
      make: async () => undefined,
      file: "nowhere/traces.db",
      problem: /cannot be used as a SQLite database/,
    },
  ])("$name", async ({ make, file, problem }) => {
    await make();
    await expect(open({ file: path(file) })).rejects.toThrow(problem);
  });

  it("while it is written costs one warning, and no run", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const store = await open();
    const db = await openDatabase(path(), { where: "test", busyMs: 100 });
    db.exec("DROP TABLE event");
    for (let at = 0; at < 3; at += 1) {
      expect((await tracedAgent(store).invoke(question)).outcome?.status).toBe("answered");
    }
    expect(warned).toHaveBeenCalledTimes(1);
    expect(String(warned.mock.calls[0]?.[0])).toMatch(/Traces cannot be written .*runs go on/);
    db.exec("CREATE TABLE event (run TEXT, at INTEGER, data TEXT)");
    await tracedAgent(store).invoke(question);
    store.close();
    db.close();
    await read((file) => {
      expect(file.runs()).toMatchObject([{ status: "answered" }]);
    });
  });

  it("because another program writes takes what was waiting later, by itself", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const store = await open();
    const db = await openDatabase(path(), { where: "test", busyMs: 100 });
    db.exec("BEGIN IMMEDIATE");
    await tracedAgent(store).invoke(question);
    db.exec("COMMIT");
    db.close();
    await vi.waitFor(
      () =>
        read((file) => {
          expect(file.runs()).toMatchObject([{ status: "answered" }]);
        }),
      { timeout: 5_000 },
    );
    store.close();
    expect(warned).not.toHaveBeenCalled();
  });
});

it.each([
  [{ file: "" }, /file: expected a path, got ""/],
  [{ content: "all" }, /content: expected "full" or "metadata", got "all"/],
  [{ keep: { days: 0 } }, /keep\.days: expected a number above 0, got 0/],
  [{ keep: { days: 1, weeks: 2 } }, /keep: there is no "weeks"/],
  [{ keep: { megabytes: -1 } }, /keep\.megabytes: expected a number above 0, got -1/],
  [{ sample: 2 }, /sample: expected a number from 0 to 1, got 2/],
  [{ redact: "phones" }, /redact: expected a function, got "phones"/],
  [{ path: "x" }, /there is no "path"/],
])("refuses %j", async (options, problem) => {
  const given: unknown = { file: path(), ...options };
  // @ts-expect-error -- programs without types pass anything
  await expect(traceStore(given)).rejects.toThrow(problem);
});

it("a request that cannot be written down does not cost its event", async () => {
  const store = await open();
  const origin = { runId: "r-1", node: "agent", at: 1 };
  store.onEvent?.({ ...origin, type: "run_started", graph: "react" }, {});
  const asked = { model: "m", modelCallId: "c", attempt: 1 };
  store.onEvent?.(
    { ...origin, type: "model_started", ...asked },
    {
      input: () => {
        throw new Error("no JSON");
      },
    },
  );
  store.close();
  await read((file) => {
    expect(file.events("r-1").map(({ event }) => event.type)).toEqual([
      "run_started",
      "model_started",
    ]);
  });
});
