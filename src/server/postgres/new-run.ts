import { handleAuthEvent } from "@langchain/langgraph-api/auth";
import type { Run, RunKwargs, RunsRepo } from "@langchain/langgraph-api/storage";
import { v7 as newId } from "@langchain/core/utils/uuid";
import { z } from "zod";

import { boundCommand } from "../bound-command.js";
import { sentDecisions } from "../sent-decisions.js";
import { checkWebhook } from "../webhooks.js";
import { filterColumn } from "./auth-filter.js";
import { type Budgets, budgetsOf, checkBudgets, payerOf, userKey } from "./budgets.js";
import { fieldsOf, keptOf, merged, withLogin } from "./config.js";
import type { Query } from "./database.js";
import { HttpError, notFound } from "./http-error.js";
import { jsonColumn, textColumn } from "./json-column.js";
import { runColumns, runOf } from "./rows.js";
import { checkScheduled } from "./scheduled.js";

type Options = Parameters<RunsRepo["put"]>[3];

/** A run as it was asked for. */
export type AskedRun = {
  readonly runId: string;
  readonly assistantId: string;
  readonly kwargs: RunKwargs;
  readonly options: Options;
  readonly auth: Parameters<RunsRepo["put"]>[4];
};

/** The rules of a server for new runs. */
export type RunRules = {
  readonly requireDecisionIds: boolean;
  /** Waiting runs, beyond which new ones are refused. */
  readonly maxWaiting: number;
  /** Runs and schedules of a user that begin later, beyond which new ones are refused. */
  readonly maxScheduled: number;
  /** What users, tenants and all may use in a day. */
  readonly budgets: Budgets;
  /** The hosts that webhooks may be at. */
  readonly webhookHosts: readonly string[];
};

const Fields = z.record(z.string(), z.unknown());
const Assistant = z.object({
  graph_id: z.string(),
  config: Fields,
  context: z.unknown(),
  metadata: Fields,
});
const Thread = z.object({
  thread_id: z.string(),
  config: Fields,
  metadata: Fields,
  interrupts: Fields.nullable(),
});
type Thread = z.infer<typeof Thread>;

/** A run that its caller may add. */
export type AllowedRun = Found & {
  /** Which threads the caller may add it to. */
  readonly filters: unknown;
};

/** Asks the authorization handlers. Call it outside of transactions: a slow handler would hold a connection. */
export async function allowRun(query: Query, asked: AskedRun): Promise<AllowedRun> {
  const { assistantId, auth } = asked;
  const found = await assistantFor(query, assistantId, auth);
  if (found === undefined) {
    const what = "Make sure the assistant ID is for a valid assistant or a valid graph ID.";
    throw new HttpError(404, `No assistant found for "${assistantId}". ${what}`);
  }
  const assistant = Assistant.parse(found);
  const [filters, mutable] = await handleAuthEvent(auth, "threads:create_run", eventOf(asked));
  return { asked, assistant, metadata: Fields.parse(mutable.metadata ?? {}), filters };
}

/**
 * Adds a run, and its thread where it has none. Returns it with the thread's unfinished runs after it; only those, if
 * the new one was to be refused because of them.
 */
export async function addRun(query: Query, allowed: AllowedRun, rules: RunRules): Promise<Run[]> {
  const { asked } = allowed;
  const { options, auth } = asked;
  const thread = await threadFor(query, allowed);
  if (thread === undefined) return [];
  const inflight = (
    await query(
      `select ${runColumns} from plangraph.runs
       where thread_id = $1 and status in ('pending', 'running') order by created_at, run_id`,
      [thread.thread_id],
    )
  ).map(runOf);
  if (options.preventInsertInInflight === true && inflight.length > 0) return inflight;
  checkWebhook(asked.kwargs.webhook, rules.webhookHosts);
  await checkWaiting(query, rules);
  if (isLater(asked)) await checkScheduled(query, payerOf(auth?.user), rules);
  await checkBudgets(query, budgetsFor(asked, rules));
  const run = await insert(query, { ...allowed, thread, rules });
  await recordDecisions(query, asked, thread);
  return [run, ...inflight];
}

