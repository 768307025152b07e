import { z } from "zod";

import type { Json } from "../../json/json.js";
import type { Database } from "./database.js";

/** A decision of a person, as the server took it. */
export type RecordedDecision = {
  /** When it arrived, as an ISO time. */
  readonly at: string;
  readonly type: "approve" | "edit" | "reject" | "respond";
  /** Who sent it, by the server's authorization; null without one. */
  readonly identity: string | null;
  /** Whom the decision itself names. */
  readonly by: string | null;
  /** The tool whose call was asked about; null if the thread no longer asked. */
  readonly tool: string | null;
  /** The arguments of the call, or those of an edit; null once they were forgotten. */
  readonly args: Json;
  readonly message: string | null;
  readonly requestId: string | null;
  readonly threadId: string;
  readonly runId: string;
};

/** Which decisions are read; default: all. */
export type DecisionFilter = {
  readonly thread?: string | undefined;
  /** From this moment on. */
  readonly since?: Date | undefined;
};

const DecisionRow = z.object({
  decision_id: z.coerce.string(),
  at: z.date(),
  type: z.enum(["approve", "edit", "reject", "respond"]),
  identity: z.string().nullable(),
  by: z.string().nullable(),
  tool: z.string().nullable(),
  args: z.json().nullable(),
  message: z.string().nullable(),
  requestId: z.string().nullable(),
  threadId: z.string(),
  runId: z.string(),
});

/** How many are read at once. */
const page = 1_000;

/** Reads decisions, the oldest first. */
export async function* decisionsIn(
  { query }: Database,
  { thread, since }: DecisionFilter,
): AsyncGenerator<RecordedDecision> {
  let last = "0";
  for (;;) {
    const rows = await query(
      `select decision_id, decided_at as at, type, identity, decided_by as by, tool, args, message,
         request_id as "requestId", thread_id as "threadId", run_id as "runId"
       from plangraph.decisions where decision_id > $1 and ($2::uuid is null or thread_id = $2)
         and ($3::timestamptz is null or decided_at >= $3)
       order by decision_id limit ${page}`,
      [last, thread ?? null, since ?? null],
    );
    for (const row of rows) {
      const { decision_id: id, at, ...rest } = DecisionRow.parse(row);
      last = id;
      yield { at: at.toISOString(), ...rest };
    }
    if (rows.length < page) return;
  }
}
