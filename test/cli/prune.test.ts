import { existsSync, statSync } from "node:fs";
import { copyFile, open } from "node:fs/promises";

import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { createReactGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
let file: string;

beforeAll(async () => {
  directory = await createDirectory();
  const checkpointer = SqliteSaver.fromConnString(directory.path("full.db"));
  const graph = graphOn(checkpointer);
  // One turn in thread `b`, twenty in `a`.
  for (const id of ["b", ...Array.from({ length: 20 }, () => "a")]) {
    await graph.invoke({ messages: [{ role: "user", content: "q" }] }, thread(id));
  }
  // All of it into the one file that is copied.
  checkpointer.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  checkpointer.db.close();
});
afterAll(() => directory.remove());

beforeEach(async ({ task }) => {
  file = directory.path(`${task.id}.db`);
  await copyFile(directory.path("full.db"), file);
});

const thread = (id: string) => ({ configurable: { thread_id: id } });

function graphOn(checkpointer: SqliteSaver) {
  const models = scriptedModel(({ length }) => `Answer to ${length - 1}. `.padEnd(2_000, "x"));
  return createReactGraph({ models, checkpointer });
}

/** The file as another program has it open. */
function opened(): SqliteSaver {
  const saver = SqliteSaver.fromConnString(file);
  onTestFinished(() => void saver.db.close());
  return saver;
}

async function checkpointsOf(id: string, saver = opened()): Promise<number> {
  let count = 0;
  for await (const _ of graphOn(saver).getStateHistory(thread(id))) count += 1;
  return count;
}

const Report = z.strictObject({
  file: z.string(),
  threads: z.number(),
  removed: z.number(),
  kept: z.number(),
  bytesBefore: z.number(),
  bytesAfter: z.number(),
});

it("prune says what it removed, and the file becomes smaller", async () => {
  const { run, written } = createConsole();
  expect(await run("prune", "--checkpoint", file, "--keep", "2")).toBe(0);
  expect(written.stdout).toMatch(
    /^\S+\.db: removed 101 checkpoints of 2 threads, kept 4; [\d.]+ MB before, \d+ kB now\.\n$/,
  );
  expect(written.stderr).toBe("");
  expect(statSync(file).size).toBeLessThan(400_000);
  const { messages } = (await graphOn(opened()).getState(thread("a"))).values;
  expect(messages).toHaveLength(40);
});

it("--json prints one object", async () => {
  const { run, written } = createConsole();
  expect(await run("prune", "--checkpoint", file, "--keep", "1", "--json")).toBe(0);
  const { bytesBefore, bytesAfter, ...report } = Report.parse(JSON.parse(written.stdout));
  expect(report).toEqual({ file, threads: 2, removed: 103, kept: 2 });
  expect(bytesAfter).toBeLessThan(bytesBefore / 10);
});

it("--quiet prints nothing, and --thread leaves the others as they are", async () => {
  const { run, written } = createConsole();
  expect(await run("prune", "--checkpoint", file, "--keep", "1", "--thread", "b", "--quiet")).toBe(
    0,
  );
  expect(written).toMatchObject({ stdout: "", stderr: "" });
  expect([await checkpointsOf("a"), await checkpointsOf("b")]).toEqual([100, 1]);
});

it("a file that another program reads keeps its size, and says so", async () => {
  const { db } = opened();
  db.exec("BEGIN");
  db.prepare("SELECT count(*) FROM checkpoints").get();
  const { run, written } = createConsole();
  expect(await run("prune", "--checkpoint", file, "--keep", "1")).toBe(0);
  expect(written.stdout).toContain("removed 103 checkpoints");
  expect(written.stderr).toBe(
    `${file} keeps its size because another program uses it. Its free space is reused.\n`,
  );
});

it("a file that another program writes to for long is left alone", async () => {
  const { db } = opened();
  db.exec("BEGIN IMMEDIATE");
  const { run, written } = createConsole();
  expect(await run("prune", "--checkpoint", file, "--keep", "1")).toBe(1);
  expect(written.stderr).toBe(
    `plangraph: --checkpoint ${file}: another program is writing to it. Try again when it is done.\n`,
  );
  db.exec("ROLLBACK");
  expect(await checkpointsOf("a")).toBe(100);
});

it("a file that another program has open and does not use becomes smaller all the same", async () => {
  opened().db.prepare("SELECT count(*) FROM checkpoints").get();
  const { run, written } = createConsole();
  expect(await run("prune", "--checkpoint", file, "--keep", "1")).toBe(0);
  expect(written.stderr).toBe("");
});

it.each([
  {
    name: "no file",
    flags: ["--keep", "1"],
    said: "prune needs --checkpoint FILE.db, the file that holds the threads, or --database URL, or --data DIR.",
  },
  {
    name: "no number",
    flags: ["--checkpoint", "@"],
    said: "prune needs --keep N: how many checkpoints of each thread stay.",
  },
  ...["0", "-1", "1.5", "many", "", "1e3"].map((keep) => ({
    name: `"${keep}" as the number`,
    flags: ["--checkpoint", "@", `--keep=${keep}`],
    said: `--keep ${keep}: expected a whole number from 1.`,
  })),
  {
    name: "a file that is not there",
    flags: ["--checkpoint", "@", "--keep", "1"],
    said: "--checkpoint @: there is no such file.",
  },
  {
    name: "a word more",
    flags: ["FILE", "--checkpoint", "@", "--keep", "1"],
    said: "too many arguments for 'prune'. Expected 0 arguments but got 1.",
  },
  {
    name: "a graph's flag",
    flags: ["--checkpoint", "@", "--keep", "1", "--review"],
    said: "unknown option '--review': only rewoo, plan-execute, llm-compiler have it.",
  },
])("prune refuses $name", async ({ flags, said }) => {
  const missing = directory.path("missing.db");
  const { run, written } = createConsole();
  expect(await run("prune", ...flags.map((flag) => flag.replace("@", missing)))).toBe(2);
  expect(written.stderr).toBe(`plangraph: ${said.replace("@", missing)}\n`);
  expect(existsSync(missing)).toBe(false);
});

it.each([
  {
    name: "that is no database",
    text: "no database ".repeat(100),
    said: "it cannot be used as a SQLite database: file is not a database",
  },
  { name: "without checkpoints", text: "", said: "it holds no checkpoints." },
])("prune refuses a file $name, and leaves it as it is", async ({ text, said }) => {
  const path = await directory.write("other.db", text);
  const { run, written } = createConsole();
  expect(await run("prune", "--checkpoint", path, "--keep", "1")).toBe(2);
  expect(written.stderr).toBe(`plangraph: --checkpoint ${path}: ${said}\n`);
  expect(statSync(path).size).toBe(text.length);
});

it("prune refuses a folder", async () => {
  const { run, written } = createConsole();
  expect(await run("prune", "--checkpoint", directory.path("."), "--keep", "1")).toBe(2);
  expect(written.stderr).toContain(": there is no such file.");
});

it("prune refuses a thread that is not in the file", async () => {
  const { run, written } = createConsole();
  expect(await run("prune", "--checkpoint", file, "--keep", "1", "--thread", "c")).toBe(2);
  expect(written.stderr).toBe(`plangraph: There is no thread "c" in ${file}.\n`);
});

it("prune names a file that is damaged", async () => {
  const pages = await open(file, "r+");
  await pages.write("damage ".repeat(10_000), 4_096);
  await pages.close();
  const { run, written } = createConsole();
  expect(await run("prune", "--checkpoint", file, "--keep", "1")).toBe(2);
  expect(written.stderr).toBe(
    `plangraph: --checkpoint ${file}: it cannot be used as a SQLite database: database disk image is malformed\n`,
  );
});
