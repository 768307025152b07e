import { handleAuthEvent } from "@langchain/langgraph-api/auth";
import { z } from "zod";

import { filterColumn } from "./postgres/auth-filter.js";
import type { Auth } from "./postgres/config.js";
import type { Database } from "./postgres/database.js";

/** What this process has done, by the names of Prometheus. A process has one server. */
const totals = new Map<Counter, number>();

const counters = {
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

const Waiting = z.object({
  waiting: z.number(),
  later: z.number(),
  running: z.number(),
  oldest: z.number(),
});

const gauges = {
  plangraph_up: "Whether the database has answered lately",
  plangraph_runs_held: "Runs that this process works on",
  plangraph_runs_waiting: "Runs of the database that could begin",
  plangraph_runs_scheduled: "Runs of the database that begin later",
  plangraph_runs_running: "Runs of the database that a process works on",
  plangraph_oldest_waiting_seconds: "How long the first of those that could begin has waited",
} as const;

/** What is read when somebody asks. */
export type Measured = {
  readonly database: Database;
  readonly isWell: () => boolean;
  readonly held: () => number;
};

/** The permission of a login that shows the work of all. */
const permission = "metrics";

/**
 * Metrics in the text format of Prometheus: of this process and of its database. A login without the permission "metrics" is
 * told of the runs of its own threads alone. Throws for one that may not look for threads.
 */
export async function metricsText(
  { database, isWell, held }: Measured,
  auth: Auth | undefined,
): Promise<string> {
  const isOwn = auth !== undefined && !auth.scopes.includes(permission);
  const search = { limit: 0, offset: 0 };
  const seen = isOwn
    ? filterColumn((await handleAuthEvent(auth, "threads:search", search))[0])
    : null;
  const found = await queue(database, seen).catch(() => undefined);
  const now = new Map<string, number | undefined>([
    ["plangraph_up", isWell() && found !== undefined ? 1 : 0],
    ["plangraph_runs_held", isOwn ? undefined : held()],
    ["plangraph_runs_waiting", found?.waiting],
    ["plangraph_runs_scheduled", found?.later],
    ["plangraph_runs_running", found?.running],
    ["plangraph_oldest_waiting_seconds", found?.oldest],
  ]);
  const done = new Map<string, number>(totals);
  const lines = [
    ...Object.entries(gauges).flatMap(([name, help]) =>
      metric(name, { help, type: "gauge", value: now.get(name) }),
    ),
    ...Object.entries(counters).flatMap(([name, help]) =>
      metric(name, { help, type: "counter", value: isOwn ? undefined : (done.get(name) ?? 0) }),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

/** Counts by the indexes of runs that have not ended; with filters, those of threads that these let see. */
async function queue(
  { query }: Database,
  filters: string | null,
): Promise<z.infer<typeof Waiting>> {
  const [row] = await query(
    `with open as (
       select status, not_before from (
         select status, not_before, thread_id from plangraph.runs where status = 'pending'
         union all
         select status, not_before, thread_id from plangraph.runs where status = 'running') r
       where $1::jsonb is null or exists (
         select from plangraph.threads t
         where t.thread_id = r.thread_id and plangraph.may_see(t.metadata, $1)))
     select
       (select count(*)::int from open where status = 'pending' and not_before <= now()) as waiting,
       (select count(*)::int from open where status = 'pending' and not_before > now()) as later,
       (select count(*)::int from open where status = 'running') as running,
       (select coalesce(extract(epoch from now() - min(not_before)), 0)::float8
        from open where status = 'pending' and not_before <= now()) as oldest`,
    [filters],
  );
  return Waiting.parse(row);
}

type Metric = { readonly help: string; readonly type: string; readonly value: number | undefined };

/** Nothing for what is not known. */
function metric(name: string, { help, type, value }: Metric): readonly string[] {
  if (value === undefined) return [];
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${value}`];
}
