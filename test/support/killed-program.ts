import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onTestFinished } from "vitest";

import { bundledProgram } from "./bundled-program.js";

/** How a program ended, and what it printed. */
type Ended = { readonly signal: string | null; readonly output: string };

/**
 * A program of this folder that kills itself, with a folder of its own for what it keeps: `start` runs it once
 * and throws what it says where it fails otherwise, `runs` tells which tools it ran. Gone when the test ends.
 */
export function killedProgram(file: string) {
  const folder = mkdtempSync(join(tmpdir(), "plangraph-crash-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    start: async (...options: readonly string[]): Promise<Ended> => {
      const args = [await bundledProgram(file), folder, ...options];
      return new Promise((resolve, reject) => {
        execFile(process.execPath, args, (error, output, stderr) => {
          const signal = error?.signal ?? null;
          if (error !== null && signal === null) reject(new Error(stderr));
          else resolve({ signal, output });
        });
      });
    },
    runs: () => readFileSync(join(folder, "runs.log"), "utf8").trim().split("\n"),
  };
}
