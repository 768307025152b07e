/** What this process has done, by the names of Prometheus. A process has one server. */
const totals = new Map<string, number>();

/** What is counted, by the names of Prometheus, with what each says. */
export const counters = {
  plangraph_runs_claimed_total: "Runs that this process has taken, also those of lost workers",
  plangraph_runs_taken_over_total: "Runs that this process has taken from lost workers",
  plangraph_runs_ended_total: "Runs that ended in this process",
  plangraph_leases_lost_total: "Runs that this process has lost to others",
  plangraph_claim_seconds_total: "Time for taking runs",
  plangraph_checkpoints_total: "Statements that recorded something of a run",
  plangraph_checkpoint_seconds_total: "Time for them",
  plangraph_provider_requests_total: "Requests to models with limits that were let go",
  plangraph_provider_wait_seconds_total: "Time that they waited for it",
  plangraph_webhooks_failed_total: "Webhooks that could not be called, after all attempts",
  plangraph_cron_runs_total: "Runs of schedules that this process has created",
} as const;
type Counter = keyof typeof counters;

/** Adds to a counter of this process. */
export function addTo(counter: Counter, by = 1): void {
  totals.set(counter, (totals.get(counter) ?? 0) + by);
}

/** The result of work, whose time is added to a counter in seconds, also if it fails. */
export async function timed<Result>(
  counter: Counter,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = performance.now();
  try {
    return await work();
  } finally {
    addTo(counter, (performance.now() - before) / 1_000);
  }
}

/** What was counted so far. */
export function totalOf(counter: string): number {
  return totals.get(counter) ?? 0;
}
