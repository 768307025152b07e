import { type Health, healthOf, type TracedRun, TraceFile } from "../../tracing/index.js";

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

/** How these runs did. */
export function healthIn(file: TraceFile, runs: readonly TracedRun[]): Health {
  return healthOf(runs.map((run) => ({ run, events: file.outline(run.id) })));
}
