import { handleAuthEvent } from "@langchain/langgraph-api/auth";
import type { RunsRepo, RunsStreamRepo } from "@langchain/langgraph-api/storage";

import { PlangraphError } from "../../errors.js";
import { filterColumn } from "./auth-filter.js";
import type { Database, Query } from "./database.js";
import { deleteThreads } from "./delete-threads.js";
import { HttpError, notFound } from "./http-error.js";
import { jsonColumn } from "./json-column.js";
import { channels } from "./lease.js";
import { addRun, allowRun, type RunRules } from "./new-run.js";
import { runColumns, runOf } from "./rows.js";
import { tellEnd, webhookOf } from "./tell-end.js";
import type { Threads } from "./threads.js";

/** The runs of a server, without what only its worker does. */
export type Runs = Omit<RunsRepo, "next" | "setStatus">;

type Parts = {
  readonly threads: Pick<Threads, "get">;
  readonly stream: RunsStreamRepo;
  readonly rules: RunRules;
};

/** The columns of a run and whether its reader may see it, in a query whose second value is a filter. */
const visible = `from plangraph.runs r join plangraph.threads t using (thread_id)
  where plangraph.may_see(t.metadata, $2)`;
const ofRun = runColumns.replaceAll(/\w+/g, "r.$&");

/** Opens the runs of a database. */
export function openRuns(database: Database, { threads, stream, rules }: Parts): Runs {
  const { query, transaction } = database;
  const wait: Runs["wait"] = (runId, threadId, auth) => lastOf(stream, runId, threadId, auth);
  return {
    stream,
    wait,
    put: async (runId, assistantId, kwargs, options, auth) => {
      const asked = { runId, assistantId, kwargs, options, auth };
      const allowed = await allowRun(query, asked);
      const all = await transaction((within) => addRun(within, allowed, rules)).catch(refused);
      // The worker looks by itself, only later.
      await database.notify(channels.waiting, "").catch(() => {});
      return all;
    },
    get: async (runId, threadId, auth) => {
      const [filters] = await handleAuthEvent(auth, "threads:read", { thread_id: threadId });
      const [row] = await query(
        `select ${ofRun} ${visible} and r.run_id = $1 and ($3::uuid is null or r.thread_id = $3)`,
        [runId, filterColumn(filters), threadId ?? null],
      );
      return row === undefined ? null : runOf(row);
    },
    search: (threadId, options, auth) => search(query, threadId, options, auth),
    delete: async (runId, threadId, auth) => {
      const event = { run_id: runId, thread_id: threadId };
      const [filters] = await handleAuthEvent(auth, "threads:delete", event);
      return transaction((within) => remove(within, { runId, threadId, filters }));
    },
    join: async (runId, threadId, auth) => {
      await threads.get(threadId, auth);
      const last = await wait(runId, threadId, auth);
      return last ?? (await threads.get(threadId, auth)).values ?? null;
    },
    cancel: (threadId, runIds, { action = "interrupt" }, auth) =>
      cancel(database, { threadId, runIds, action, auth }),
  };
}

function refused(error: unknown): never {
  if (error instanceof PlangraphError) throw new HttpError(422, error.message);
  throw error;
}

/** The last values of a run, once it has ended; its error, if that came after them. */
async function lastOf(
  stream: RunsStreamRepo,
  ...[runId, threadId, auth]: Parameters<RunsRepo["wait"]>
): Promise<unknown> {
  const options = { ignore404: threadId === undefined, lastEventId: undefined };
  let last: unknown = null;
  for await (const { event, data } of stream.join(runId, threadId, options, auth)) {
    if (event === "values") last = data;
    else if (event === "error") last = { __error__: errorOf(data) };
  }
  return last;
}