/**
 * The assistant of a run, if its caller may see it; that of a graph itself is everybody's. An application without a rule for
 * assistants lets everybody use all.
 */
async function assistantFor(query: Query, assistantId: string, auth: AskedRun["auth"]) {
  const [found] = await query(
    `select graph_id, config, context, metadata from plangraph.assistants
     where assistant_id::text = $1`,
    [assistantId],
  );
  if (found === undefined || fieldsOf(found["metadata"])["created_by"] === "system") return found;
  const [filters] = await handleAuthEvent(auth, "assistants:read", { assistant_id: assistantId });
  const [seen] = await query("select plangraph.may_see($1, $2) as may_see", [
    jsonColumn(found["metadata"]),
    filterColumn(filters),
  ]);
  return seen?.["may_see"] === true ? found : undefined;
}

function eventOf({ runId, assistantId, kwargs, options }: AskedRun) {
  const { status = "pending", multitaskStrategy = "reject", ifNotExists = "reject" } = options;
  return {
    thread_id: options.threadId,
    assistant_id: assistantId,
    run_id: runId,
    status,
    metadata: options.metadata ?? {},
    prevent_insert_if_inflight: options.preventInsertInInflight,
    multitask_strategy: multitaskStrategy,
    if_not_exists: ifNotExists,
    after_seconds: options.afterSeconds ?? 0,
    kwargs,
  };
}

type Found = {
  readonly asked: AskedRun;
  readonly assistant: z.infer<typeof Assistant>;
  readonly metadata: Record<string, unknown>;
};

/** The thread, locked until the run is in: two runs that come at once see one another. */
async function threadFor(
  query: Query,
  { asked, assistant, metadata, filters }: AllowedRun,
): Promise<Thread | undefined> {
  const { assistantId, kwargs, options } = asked;
  const marks = { graph_id: assistant.graph_id, assistant_id: assistantId };
  const sent = withLogin(kwargs.config, asked.auth);
  const { threadId = newId(), ifNotExists } = options;
  const isNew = options.threadId === undefined || ifNotExists === "create";
  const columns = "thread_id, config, metadata, interrupts";
  if (isNew) {
    const config = keptOf(merged(assistant.config, sent));
    const [created] = await query(
      `insert into plangraph.threads (thread_id, status, metadata, config)
       values ($1, 'busy', $2, $3) on conflict do nothing returning ${columns}`,
      [threadId, jsonColumn({ ...marks, ...metadata }), jsonColumn(config)],
    );
    if (created !== undefined) return Thread.parse(created);
  }
  const [row] = await query(
    `select ${columns}, status, plangraph.may_see(metadata, $2) as may_see
     from plangraph.threads where thread_id = $1 for update`,
    [threadId, filterColumn(filters)],
  );
  if (row === undefined) return undefined;
  if (row["may_see"] !== true) throw notFound("Thread");
  const thread = Thread.parse(row);
  if (row["status"] === "busy") return thread;
  const config = keptOf(merged(assistant.config, thread.config, sent));
  await query(
    `update plangraph.threads set status = 'busy', metadata = metadata || $2, config = $3,
       updated_at = now() where thread_id = $1`,
    [threadId, jsonColumn(marks), jsonColumn(config)],
  );
  return { ...thread, metadata: { ...thread.metadata, ...marks } };
}

/** Counts no further than it must: with a crowd that waits, each new run would count all of it. */
async function checkWaiting(query: Query, { maxWaiting }: RunRules): Promise<void> {
  const waiting = await query(
    "select 1 from plangraph.runs where status = 'pending' and not_before <= now() offset $1 limit 1",
    [maxWaiting - 1],
  );
  if (waiting.length === 0) return;
  const headers = { "retry-after": "10" };
  throw new HttpError(429, `${maxWaiting} runs wait already. Try again later.`, headers);
}

function isLater({ options: { afterSeconds = 0 } }: AskedRun): boolean {
  return afterSeconds > 0;
}

