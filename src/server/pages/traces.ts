import { setImmediate } from "node:timers/promises";

import { calledIn } from "../../observe/called-in.js";
import {
  type Health,
  healthOf,
  type RunEvents,
  type TracedRun,
  TraceFile,
} from "../../tracing/index.js";

/** What the pages read of a trace file, which may not be there yet. */
export type Traces = {
  /** The open file. Throws `unreadable_file` while there is none. */
  readonly file: () => Promise<TraceFile>;
  readonly close: () => void;
};

/** Opens a trace file when it is first read, and again after that failed. */
export function openTraces(name: string): Traces {
  let opening: Promise<TraceFile> | undefined;
  let opened: TraceFile | undefined;
  return {
    file: async () => {
      opening ??= TraceFile.open(name);
      try {
        opened = await opening;
        return opened;
      } catch (error) {
        opening = undefined;
        throw error;
      }
    },
    close: () => opened?.close(),
  };
}

/** How many runs the figures are made from, at most: the newest. */
export const mostRuns = 500;

/** How these runs did. Others are served between two runs. */
export async function healthIn(file: TraceFile, runs: readonly TracedRun[]): Promise<Health> {
  const recorded: RunEvents[] = [];
  for (const run of runs) {
    recorded.push({ run, events: file.outline(run.id) });
    await setImmediate();
  }
  return healthOf(recorded);
}

/** Those of the runs in which this tool, this model or this stage of a search was called. */
export async function callersIn(
  file: TraceFile,
  runs: readonly TracedRun[],
  called: string,
): Promise<readonly TracedRun[]> {
  const found: TracedRun[] = [];
  for (const run of runs) {
    if (file.outline(run.id).some((event) => calledIn(event) === called)) found.push(run);
    await setImmediate();
  }
  return found;
}

/** Deletes the runs of a thread, where there are any. */
export async function forgetThread(traces: Traces, threadId: string): Promise<void> {
  const file = await traces.file();
  const runs = file.onThreads([threadId]);
  if (runs.length > 0) file.remove(runs);
}
