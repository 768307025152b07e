import { handleAuthEvent } from "@langchain/langgraph-api/auth";
import { z } from "zod";

import { counters, totalOf } from "./metrics.js";
import { filterColumn } from "./postgres/auth-filter.js";
import type { Auth } from "./postgres/config.js";
import type { Database } from "./postgres/database.js";

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
  const lines = [
    ...Object.entries(gauges).flatMap(([name, help]) =>
      metric(name, { help, type: "gauge", value: now.get(name) }),
    ),
    ...Object.entries(counters).flatMap(([name, help]) =>
      metric(name, { help, type: "counter", value: isOwn ? undefined : totalOf(name) }),
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
