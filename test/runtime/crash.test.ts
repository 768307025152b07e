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
function program(
  place: string,
  killIn: string,
): Promise<{ signal: string | null; output: string }> {
  const child = join(import.meta.dirname, "../support/crash-child.ts");
  const args = ["--import", "tsx", child, folder ?? "", place, killIn];
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

describe.each(["at top level", "as a subgraph node", "invoked in a node with its config"])(
  "a run %s",
  (place) => {
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

    it("killed inside a write does not run it again by itself, and asks", async () => {
      folder = mkdtempSync(join(tmpdir(), "plangraph-"));
      expect((await program(place, "order")).signal).toBe("SIGKILL");
      const second = await program(place, "order");
      expect(second.output).toContain("may already have been run");
      expect(runs()).toEqual(["price tea", "price milk", "stock tea", "order tea (killed)"]);
    });
  },
);
