import type { TraceFile } from "./trace-file.js";

/** What a trace file keeps. Runs with a judgement stay. */
export type TraceKeep = {
  /** Days since the end of a run; default 7. */
  readonly days?: number;
  /** Megabytes of the file; beyond that, the oldest runs go. Default 500. */
  readonly megabytes?: number;
};

/** What stays where nothing is said. */
const defaultKeep = { days: 7, megabytes: 500 } as const satisfies TraceKeep;

const dayMs = 86_400_000;

/** Which part of the runs goes at a time until the file is small enough. */
const share = 0.1;

/** Removes what is too old, then the oldest while the file is too large. Returns how many runs it removed. */
export function retain(
  file: TraceFile,
  { days = defaultKeep.days, megabytes = defaultKeep.megabytes }: TraceKeep,
  now: number,
): number {
  const runs = file.removable(now);
  const old = runs.filter(({ lastAt }) => lastAt < now - days * dayMs);
  if (old.length > 0) file.remove(old.map(({ id }) => id));
  let left = runs.slice(old.length);
  while (left.length > 0 && file.bytes > megabytes * 1_000_000) {
    const count = Math.ceil(left.length * share);
    file.remove(left.slice(0, count).map(({ id }) => id));
    left = left.slice(count);
  }
  const removed = runs.length - left.length;
  if (removed > 0) file.shrink();
  return removed;
}
