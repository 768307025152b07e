import type { Query } from "./database.js";

/** What of a thread has no foreign key to it. */
const others = ["checkpoint_writes", "checkpoint_blobs", "checkpoints"];

/** Deletes threads with their runs and all that LangGraph keeps of them; `keepEvents` leaves their events to be read. */
export async function deleteThreads(
  query: Query,
  threadIds: readonly unknown[],
  { keepEvents = false }: { readonly keepEvents?: boolean } = {},
): Promise<void> {
  if (!keepEvents) {
    await query(
      `delete from plangraph.run_events where run_id in (
         select run_id from plangraph.runs where thread_id = any($1::uuid[]))`,
      [threadIds],
    );
  }
  await query("delete from plangraph.threads where thread_id = any($1::uuid[])", [threadIds]);
  for (const table of others) {
    await query(`delete from plangraph.${table} where thread_id = any($1::text[])`, [threadIds]);
  }
}

/** Deletes a thread's checkpoints that are newer than a mark, with the answers that were given at the mark's own. */
export async function rollBack(query: Query, threadId: string, mark: string): Promise<void> {
  const [checkpointId = ""] = mark.split(" ");
  for (const table of ["checkpoint_writes", "checkpoints"]) {
    await query(
      `delete from plangraph.${table} where thread_id = $1::text and checkpoint_id > $2`,
      [threadId, checkpointId],
    );
  }
  await query(
    `delete from plangraph.checkpoint_writes where thread_id = $1::text and checkpoint_id = $2
       and checkpoint_ns = '' and channel = '__resume__'`,
    [threadId, checkpointId],
  );
}
