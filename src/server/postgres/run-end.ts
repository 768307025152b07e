import { setTimeout as sleep } from "node:timers/promises";

import type { ThreadsRepo } from "@langchain/langgraph-api/storage";
import { z } from "zod";

import { isRecord } from "../../json/json.js";
import { errorLine } from "../../observe/redact.js";
import { addTo } from "../metrics.js";
import { callWebhook } from "../webhooks.js";
import { payerOf, spend, usedBy } from "./budgets.js";
import type { Database, Query } from "./database.js";
import { deleteThreads, rollBack } from "./delete-threads.js";
import { apiJson, jsonColumn } from "./json-column.js";
import { channels, giveBack, type Held, type Leases } from "./lease.js";

type Ending = Parameters<ThreadsRepo["setStatus"]>[1];

const RowAtEnd = z.object({
  mark: z.string().nullable(),
  cancel: z.string().nullable(),
  login: z.unknown(),
  is_continued: z.boolean(),
});

/**
 * Records how a run and its thread ended, in one transaction, if its worker still has it; tries again while the
 * database does not answer. LangGraph's worker must not see an error: it would take no more runs.
 */
export async function endRun(
  database: Database,
  leases: Leases,
  held: Held,
  ending: Ending,
): Promise<void> {
  for (let pause = 50; ; pause = Math.min(pause * 2, 2_000)) {
    try {
      // A run may be lost because the database failed: then nobody else has it yet.
      if (held.isLost) await giveBack(database, [held.lease]);
      else if (await database.transaction((query) => end(query, held, ending))) {
        tell(held, ending);
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

/** Tells whoever wants to know of it, and does not wait for them. */
function tell({ webhook, status, values }: Held, { checkpoint, exception }: Ending): void {
  if (webhook === undefined) return;
  const error = exception === undefined ? {} : { error: errorLine(exception) };
  const ended = { status, run_ended_at: new Date().toISOString(), ...error };
  const result = { values: checkpoint?.values ?? values };
  const body: unknown = JSON.parse(apiJson({ ...webhook.body, ...ended, ...result }));
  if (isRecord(body)) void callWebhook({ url: webhook.url, body });
}

/** Records it; returns whether this worker still had the run. */
async function end(query: Query, held: Held, ending: Ending): Promise<boolean> {
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
  await spend(query, payerOf(login), await usedIn(query, held, { ending, isContinued }));
  if (isTemporary) {
    await deleteThreads(query, [threadId], { keepEvents: true });
    return true;
  }
  const isUndone = cancel === "rollback" && status !== "success";
  if (isUndone) {
    await rollBack(query, threadId, mark ?? "");
    await query("delete from plangraph.runs where run_id = $1", [runId]);
  }
  await endThread(query, threadId, isUndone ? {} : ending);
  return true;
}

type Ended = { readonly ending: Ending; readonly isContinued: boolean };

/** What the run used, by the state of its thread before and after it. */
async function usedIn(query: Query, { threadId, isTemporary, values }: Held, ended: Ended) {
  const { ending, isContinued } = ended;
  if (isTemporary) return usedBy(values, undefined, false);
  const after = ending.checkpoint?.values;
  if (after === undefined || !isContinued) return usedBy(after, undefined, false);
  const [before] = await query(
    `select "values" -> 'usage' as usage from plangraph.threads where thread_id = $1`,
    [threadId],
  );
  return usedBy(after, before, true);
}

async function endThread(query: Query, threadId: string, ending: Ending): Promise<void> {
  const { checkpoint, exception } = ending;
  const tasks = checkpoint?.tasks ?? [];
  const interrupts = Object.fromEntries(
    tasks
      .filter(({ interrupts: asked }) => isAsked(asked))
      .map((task) => [task.id, task.interrupts]),
  );
  await query(
    `update plangraph.threads set updated_at = now(), "values" = coalesce($2, "values"),
       interrupts = $3, status = case
         when $4 then 'error' when $5 then 'interrupted'
         when exists (select 1 from plangraph.runs where thread_id = $1 and status = 'pending')
           then 'busy'
         else 'idle' end
     where thread_id = $1`,
    [
      threadId,
      checkpoint === undefined ? null : jsonColumn(checkpoint.values),
      jsonColumn(interrupts),
      exception !== undefined,
      (checkpoint?.next.length ?? 0) > 0,
    ],
  );
}

function isAsked(interrupts: unknown): boolean {
  return Array.isArray(interrupts) ? interrupts.length > 0 : isRecord(interrupts);
}
