import { handleAuthEvent } from "@langchain/langgraph-api/auth";
import { getAssistantId } from "@langchain/langgraph-api/graph";
import { v7 as newId } from "@langchain/core/utils/uuid";
import { z } from "zod";

import { PlangraphError } from "../../errors.js";
import { defined } from "../../json/json.js";
import { errorLine } from "../../observe/redact.js";
import { issueLines } from "../../run/errors.js";
import { nextDue, type Schedule } from "../cron-schedule.js";
import { checkWebhook } from "../webhooks.js";
import { filterColumn } from "./auth-filter.js";
import { payerOf } from "./budgets.js";
import type { Auth } from "./config.js";
import type { Database, Query, Row } from "./database.js";
import { HttpError, notFound } from "./http-error.js";
import { jsonColumn } from "./json-column.js";
import type { RunRules } from "./new-run.js";
import { checkScheduled } from "./scheduled.js";

const Fields = z.record(z.string(), z.unknown());

const StreamMode = z.enum([
  "values",
  "messages",
  "messages-tuple",
  "updates",
  "events",
  "debug",
  "tasks",
  "checkpoints",
  "custom",
  "tools",
]);

/** What a cron's runs are asked with: what a run is created with, except its thread. */
export const Payload = z.object({
  input: z.unknown().optional(),
  config: Fields.optional(),
  context: z.unknown().optional(),
  metadata: Fields.optional(),
  webhook: z.string().optional(),
  interrupt_before: z.union([z.literal("*"), z.array(z.string())]).optional(),
  interrupt_after: z.union([z.literal("*"), z.array(z.string())]).optional(),
  multitask_strategy: z.enum(["reject", "rollback", "interrupt", "enqueue"]).optional(),
  stream_mode: z.union([StreamMode, z.array(StreamMode)]).optional(),
  stream_subgraphs: z.boolean().optional(),
  stream_resumable: z.boolean().optional(),
});

const Moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const Ending = z.enum(["delete", "keep"]);

/** What a client creates a cron with. */
const NewCron = Payload.extend({
  assistant_id: z.string().transform(getAssistantId),
  schedule: z.string(),
  timezone: z.string().nullable().default(null),
  end_time: Moment.nullable().default(null),
  on_run_completed: Ending.default("delete"),
  enabled: z.boolean().default(true),
});
/** What a client changes of one. */
const CronChange = Payload.extend({
  schedule: z.string().optional(),
  timezone: z.string().nullish(),
  end_time: Moment.nullish(),
  on_run_completed: Ending.optional(),
  enabled: z.boolean().optional(),
});
/** Which crons a client searches. */
const CronSearch = z.object({
  assistant_id: z.string().optional(),
  thread_id: z.uuid().optional(),
  enabled: z.boolean().optional(),
  metadata: Fields.optional(),
  limit: z.int().min(1).max(1_000).default(10),
  offset: z.int().min(0).default(0),
  sort_by: z.string().optional(),
  sort_order: z.enum(["asc", "desc"]).default("desc"),
});

const columns = `cron_id, assistant_id, thread_id, schedule, timezone, end_time, on_run_completed, enabled,
  payload, metadata, user_id, next_run_date, created_at, updated_at`;

const sortable: ReadonlySet<string> = new Set([
  "cron_id",
  "assistant_id",
  "thread_id",
  "next_run_date",
  "end_time",
  "created_at",
  "updated_at",
]);

/** The schedules of a server. */
export type Crons = {
  readonly create: (given: unknown, threadId: string | undefined, auth: Auth) => Promise<Row>;
  readonly change: (cronId: string, given: unknown, auth: Auth) => Promise<Row>;
  readonly remove: (cronId: string, auth: Auth) => Promise<void>;
  readonly search: (given: unknown, auth: Auth) => Promise<readonly Row[]>;
  readonly count: (given: unknown, auth: Auth) => Promise<number>;
};

/** Opens the schedules of a database. */
export function openCrons({ query }: Database, rules: RunRules): Crons {
  return {
    create: (given, threadId, auth) => create(query, { given, threadId, auth, rules }),
    change: (cronId, given, auth) => change(query, cronId, { given, auth, rules }),
    remove: async (cronId, auth) => {
      const [filters] = await handleAuthEvent(auth, "crons:delete", { cron_id: cronId });
      const rows = await query(
        "delete from plangraph.crons where cron_id = $1 and plangraph.may_see(metadata, $2) returning 1",
        [cronId, filterColumn(filters)],
      );
      if (rows.length === 0) throw notFound("Cron");
    },
    search: async (given, auth) => {
      const asked = read(CronSearch, given);
      const order = sortable.has(asked.sort_by ?? "") ? asked.sort_by : "created_at";
      return query(
        `select ${columns} ${matching} order by ${order} ${asked.sort_order}, cron_id limit $6 offset $7`,
        [...(await matchingValues(asked, auth)), asked.limit, asked.offset],
      );
    },
    count: async (given, auth) => {
      const asked = read(CronSearch, given);
      const [row] = await query(
        `select count(*)::int as crons ${matching}`,
        await matchingValues(asked, auth),
      );
      return z.object({ crons: z.number() }).parse(row).crons;
    },
  };
}

const matching = `from plangraph.crons where ($1::text is null or assistant_id = $1)
  and ($2::uuid is null or thread_id = $2) and ($3::boolean is null or enabled = $3)
  and metadata @> $4::jsonb and plangraph.may_see(metadata, $5)`;

