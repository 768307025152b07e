import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach } from "vitest";

import { createReactGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import {
  TraceFile,
  type TraceStore,
  traceStore,
  type TraceStoreOptions,
} from "../../src/tracing/index.js";
import { countingTools } from "./counting-tools.js";

/** A folder for each test, with the file of traces in it. */
export function traceFolder() {
  let folder = "";
  const path = (name = "traces.db") => join(folder, name);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "plangraph-traces-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    path,
    open: (options: Partial<TraceStoreOptions> = {}) => traceStore({ file: path(), ...options }),
    /** Runs work on the file, and closes it. */
    read: async <Result>(work: (file: TraceFile) => Result): Promise<Result> => {
      const file = await TraceFile.open(path());
      try {
        return work(file);
      } finally {
        file.close();
      }
    },
    /** All bytes of the file and of its log. */
    bytes: () =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), "latin1"))
        .join(""),
  };
}

/** A graph that looks up one price and answers, with other options where a test has them. */
export function tracedAgent(store: TraceStore, more: object = {}) {
  const { tools } = countingTools("price");
  const models = scriptedModel((messages) =>
    messages.at(-1)?.type === "tool"
      ? "3 euros."
      : { toolCalls: [{ name: "price", args: { item: "tea" } }] },
  );
  return createReactGraph({ models, tools, observers: [store], ...more });
}
