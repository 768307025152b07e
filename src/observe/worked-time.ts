/** When a run began and ended, and how much of that time it waited for people, in milliseconds. */
export type RunTimes = {
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly waitedMs?: number;
};

/** How long a run worked, without the time in which it waited for people; nothing while it goes on. */
export function workedMs({ startedAt, endedAt, waitedMs = 0 }: RunTimes): number | undefined {
  return endedAt === undefined ? undefined : Math.max(0, endedAt - startedAt - waitedMs);
}
