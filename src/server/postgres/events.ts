import { setTimeout as sleep } from "node:timers/promises";

import { handleAuthEvent } from "@langchain/langgraph-api/auth";
import type { RunsStreamRepo } from "@langchain/langgraph-api/storage";
import { z } from "zod";

import { filterColumn } from "./auth-filter.js";
import { type Bell, newBell } from "./bell.js";
import type { Database } from "./database.js";
import { apiJson } from "./json-column.js";
import { channels, type Leases } from "./lease.js";
import { readerSignal } from "./reader.js";

/** Events of a process go to the database together. */
const flushMs = 20;
/** How often a stream looks without being told. */
const pollMs = 1_000;
const mostAtOnce = 500;
/** How often the last events of a run are tried. */
const mostTries = 60;
/** How many events a process keeps for a database that is away. */
const mostKept = 5_000;
/** How often events are deleted of runs that ended an hour ago. */
const sweepMs = 60_000;

type Waiting = readonly [lease: string, event: string, data: string, normalized: boolean | null];

/** The events of runs: written by their worker, read by any process. */
export type Events = Pick<RunsStreamRepo, "publish" | "join"> & {
  /** Writes what waits of a run that ends, and tries for a while where the database does not answer. */
  readonly settle: (lease: string) => Promise<void>;
  /** Deletes no more old events. */
  readonly close: () => void;
};

type JoinOptions = Parameters<RunsStreamRepo["join"]>[2];
type Auth = Parameters<RunsStreamRepo["join"]>[3];
type Cancel = (threadId: string, runId: string, auth: Auth) => Promise<void>;

/** Opens the events of a database. `cancel` is called for a stream whose reader is gone, where the reader asked for it. */
export function openEvents(database: Database, leases: Leases, cancel: Cancel): Events {
  const { add, settle } = openBuffer(database);
  const readers = new Map<string, Set<() => void>>();
  database.listen(channels.events, (runIds) => {
    for (const id of runIds.split(",")) for (const wake of readers.get(id) ?? []) wake();
  });
  // What one process fails to delete, the next does.
  const sweep = setInterval(() => void database.query(sweepSql).catch(() => {}), sweepMs).unref();
  return {
    settle,
    close: () => {
      clearInterval(sweep);
    },
    publish: (payload) => {
      const held = leases.ofRun(payload.runId);
      if (held === undefined || held.isLost) return Promise.resolve();
      if (held.isTemporary && payload.event === "values") held.values = payload.data;
      if (held.hidesValues && payload.event === "values") return Promise.resolve();
      const normalized: unknown = Reflect.get(payload, "normalized");
      const isNormalized = typeof normalized === "boolean" ? normalized : null;
      add([held.lease, payload.event, textColumn(payload.data), isNormalized]);
      return Promise.resolve();
    },
    join: (runId, threadId, options, auth) =>
      join(
        { database, readers, cancel },
        { runId, threadId, options, auth, reader: readerSignal() },
      ),
  };
}

/** Gathers events for a moment, and writes them together; what could not be written comes again, as far as there is room. */
function openBuffer(database: Database) {
  const waiting: Waiting[] = [];
  let flushing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const before = flushing;
    const writeNext = async () => {
      await before;
      const batch = waiting.splice(0);
      if (batch.length > 0) await write(database, batch).catch((error) => keep(batch, error));
    };
    flushing = writeNext();
    return flushing;
  };
  // A run goes on where its events cannot be kept.
  const keep = (batch: readonly Waiting[], error: unknown) => {
    if (isOfData(error)) return;
    waiting.unshift(...batch.slice(-mostKept));
    timer ??= setTimeout(() => void flush(), pollMs);
  };
  return {
    add: (event: Waiting) => {
      waiting.push(event);
      timer ??= setTimeout(() => void flush(), flushMs);
    },
    settle: async (lease: string) => {
      for (let tries = 0; tries < mostTries; tries += 1) {
        await flush();
        if (!waiting.some(([of]) => of === lease)) return;
        await sleep(pollMs);
      }
    },
  };
}

/** A database that is away for a moment is asked again; what would fail again is thrown. */
function unlessLasting(error: unknown): undefined {
  if (isOfData(error) || error instanceof z.ZodError) throw error;
}

/** Whether the database refused what it was given: it would again. */
function isOfData(error: unknown): boolean {
  const code: unknown = typeof error === "object" && error !== null && Reflect.get(error, "code");
  return typeof code === "string" && /^2[23]/.test(code);
}

const sweepSql = `with gone as (
    delete from plangraph.gone_runs where gone_at < now() - interval '1 hour')
  delete from plangraph.run_events e
  where created_at < now() - interval '1 hour' and not exists (
    select 1 from plangraph.runs r
    where r.run_id = e.run_id and r.status in ('pending', 'running'))`;

