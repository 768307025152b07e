import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { unfinishedRuns } from "../runtime/unfinished-runs.js";
import { openThreads } from "./checkpoint.js";
import type { CliIo } from "./io.js";
import { toldRun } from "./stopped-run.js";

const Given = z.object({ checkpoint: z.string().optional(), json: z.boolean().default(false) });

/** Prints the runs in a file of threads that have not ended. Throws a `PlangraphError` for a file that cannot be used. */
export async function runsCommand(options: unknown, { stdout }: CliIo): Promise<void> {
  const { checkpoint: file, json } = Given.parse(options);
  if (file === undefined) {
    throw new PlangraphError("invalid_option", "runs needs --checkpoint FILE.db.");
  }
  const { saver, close } = await openThreads(file);
  try {
    const runs = await unfinishedRuns(saver);
    const text = runs.length === 0 ? "No unfinished runs." : runs.map(toldRun).join("\n\n");
    stdout.write(`${json ? JSON.stringify(runs, null, 2) : text}\n`);
  } finally {
    close();
  }
}