function budgetsFor({ auth }: AskedRun, { budgets }: RunRules) {
  return budgetsOf(budgets, payerOf(auth?.user));
}

/** Keeps what people decided, whatever becomes of the run. */
async function recordDecisions(query: Query, asked: AskedRun, thread: Thread): Promise<void> {
  const { runId, kwargs, auth } = asked;
  const resume: unknown = kwargs.command?.resume;
  if (resume === undefined) return;
  const sent = sentDecisions(resume, thread.interrupts ?? {});
  if (sent.length === 0) return;
  const rows = sent.map(({ requestId, tool, args, type, message, decidedBy }) => [
    textColumn(requestId),
    textColumn(tool),
    args === undefined ? null : JSON.stringify(args),
    type,
    textColumn(message),
    textColumn(decidedBy),
  ]);
  await query(
    `insert into plangraph.decisions
       (thread_id, run_id, identity, request_id, tool, args, type, message, decided_by)
     select $1, $2, $3, request_id, tool, args::json, type, message, decided_by
     from unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[]) with ordinality
       d (request_id, tool, args, type, message, decided_by, place) order by place`,
    [
      thread.thread_id,
      runId,
      textColumn(auth?.user.identity),
      ...[0, 1, 2, 3, 4, 5].map((at) => rows.map((row) => row[at])),
    ],
  );
}

type Added = Found & { readonly thread: Thread; readonly rules: RunRules };

/** What the worker is given: the run as it was asked for, with what its assistant and its thread add. */
function kwargsOf({ asked, assistant, thread, metadata, rules }: Added): RunKwargs {
  const { runId, assistantId, kwargs, options } = asked;
  const config = withLogin(kwargs.config, asked.auth);
  const kept = keptOf(withLogin(thread.config, asked.auth));
  const configurable = merged(assistant.config, kept, config)["configurable"];
  const userId = fieldsOf(configurable)["user_id"] ?? options.userId;
  const about = Object.assign({}, assistant.metadata, thread.metadata, metadata);
  return {
    ...kwargs,
    ...boundCommand(kwargs, thread.interrupts ?? {}, rules),
    config: {
      ...assistant.config,
      ...config,
      configurable: {
        ...fieldsOf(configurable),
        run_id: runId,
        thread_id: thread.thread_id,
        graph_id: assistant.graph_id,
        assistant_id: assistantId,
        ...(userId !== undefined && { user_id: userId }),
      },
      metadata: about,
    },
    context: { ...fieldsOf(assistant.context), ...fieldsOf(kwargs.context) },
  };
}

async function insert(query: Query, added: Added): Promise<Run> {
  const { runId, assistantId, options } = added.asked;
  const { assistant, thread } = added;
  const kwargs = kwargsOf(added);
  const budgets = budgetsFor(added.asked, added.rules);
  const about = fieldsOf(kwargs.config?.metadata);
  const [row] = await query(
    `insert into plangraph.runs (run_id, thread_id, assistant_id, graph_id, status, metadata, kwargs,
       multitask_strategy, created_at, not_before, rank, budgets, scheduled_by)
     select $1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp(), ready, ready - $10 * interval '1 minute', $11, $12
     from (select clock_timestamp() + $9 * interval '1 second' as ready) t returning ${runColumns}`,
    [
      runId,
      thread.thread_id,
      assistantId,
      assistant.graph_id,
      options.status ?? "pending",
      jsonColumn(about),
      JSON.stringify(kwargs),
      options.multitaskStrategy ?? "reject",
      options.afterSeconds ?? 0,
      priorityIn(about),
      budgets.length === 0 ? null : JSON.stringify(budgets),
      isLater(added.asked) ? userKey(payerOf(added.asked.auth?.user)) : null,
    ],
  );
  return runOf(row ?? {});
}

/** `metadata.priority`: minutes that a run is ahead of others; 0 without one. */
function priorityIn({ priority }: Record<string, unknown>): number {
  return typeof priority === "number" && Math.abs(priority) <= 10_000 ? priority : 0;
}
