import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { expect, it } from "vitest";

import { TraceFile } from "../../src/tracing/index.js";
import { bundledProgram } from "../support/bundled-program.js";

/** How often the program is killed; `KILLS=50 npx vitest run test/tracing/crash.test.ts` for the long product. */
const kills = Number(process.env["KILLS"] ?? 4);

/** Runs the program on a file until it kills itself at an event, and counts the runs it reported. */
async function killedAt(file: string, event: number): Promise<number> {
  const program = spawn(
    process.execPath,
    [await bundledProgram("traced-runs-child.ts"), file, String(event)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let answered = 0;
  const exit = once(program, "exit");
  for await (const line of createInterface({ input: program.stdout })) {
    if (line === "answered") answered += 1;
  }
  await exit;
  expect(program.signalCode).toBe("SIGKILL");
  return answered;
}

it(
  "a killed program leaves a file that opens, with every run that had ended",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "plangraph-traces-"));
    const path = join(folder, "traces.db");
    let ended = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      ended += await killedAt(path, 3 + kill * 19);
      const file = await TraceFile.open(path);
      const runs = file.runs({ limit: 100_000 });
      const whole = runs.filter(({ status }) => status === "answered");
      expect(whole.length).toBeGreaterThanOrEqual(ended);
      for (const { id } of whole.slice(0, 20)) {
        const events = file.events(id);
        expect(events.at(-1)?.event.type).toBe("run_finished");
        expect(JSON.stringify(events)).not.toContain("[missing]");
      }
      // Others are those in flight when a process was killed.
      expect(runs.length - whole.length).toBeLessThanOrEqual(kill + 1);
      file.close();
    }
    expect(ended).toBeGreaterThan(0);
    rmSync(folder, { recursive: true, force: true });
  },
  kills * 30_000,
);
