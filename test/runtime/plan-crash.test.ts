import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

vi.setConfig({ testTimeout: 60_000 });

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plangraph-plan-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the program once; returns how it ended and what it printed. */
function program(
  ...options: readonly string[]
): Promise<{ signal: string | null; output: string }> {
  const child = join(import.meta.dirname, "../support/plan-crash-child.ts");
  const args = ["--import", "tsx", child, folder, ...options];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, (error, output, stderr) => {
      const signal = error?.signal ?? null;
      if (error !== null && signal === null) reject(new Error(stderr));
      else resolve({ signal, output });
    });
  });
}

function runs(): string[] {
  return readFileSync(join(folder, "runs.log"), "utf8").trim().split("\n");
}

describe.each(["at top level", "embedded"])("a plan %s", (place) => {
  it("killed in a step goes on in a new process; no finished step runs again", async () => {
    expect((await program(place, "stock")).signal).toBe("SIGKILL");
    const { output } = await program(place, "stock");
    expect(output).toContain("Ordered.");
    expect(runs()).toEqual([
      "price tea",
      "stock milk (killed)",
      "stock milk",
      "price stock of milk",
      "order price of tea",
    ]);
  });

  it("killed in a write asks before it runs it again", async () => {
    expect((await program(place, "order")).signal).toBe("SIGKILL");
    expect((await program(place, "order")).output).toContain("may already have been run");
    const { output } = await program(place, "order", "approve");
    expect(output).toContain("Ordered.");
    expect(runs()).toEqual([
      "price tea",
      "stock milk",
      "price stock of milk",
      "order price of tea (killed)",
      "order price of tea",
    ]);
  });
});
