import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, describe, expect, it, vi } from "vitest";

vi.setConfig({ testTimeout: 60_000 });

let folder: string | undefined;
afterEach(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** Runs the program once; returns how it ended and what it printed. */
function program(...options: string[]): Promise<{ signal: string | null; output: string }> {
  return run("crash-child.ts", options);
}

function run(
  file: string,
  options: readonly string[],
): Promise<{ signal: string | null; output: string }> {
  const child = join(import.meta.dirname, "../support", file);
  const args = ["--import", "tsx", child, folder ?? "", ...options];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, (error, output, stderr) => {
      const signal = error?.signal ?? null;
      if (error !== null && signal === null) reject(new Error(stderr));
      else resolve({ signal, output });
    });
  });
}

function runs(): string[] {
  return readFileSync(join(folder ?? "", "runs.log"), "utf8")
    .trim()
    .split("\n");
}

const places = [
  "at top level",
  "as a subgraph node",
  "invoked in a node with its config",
  "as a tool of another graph",
  "as a tool of a graph that is a tool",
];

describe.each(places)("a run %s", (place) => {
  it("killed between two calls goes on in a new process and repeats no finished call", async () => {
    folder = mkdtempSync(join(tmpdir(), "plangraph-"));
    expect((await program(place, "stock")).signal).toBe("SIGKILL");
    const second = await program(place, "stock");
    expect(second.output).toContain("Ordered.");
    expect(runs()).toEqual([
      "price tea",
      "price milk",
      "stock tea (killed)",
      "stock tea",
      "order tea",
    ]);
  });

  it("killed inside a write does not run it again by itself, but asks and does as told", async () => {
    folder = mkdtempSync(join(tmpdir(), "plangraph-"));
    expect((await program(place, "order")).signal).toBe("SIGKILL");
    const second = await program(place, "order");
    expect(second.output).toContain("may already have been run");
    const once = ["price tea", "price milk", "stock tea", "order tea (killed)"];
    expect(runs()).toEqual(once);
    expect((await program(place, "order", "approve")).output).toContain("Ordered.");
    expect(runs()).toEqual([...once, "order tea"]);
  });
});

it.each([
  { place: "at top level", modelCalls: 3, toolCalls: 4 },
  { place: "as a tool of another graph", modelCalls: 3 + 2, toolCalls: 4 + 1 },
  { place: "as a tool of a graph that is a tool", modelCalls: 3 + 2 + 2, toolCalls: 4 + 1 + 1 },
])("$place, what was used before the crash still counts", async ({ place, ...used }) => {
  folder = mkdtempSync(join(tmpdir(), "plangraph-"));
  await program(place, "stock");
  const { output } = await program(place, "stock");
  expect(JSON.parse(output)).toMatchObject({ usage: used });
});

it("sub-runs killed after people answered them go on in a new process, each where it was", async () => {
  folder = mkdtempSync(join(tmpdir(), "plangraph-"));
  const child = () => run("crash-approval-child.ts", ["milk_stock"]);
  expect((await child()).output).toContain("milk: Run order?");
  expect(runs().toSorted()).toEqual(["price milk", "price tea"]);
  expect((await child()).signal).toBe("SIGKILL");
  const last = await child();
  expect(JSON.parse(last.output)).toMatchObject({
    answer: "Ordered.",
    usage: { modelCalls: 2 + 4 + 4, toolCalls: 2 + 3 + 3 },
    observations: [{ content: "tea is done." }, { content: "milk is done." }],
  });
  expect(runs().toSorted()).toEqual([
    "milk_stock milk",
    "milk_stock milk (killed)",
    "order milk",
    "order tea",
    "price milk",
    "price tea",
    "tea_stock tea",
  ]);
});
