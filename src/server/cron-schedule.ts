import { optionalPackage } from "../errors.js";

/** When something is due. */
export type Schedule = {
  /** A cron expression of five fields, or of six with seconds. */
  readonly schedule: string;
  /** An IANA zone; default: UTC. */
  readonly timezone: string | null;
  /** The last moment at which it may be due; null: no end. */
  readonly endTime: Date | null;
};

/**
 * The first moment after another at which a schedule is due; undefined if there is none. Throws for a schedule or a zone
 * that is none, and `missing_package`.
 */
export async function nextDue(
  { schedule, timezone, endTime }: Schedule,
  after: Date,
): Promise<Date | undefined> {
  const { Cron } = await optionalPackage(
    () => import("croner"),
    'Schedules need the package "croner": npm install croner.',
  );
  const next = new Cron(schedule, { timezone: timezone ?? "UTC", paused: true }).nextRun(after);
  return next === null || (endTime !== null && next > endTime) ? undefined : next;
}