async function matchingValues(asked: z.infer<typeof CronSearch>, auth: Auth) {
  const { assistant_id: given, thread_id: threadId, enabled, metadata = {} } = asked;
  const assistant = given === undefined ? undefined : getAssistantId(given);
  const event = { assistant_id: assistant ?? null, thread_id: threadId ?? null };
  const [filters] = await handleAuthEvent(auth, "crons:search", event);
  return [
    assistant ?? null,
    threadId ?? null,
    enabled ?? null,
    jsonColumn(metadata),
    filterColumn(filters),
  ];
}

type Asked = {
  readonly given: unknown;
  readonly threadId: string | undefined;
  readonly auth: Auth;
  readonly rules: RunRules;
};

async function create(query: Query, { given, threadId, auth, rules }: Asked): Promise<Row> {
  const { assistant_id: assistantId, ...asked } = read(NewCron, given);
  const { schedule, timezone, end_time: endTime, on_run_completed: after, ...rest } = asked;
  const { enabled, ...payload } = rest;
  checkWebhook(payload.webhook, rules.webhookHosts);
  const { metadata: about = {} } = payload;
  const event = {
    cron_id: newId(),
    schedule,
    payload,
    thread_id: threadId ?? null,
    user_id: auth?.user.identity ?? null,
    end_time: endTime?.toISOString() ?? null,
    metadata: about,
  };
  // Handlers mark what they may show later.
  const [, marked] = await handleAuthEvent(auth, "crons:create", event);
  const metadata: unknown = Reflect.get(marked, "metadata");
  await checkPlaces(query, { assistantId, threadId, auth });
  await checkScheduled(query, payerOf(auth?.user), rules);
  const [row] = await query(
    `insert into plangraph.crons (cron_id, assistant_id, thread_id, schedule, timezone, end_time,
       on_run_completed, enabled, payload, metadata, user_id, auth, next_run_date)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning ${columns}`,
    [
      event.cron_id,
      assistantId,
      event.thread_id,
      schedule,
      timezone,
      endTime,
      after,
      enabled,
      JSON.stringify(payload),
      jsonColumn(metadata),
      event.user_id,
      auth === undefined ? null : JSON.stringify(auth),
      await dueAfter({ schedule, timezone, endTime }, new Date()),
    ],
  );
  return row ?? {};
}

type Places = {
  readonly assistantId: string;
  readonly threadId: string | undefined;
  readonly auth: Auth;
};

/** As for a run: an assistant that is there, and a thread that may be seen. Each run is checked again. */
async function checkPlaces(query: Query, { assistantId, threadId, auth }: Places): Promise<void> {
  const [assistant] = await query(
    "select 1 from plangraph.assistants where assistant_id::text = $1",
    [assistantId],
  );
  if (assistant === undefined) throw notFound("Assistant");
  if (threadId === undefined) return;
  const [filters] = await handleAuthEvent(auth, "threads:read", { thread_id: threadId });
  const [thread] = await query(
    "select 1 from plangraph.threads where thread_id = $1 and plangraph.may_see(metadata, $2)",
    [threadId, filterColumn(filters)],
  );
  if (thread === undefined) throw notFound("Thread");
}

/** What of a cron a change may leave as it is. */
const Kept = z.object({
  schedule: z.string(),
  timezone: z.string().nullable(),
  end_time: z.date().nullable(),
  on_run_completed: z.string(),
  enabled: z.boolean(),
  payload: Payload,
});

async function change(
  query: Query,
  cronId: string,
  { given, auth, rules }: Omit<Asked, "threadId">,
): Promise<Row> {
  const asked = read(CronChange, given);
  const { schedule, timezone, end_time: end, on_run_completed: after, enabled, ...payload } = asked;
  checkWebhook(payload.webhook, rules.webhookHosts);
  const [filters] = await handleAuthEvent(auth, "crons:update", { cron_id: cronId, payload });
  const [found] = await query(
    `select ${columns} from plangraph.crons where cron_id = $1 and plangraph.may_see(metadata, $2)`,
    [cronId, filterColumn(filters)],
  );
  if (found === undefined) throw notFound("Cron");
  const kept = Kept.parse(found);
  const timed = {
    schedule: schedule ?? kept.schedule,
    timezone: timezone ?? kept.timezone,
    endTime: end === undefined ? kept.end_time : end,
  };
  const [row] = await query(
    `update plangraph.crons set schedule = $2, timezone = $3, end_time = $4, on_run_completed = $5,
       enabled = $6, payload = $7, next_run_date = $8, taken_until = null, updated_at = now()
     where cron_id = $1 returning ${columns}`,
    [
      cronId,
      timed.schedule,
      timed.timezone,
      timed.endTime,
      after ?? kept.on_run_completed,
      enabled ?? kept.enabled,
      JSON.stringify({ ...kept.payload, ...defined(payload) }),
      await dueAfter(timed, new Date()),
    ],
  );
  return row ?? {};
}

/** When it is due after a moment; null: never. Throws 422 for a schedule or a zone that is none. */
async function dueAfter(timed: Schedule, after: Date): Promise<Date | null> {
  try {
    return (await nextDue(timed, after)) ?? null;
  } catch (error) {
    if (error instanceof PlangraphError) throw new HttpError(501, error.message);
    throw new HttpError(422, `schedule: ${errorLine(error)}`);
  }
}

function read<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new HttpError(422, issueLines(parsed.error.issues).join("; "));
}