async function search(
  query: Query,
  ...[threadId, options, auth]: Parameters<RunsRepo["search"]>
): ReturnType<RunsRepo["search"]> {
  const { status, metadata, limit, offset } = options;
  const event = { thread_id: threadId, metadata, status };
  const [filters] = await handleAuthEvent(auth, "threads:search", event);
  const rows = await query(
    `select ${ofRun} ${visible} and r.thread_id = $1 and ($3::text is null or r.status = $3)
       and r.metadata @> $4::jsonb
     order by r.created_at desc, r.run_id desc limit $5 offset $6`,
    [
      threadId,
      filterColumn(filters),
      status ?? null,
      jsonColumn(metadata ?? {}),
      limit ?? 10,
      offset ?? 0,
    ],
  );
  return rows.map(runOf);
}

function errorOf(data: unknown): unknown {
  if (typeof data === "object" && data !== null && "error" in data) return data;
  return { error: "Error", message: JSON.stringify(data) };
}

type Removed = {
  readonly runId: string;
  readonly threadId: string | undefined;
  readonly filters: unknown;
};

/** Deletes a run that has ended or waits, with its events and its checkpoints. */
async function remove(query: Query, { runId, threadId, filters }: Removed): Promise<string> {
  const [row] = await query(
    `select r.status, r.thread_id ${visible} and r.run_id = $1
       and ($3::uuid is null or r.thread_id = $3) for update of r`,
    [runId, filterColumn(filters), threadId ?? null],
  );
  if (row === undefined) throw notFound("Run");
  if (row["status"] === "running") throw new HttpError(409, "Run is running: cancel it first");
  await query("delete from plangraph.runs where run_id = $1", [runId]);
  await query("delete from plangraph.run_events where run_id = $1", [runId]);
  await query(
    "delete from plangraph.states where thread_id = $1 and metadata ->> 'run_id' = $2::text",
    [row["thread_id"], runId],
  );
  return runId;
}

type Cancelled = {
  readonly threadId: string | undefined;
  readonly runIds: readonly string[];
  readonly action: "interrupt" | "rollback";
  readonly auth: Parameters<RunsRepo["cancel"]>[3];
};

const stopSql = "update plangraph.runs set status = 'interrupted', updated_at = now()";

/** Ends waiting runs, and tells the workers of running ones. Throws where one of them is not to be seen. */
async function cancel(database: Database, cancelled: Cancelled): Promise<void> {
  const { threadId, runIds, action, auth } = cancelled;
  const [filters] = await handleAuthEvent(auth, "threads:update", {
    thread_id: threadId,
    action,
    metadata: { run_ids: [...runIds], status: "pending" },
  });
  const { running, ended } = await database.transaction(async (query) => {
    const rows = await query(
      `select r.run_id, r.thread_id, r.status ${visible} and r.run_id = any($1::uuid[])
         and ($3::uuid is null or r.thread_id = $3) order by r.run_id for update of r`,
      [runIds, filterColumn(filters), threadId ?? null],
    );
    const ids = (status: string) =>
      rows.filter((row) => row["status"] === status).map((row) => row["run_id"]);
    await query(
      "update plangraph.runs set cancel = $2, updated_at = now() where run_id = any($1::uuid[])",
      [ids("running"), action],
    );
    const stopped = await query(
      `${action === "rollback" ? "delete from plangraph.runs" : stopSql} where run_id = any($1::uuid[])
       returning ${runColumns}`,
      [ids("pending")],
    );
    const waited = stopped.map(runOf);
    for (const { kwargs, thread_id: id } of waited) {
      if (kwargs.temporary === true) await deleteThreads(query, [id], { keepEvents: true });
    }
    await query(
      `update plangraph.threads t set updated_at = now(),
         status = case when coalesce(interrupts, '{}') = '{}' then 'idle' else 'interrupted' end
       where thread_id = any($1::uuid[]) and not exists (select 1 from plangraph.runs r
         where r.thread_id = t.thread_id and r.status in ('pending', 'running'))
         and status = 'busy'`,
      [rows.map((row) => row["thread_id"])],
    );
    if (rows.length < new Set(runIds).size) throw notFound("Run");
    return { running: ids("running"), ended: waited };
  });
  for (const run of ended) tellEnd(webhookOf(run), { status: "interrupted" });
  for (const runId of running) await database.notify(channels.cancel, String(runId));
}