function textColumn(data: unknown): string {
  if (data instanceof Error) return apiJson({ error: data.name, message: data.message });
  return apiJson(data);
}

async function write({ query, notify }: Database, batch: readonly Waiting[]): Promise<void> {
  const rows = await query(
    `insert into plangraph.run_events (run_id, event, data, normalized)
     select r.run_id, e.event, e.data, e.normalized
     from unnest($1::uuid[], $2::text[], $3::text[], $4::boolean[]) with ordinality
       e (lease, event, data, normalized, place)
     join plangraph.runs r on r.lease = e.lease
     order by e.place returning run_id`,
    [0, 1, 2, 3].map((at) => batch.map((row) => row[at])),
  );
  const runIds = [...new Set(rows.map((row) => row["run_id"]))];
  // A message may have 8,000 bytes.
  for (let at = 0; at < runIds.length; at += 200) {
    await notify(channels.events, runIds.slice(at, at + 200).join(","));
  }
}

type Reading = {
  readonly database: Database;
  readonly readers: Map<string, Set<() => void>>;
  readonly cancel: Cancel;
};

type Wanted = {
  readonly runId: string;
  readonly threadId: string | undefined;
  readonly options: JoinOptions;
  readonly auth: Auth;
  /** Aborts when nobody reads any more. */
  readonly reader: AbortSignal | undefined;
};

async function* join({ database, readers, cancel }: Reading, wanted: Wanted) {
  const { runId, threadId, options, auth, reader } = wanted;
  const { signal, cancelOnDisconnect } = options;
  const bell = newBell();
  for (const each of [signal, reader]) each?.addEventListener("abort", bell.ring, { once: true });
  const bells = readers.get(runId) ?? new Set();
  readers.set(runId, bells.add(bell.ring));
  try {
    yield* follow(database, wanted, bell);
  } finally {
    bells.delete(bell.ring);
    if (bells.size === 0) readers.delete(runId);
  }
  const isUnwanted = cancelOnDisconnect === true && signal?.aborted === true;
  if (isUnwanted && threadId !== undefined) await cancel(threadId, runId, auth);
}

const isOpen: ReadonlySet<string | undefined> = new Set(["pending", "running"]);

/** The events of a run until it has ended or its reader is gone. */
async function* follow(database: Database, wanted: Wanted, bell: Bell) {
  const { threadId, options, auth, reader } = wanted;
  const { signal, ignore404 = false, lastEventId } = options;
  const [filters] = await handleAuthEvent(auth, "threads:read", { thread_id: threadId });
  let last = lastSeq(lastEventId);
  const isGone = () => [signal, reader].some((each) => each?.aborted === true);
  while (!isGone()) {
    const found = await read(database, { ...wanted, filters, last }).catch(unlessLasting);
    if (found === undefined) {
      await bell.rung(pollMs);
      continue;
    }
    const { status, events } = found;
    for (const { seq, ...event } of events) {
      last = seq;
      yield { id: String(seq), ...event };
    }
    if (events.length > 0) continue;
    if (status === undefined && !ignore404) yield { event: "error", data: "Run not found" };
    if (!isOpen.has(status)) return;
    await bell.rung(pollMs);
  }
}

const Read = z.object({
  status: z.string().nullable(),
  events: z.array(
    z.object({
      seq: z.number(),
      event: z.string(),
      data: z.string().transform((text): unknown => JSON.parse(text)),
      normalized: z
        .boolean()
        .nullable()
        .transform((is) => is ?? undefined),
    }),
  ),
});

/** The events after the last, and the status that the run had by then; none of a run that must not be seen, or was deleted. */
async function read(
  { query }: Database,
  {
    runId,
    threadId,
    filters,
    last,
  }: Pick<Wanted, "runId" | "threadId"> & { readonly filters: unknown; readonly last: number },
) {
  const [row] = await query(
    `with run as (
       select r.status, r.thread_id, t.metadata
       from plangraph.runs r join plangraph.threads t using (thread_id) where r.run_id = $1
       union all select null, thread_id, metadata from plangraph.gone_runs where run_id = $1),
     seen as (
       select status from run
       where ($2::uuid is null or thread_id = $2) and plangraph.may_see(metadata, $4))
     select (select max(status) from seen) as status,
       (select coalesce(json_agg(e order by e.seq), '[]') from (
         select seq, event, data, normalized from plangraph.run_events
         where run_id = $1 and seq > $3 and exists (select 1 from seen)
         order by seq limit ${mostAtOnce}) e) as events`,
    [runId, threadId ?? null, last, filterColumn(filters)],
  );
  const { status, events } = Read.parse(row);
  return { status: status ?? undefined, events };
}

function lastSeq(id: string | undefined): number {
  const seq = Number(id);
  return id !== undefined && Number.isSafeInteger(seq) && seq >= 0 ? seq : 0;
}
