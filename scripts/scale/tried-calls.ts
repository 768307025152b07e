import type { CrashEntry } from "../../test/support/crash-log.js";
import { isWrite } from "../../test/support/crash-tools.js";

/** A process that was killed or stood still, from when, and until when if it went on. */
export type Loss = {
  readonly pid: number | undefined;
  readonly at: number;
  readonly until?: number;
};

/** What became of the calls of a trial. */
type TriedCalls = {
  readonly calls: number;
  readonly asked: number;
  /** Calls that were made again though they had ended, and how long before the loss of their process at most, in ms. */
  readonly repeated: number;
  readonly repeatedMs: number;
  /** Writes that began more often than once and once for each approval. */
  readonly writesTwice: readonly string[];
};

/**
 * Judges calls, with how often each write of a thread was approved: one that ended is made again only where its process was
 * lost before the end was on record.
 */
export function judgeCalls(
  noted: readonly CrashEntry[],
  losses: readonly Loss[],
  approvals: ReadonlyMap<string, number>,
): TriedCalls {
  const names = new Set(noted.map(nameOf));
  const calls = [...names].map((name) => noted.filter((each) => nameOf(each) === name));
  const windows = calls.flatMap((all) => windowsOf(all, losses));
  return {
    calls: names.size,
    asked: [...approvals.values()].reduce((sum, each) => sum + each, 0),
    repeated: windows.length,
    repeatedMs: Math.max(0, ...windows),
    writesTwice: calls.flatMap((all) => {
      const [first] = all;
      if (first === undefined || !isWrite(first.tool)) return [];
      const allowed = 1 + (approvals.get(`${first.thread} ${first.tool}`) ?? 0);
      return all.filter(({ kind }) => kind === "call_began").length > allowed
        ? [nameOf(first)]
        : [];
    }),
  };
}

function nameOf({ thread, call }: CrashEntry): string {
  return `${thread} ${call}`;
}

/** How long before the loss of their process the ends of a call came that was made again afterwards. */
function windowsOf(all: readonly CrashEntry[], losses: readonly Loss[]): readonly number[] {
  const begun = all.filter(({ kind, ...each }) => kind === "call_began" && !isStale(each, losses));
  return all.flatMap((ended) => {
    if (ended.kind !== "call_ended" || isStale(ended, losses)) return [];
    if (!begun.some(({ at }) => at > ended.at)) return [];
    const loss = losses.find(({ pid, at }) => pid === ended.process && at >= ended.at);
    return [(loss?.at ?? Infinity) - ended.at];
  });
}

/** Whether a process that stood still did it before it could know that it had lost its runs. */
function isStale(
  { process, at }: Pick<CrashEntry, "process" | "at">,
  losses: readonly Loss[],
): boolean {
  return losses.some(
    (loss) =>
      loss.pid === process && loss.until !== undefined && at >= loss.at && at < loss.until + 1_000,
  );
}
