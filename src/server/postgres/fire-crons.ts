import { v7 as newId } from "@langchain/core/utils/uuid";
import type { Run, RunsRepo } from "@langchain/langgraph-api/storage";
import { z } from "zod";

import { errorLine } from "../../observe/redact.js";
import { nextDue } from "../cron-schedule.js";
import { addTo } from "../metrics.js";
import { newBell } from "./bell.js";
import type { Auth } from "./config.js";
import { Payload } from "./crons.js";
import type { Database, Query } from "./database.js";
import { channels } from "./lease.js";
import { addRun, type AllowedRun, allowRun, type AskedRun, type RunRules } from "./new-run.js";

const pollMs = 1_000;
/** How soon a server looks again that was not the first to take a schedule. */
const soonMs = 50;

type Runs = Pick<RunsRepo, "cancel">;

const Scopes = z.object({
  user: z.looseObject({
    identity: z.string(),
    permissions: z.array(z.string()),
    display_name: z.string(),
    is_authenticated: z.boolean(),
  }),
  scopes: z.array(z.string()),
});

const DueRow = z.object({
  cron_id: z.string(),
  assistant_id: z.string(),
  thread_id: z.string().nullable(),
  schedule: z.string(),
  timezone: z.string().nullable(),
  end_time: z.date().nullable(),
  on_run_completed: z.string(),
  payload: Payload,
  auth: Scopes.nullable(),
  next_run_date: z.date(),
  looked_at: z.date(),
});
type Due = z.infer<typeof DueRow>;

/**
 * Creates the runs of schedules that are due, once for all processes of a database. What was due while none of them was
 * there makes one run.
 */
export function openScheduler(
  database: Database,
  { rules, runs }: { readonly rules: RunRules; readonly runs: Runs },
): { readonly stop: () => void } {
  const bell = newBell();
  const stopping = new AbortController();
  const look = async () => {
    while (!stopping.signal.aborted) {
      // An error may be over a moment later; nothing may end this loop.
      const waitMs = await fireOne(database, rules, runs).catch(() => pollMs);
      if (waitMs > 0) await bell.rung(waitMs);
    }
  };
  void look();
  return {
    stop: () => {
      stopping.abort();
      bell.ring();
    },
  };
}

/** Creates the run of one schedule that is due; returns how long to wait before the next look, in milliseconds. */
async function fireOne(database: Database, rules: RunRules, runs: Runs): Promise<number> {
  const waitMs = await untilDue(database.query);
  if (waitMs > 0) return Math.min(waitMs, pollMs);
  const due = await takeDue(database.query);
  if (due === undefined) return soonMs;
  try {
    const asked = runOf(due);
    const allowed = await allowRun(database.query, asked);
    const others = await database.transaction((query) => fire(query, due, { allowed, rules }));
    if (others === undefined) return 0;
    addTo("plangraph_cron_runs_total");
    await database.notify(channels.waiting, "").catch(() => {});
    const { multitaskStrategy: strategy, threadId } = asked.options;
    if (others.length > 0 && (strategy === "interrupt" || strategy === "rollback")) {
      const ids = others.map((one) => one.run_id);
      await runs.cancel(threadId, ids, { action: strategy }, asked.auth).catch(() => {});
    }
  } catch (error) {
    // Whatever is wrong with one schedule, it must not stand before the others.
    await goOn(database.query, due, errorLine(error));
  }
  return 0;
}

/** Milliseconds until a schedule is due that no server sees to; others may be made meanwhile. */
async function untilDue(query: Query): Promise<number> {
  const [row] = await query(
    `select (extract(epoch from min(next_run_date) - now()) * 1000)::float8 as ms
     from plangraph.crons where enabled and ${isFree}`,
  );
  const { ms } = z.object({ ms: z.number().nullable() }).parse(row);
  return ms ?? pollMs;
}

const isFree = "next_run_date is not null and coalesce(taken_until <= now(), true)";

/** Takes the first schedule that is due for this server, for long enough to ask its application whether it may run. */
async function takeDue(query: Query): Promise<Due | undefined> {
  const [row] = await query(
    `update plangraph.crons c set taken_until = now() + interval '10 seconds'
     from (select cron_id from plangraph.crons
       where enabled and ${isFree} and next_run_date <= now()
       order by next_run_date limit 1 for update skip locked) first
     where c.cron_id = first.cron_id
     returning c.cron_id, assistant_id, thread_id, schedule, timezone, end_time, on_run_completed, payload,
       auth, next_run_date, now() as looked_at`,
  );
  return row === undefined ? undefined : DueRow.parse(row);
}

type Firing = { readonly allowed: AllowedRun; readonly rules: RunRules };

/** Adds the run and waits for the next time, if it is still due; returns the unfinished runs of its thread, if it did. */
async function fire(
  query: Query,
  due: Due,
  { allowed, rules }: Firing,
): Promise<Run[] | undefined> {
  const [still] = await query(
    "select 1 from plangraph.crons where cron_id = $1 and next_run_date = $2 and enabled for update",
    [due.cron_id, due.next_run_date],
  );
  if (still === undefined) return undefined;
  const [run, ...others] = await addRun(query, allowed, rules);
  const isNew = run?.run_id === allowed.asked.runId;
  await goOn(query, due, isNew ? null : "The thread was busy, or is no longer there.");
  return isNew ? others : undefined;
}

/** Waits for the next time, unless somebody else has seen to it. */
async function goOn(query: Query, due: Due, problem: string | null): Promise<void> {
  const { schedule, timezone, end_time: endTime } = due;
  // By the clock of the database, by which it was due: that of this machine may say that it still is.
  const next = await nextDue({ schedule, timezone, endTime }, due.looked_at);
  await query(
    `update plangraph.crons set next_run_date = $2, last_run_date = now(), last_error = $3,
       taken_until = null
     where cron_id = $1 and next_run_date = $4`,
    [due.cron_id, next ?? null, problem, due.next_run_date],
  );
}

/** The run of a schedule, as a client would have asked for it. */
function runOf(due: Due): AskedRun {
  const { payload, thread_id: thread } = due;
  const auth: Auth = due.auth ?? undefined;
  const strategy = payload.multitask_strategy ?? "reject";
  return {
    runId: newId(),
    assistantId: due.assistant_id,
    auth,
    kwargs: {
      input: payload.input,
      config: payload.config ?? {},
      context: payload.context,
      stream_mode: [payload.stream_mode ?? "values"].flat(),
      interrupt_before: payload.interrupt_before,
      interrupt_after: payload.interrupt_after,
      webhook: payload.webhook,
      temporary: thread === null && due.on_run_completed === "delete",
      subgraphs: payload.stream_subgraphs ?? false,
      resumable: payload.stream_resumable ?? false,
    },
    options: {
      ...(thread !== null && { threadId: thread }),
      ...(auth !== undefined && { userId: auth.user.identity }),
      metadata: { ...payload.metadata, cron_id: due.cron_id },
      status: "pending",
      multitaskStrategy: strategy,
      preventInsertInInflight: strategy === "reject",
    },
  };
}
