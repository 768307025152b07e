import { setTimeout as sleep } from "node:timers/promises";

import type { ThreadsRepo } from "@langchain/langgraph-api/storage";
import { z } from "zod";

import { isRecord } from "../../json/json.js";
import { addTo } from "../metrics.js";
import { payerOf, spend, usedBy } from "./budgets.js";
import type { Database, Query } from "./database.js";
import { deleteThreads, undoRun } from "./delete-threads.js";
import { jsonColumn } from "./json-column.js";
import { channels, giveBack, type Held, type Leases } from "./lease.js";
import { tellEnd } from "./tell-end.js";

type Ending = Parameters<ThreadsRepo["setStatus"]>[1];

const RowAtEnd = z.object({
  mark: z.string().nullable(),
  cancel: z.string().nullable(),
  login: z.unknown(),
  is_continued: z.boolean(),
});

/** What the end of a run is recorded with. */
type EndParts = {
  readonly database: Database;
  readonly leases: Leases;
  /** The newest values on record of a thread. */
  readonly valuesOf: (threadId: string) => Promise<unknown>;
};

/**
 * Records how a run and its thread ended, in one transaction, if its worker still has it; tries again while the
 * database does not answer. LangGraph's worker must not see an error: it would take no more runs.
 */
export async function endRun(
  { database, leases, valuesOf }: EndParts,
  held: Held,
  ending: Ending,
): Promise<void> {
  for (let pause = 50; ; pause = Math.min(pause * 2, 2_000)) {
    try {
      // A run may be lost because the database failed: then nobody else has it yet.
      if (held.isLost) await giveBack(database, [held.lease]);
      else {
        const isUnsaid = ending.checkpoint === undefined && !held.isTemporary;
        const values = isUnsaid ? await valuesOf(held.threadId) : ending.checkpoint?.values;
        if (await database.transaction((query) => end(query, held, { ending, values }))) {
          const { checkpoint, exception } = ending;
          const reached = checkpoint?.values ?? held.values;
          tellEnd(held.webhook, { status: held.status, values: reached, exception });
        }
      }
      break;
    } catch {
      await sleep(pause, undefined, { ref: false });
    }
  }
  // What its worker says of it from here on is dropped, and the thread's next run may come here.
  leases.release(held);
  // Those who wait for the end look by themselves if they do not hear of it.
  const told = [
    database.notify(channels.events, held.runId),
    database.notify(channels.waiting, ""),
  ];
  await Promise.allSettled(told);
}

/** Records it; returns whether this worker still had the run. */
async function end(
  query: Query,
  held: Held,
  { ending, values }: Pick<Ended, "ending" | "values">,
): Promise<boolean> {
  const { runId, threadId, lease, isTemporary, status = "error" } = held;
  const [row] = await query(
    `update plangraph.runs set status = $3, lease = null, lease_until = null, owner = null,
       updated_at = now()
     where run_id = $1 and lease = $2 returning mark, cancel,
       kwargs #> '{config,configurable,langgraph_auth_user}' as login,
       coalesce(json_typeof(kwargs -> 'input'), 'null') = 'null' as is_continued`,
    [runId, lease, status],
  );
  // Another worker has it.
  if (row === undefined) return false;
  addTo("plangraph_runs_ended_total");
  const { mark, cancel, login, is_continued: isContinued } = RowAtEnd.parse(row);
  await spend(query, payerOf(login), await usedIn(query, held, { ending, values, isContinued }));
  const isUndone = cancel === "rollback" && status !== "success";
  if (isTemporary) await deleteThreads(query, [threadId], { keepEvents: true });
  else await endOnThread(query, held, { ending, values, mark: mark ?? "", isUndone });
  return true;
}

type OnThread = Pick<Ended, "ending" | "values"> & {
  /** Where the thread was before the run. */
  readonly mark: string;
  readonly isUndone: boolean;
};

async function endOnThread(
  query: Query,
  { runId, threadId }: Held,
  { ending, values, mark, isUndone }: OnThread,
): Promise<void> {
  if (isUndone) {
    await undoRun(query, { runId, threadId, mark });
    await endThread(query, threadId, { keepsQuestions: true });
    return;
  }
  const isUnsaid = ending.checkpoint === undefined;
  if (isUnsaid) await keepUsage(query, threadId, values);
  const keepsQuestions = isUnsaid && (await isWhereItBegan(query, threadId, mark));
  await endThread(query, threadId, { ...ending, keepsQuestions });
}

type Ended = {
  readonly ending: Ending;
  /** The values of the thread at the end. */
  readonly values: unknown;
  readonly isContinued: boolean;
};

/** Whether a run has recorded nothing: the questions of its thread are still open. */
async function isWhereItBegan(query: Query, threadId: string, mark: string): Promise<boolean> {
  const [newest] = await query(
    `select checkpoint_id from plangraph.states where thread_id = $1 and ns = ''
     order by checkpoint_id desc limit 1`,
    [threadId],
  );
  return (newest?.["checkpoint_id"] ?? "") === mark.split(" ")[0];
}

/** What the run used, by the state of its thread before and after it. */
async function usedIn(query: Query, { threadId, isTemporary, values }: Held, ended: Ended) {
  const { ending, values: after, isContinued } = ended;
  if (isTemporary) return usedBy(values, undefined, false);
  const isUnsaid = ending.checkpoint === undefined;
  if (after === undefined || (!isContinued && !isUnsaid)) return usedBy(after, undefined, false);
  const [before] = await query(
    `select "values" -> 'usage' as usage, "values" -> 'run' as run
     from plangraph.threads where thread_id = $1`,
    [threadId],
  );
  // A run that was cancelled at once has the state of the one before.
  return usedBy(after, before, isContinued || runIn(after) === runIn(before));
}

function runIn(values: unknown): unknown {
  const run = isRecord(values) ? values["run"] : undefined;
  return isRecord(run) ? run["id"] : undefined;
}

/** Keeps what a run used that did not come to its end: whoever goes on with it counts from there. */
async function keepUsage(query: Query, threadId: string, values: unknown): Promise<void> {
  if (!isRecord(values)) return;
  const { usage = null, run = null } = values;
  await query(
    `update plangraph.threads set "values" = coalesce("values", '{}') || $2 where thread_id = $1`,
    [threadId, jsonColumn({ usage, run })],
  );
}

async function endThread(
  query: Query,
  threadId: string,
  { checkpoint, exception, keepsQuestions }: Ending & { readonly keepsQuestions: boolean },
): Promise<void> {
  const tasks = checkpoint?.tasks ?? [];
  const interrupts = Object.fromEntries(
    tasks
      .filter(({ interrupts: asked }) => isAsked(asked))
      .map((task) => [task.id, task.interrupts]),
  );
  await query(
    `update plangraph.threads set updated_at = now(), "values" = coalesce($2, "values"),
       interrupts = coalesce($3, interrupts), status = case
         when $4 then 'error'
         when $5 or ($3 is null and interrupts <> '{}') then 'interrupted'
         when exists (select 1 from plangraph.runs where thread_id = $1 and status = 'pending')
           then 'busy'
         else 'idle' end
     where thread_id = $1`,
    [
      threadId,
      checkpoint === undefined ? null : jsonColumn(checkpoint.values),
      checkpoint === undefined && keepsQuestions ? null : jsonColumn(interrupts),
      exception !== undefined,
      (checkpoint?.next.length ?? 0) > 0,
    ],
  );
}

function isAsked(interrupts: unknown): boolean {
  return Array.isArray(interrupts) ? interrupts.length > 0 : isRecord(interrupts);
}
