import type { Query } from "./database.js";
import { placeOf } from "./record.js";

/** What of a thread has no foreign key to it. */
const stateTables = ["state_writes", "state_values", "states"];

/** Deletes threads with their runs and all that LangGraph keeps of them; `keepEvents` leaves their events to be read. */
export async function deleteThreads(
  query: Query,
  threadIds: readonly unknown[],
  { keepEvents = false }: { readonly keepEvents?: boolean } = {},
): Promise<void> {
  await query(keepEvents ? keepSql : forgetSql, [threadIds]);
  await query("delete from plangraph.threads where thread_id = any($1::uuid[])", [threadIds]);
  await deleteStates(query, threadIds);
}

const forgetSql = `delete from plangraph.run_events where run_id in (
  select run_id from plangraph.runs where thread_id = any($1::uuid[]))`;

const keepSql = `insert into plangraph.gone_runs (run_id, thread_id, metadata, config)
  select r.run_id, r.thread_id, t.metadata, t.config
  from plangraph.runs r join plangraph.threads t using (thread_id) where r.thread_id = any($1::uuid[])
  on conflict do nothing`;

/** Deletes the checkpoints of threads. */
export async function deleteStates(query: Query, threadIds: readonly unknown[]): Promise<void> {
  for (const table of stateTables) {
    await query(`delete from plangraph.${table} where thread_id = any($1::uuid[])`, [threadIds]);
  }
}

/** Deletes a run with all that it has recorded on its thread, which was at the mark before. */
export async function undoRun(
  query: Query,
  {
    runId,
    threadId,
    mark,
  }: { readonly runId: unknown; readonly threadId: string; readonly mark: string },
): Promise<void> {
  await rollBack(query, threadId, mark);
  await query("delete from plangraph.runs where run_id = $1", [runId]);
}

/** Deletes a thread's checkpoints that are newer than a mark, with the answers that were given at the mark's own. */
async function rollBack(query: Query, threadId: string, mark: string): Promise<void> {
  const [checkpointId = ""] = mark.split(" ");
  const before = checkpointId === "" ? null : checkpointId;
  for (const table of ["state_writes", "states"]) {
    await query(
      `delete from plangraph.${table} where thread_id = $1 and ($2::uuid is null or checkpoint_id > $2)`,
      [threadId, before],
    );
  }
  await query(
    `delete from plangraph.state_writes
     where thread_id = $1 and checkpoint_id = $2 and ns = '' and place = $3`,
    [threadId, before, placeOf("__resume__")],
  );
}
