import { handleAuthEvent } from "@langchain/langgraph-api/auth";
import type { ThreadsRepo } from "@langchain/langgraph-api/storage";
import { v7 as newId } from "@langchain/core/utils/uuid";

import { filterColumn } from "./auth-filter.js";
import { fieldsOf, withLogin } from "./config.js";
import type { Database, Query } from "./database.js";
import { deleteThreads } from "./delete-threads.js";
import { HttpError, notFound } from "./http-error.js";
import { jsonColumn } from "./json-column.js";
import { threadColumns, threadOf } from "./rows.js";

type Search = Parameters<ThreadsRepo["search"]>[0];
type Auth = Parameters<ThreadsRepo["get"]>[1];

/** The threads of a server, without what only its worker changes. */
export type Threads = Omit<ThreadsRepo, "state" | "setStatus">;

const sortable: ReadonlySet<string> = new Set(["thread_id", "status", "updated_at"]);
const matching = `($1::uuid[] is null or thread_id = any($1)) and metadata @> $2::jsonb
  and ($3::jsonb is null or "values" @> $3::jsonb) and ($4::text is null or status = $4)
  and plangraph.may_see(metadata, $5)`;

/** Opens the threads of a database. */
export function openThreads({ query, transaction }: Database): Threads {
  return {
    search: (options, auth) => search(query, options, auth),
    count: (options, auth) => count(query, options, auth),
    get: async (id, auth) => {
      const [filters] = await handleAuthEvent(auth, "threads:read", { thread_id: id });
      const [row] = await query(
        `select ${threadColumns} from plangraph.threads
         where thread_id = $1 and plangraph.may_see(metadata, $2)`,
        [id, filterColumn(filters)],
      );
      if (row === undefined) throw notFound(`Thread with ID ${id}`);
      return threadOf(row);
    },
    put: (id, options, auth) => put(query, id, options, auth),
    patch: (id, options, auth) => patch(query, id, options, auth),
    delete: async (id, auth) => {
      const [filters] = await handleAuthEvent(auth, "threads:delete", { thread_id: id });
      return transaction(async (within) => {
        const [row] = await within(
          `select 1 from plangraph.threads
           where thread_id = $1 and plangraph.may_see(metadata, $2) for update`,
          [id, filterColumn(filters)],
        );
        if (row === undefined) throw notFound(`Thread with ID ${id}`);
        await deleteThreads(within, [id]);
        return [id];
      });
    },
    copy: async (id, auth) => {
      const [filters] = await handleAuthEvent(auth, "threads:read", { thread_id: id });
      const [from] = await query(
        `select metadata, config from plangraph.threads
         where thread_id = $1 and plangraph.may_see(metadata, $2)`,
        [id, filterColumn(filters)],
      );
      if (from === undefined) throw new HttpError(409, "Thread not found");
      const copied = newId();
      const metadata = { ...fieldsOf(from["metadata"]), thread_id: copied };
      const event = { thread_id: copied, metadata };
      const [, marked] = await handleAuthEvent(auth, "threads:create", event);
      const config = auth === undefined ? from["config"] : withLogin(from["config"], auth);
      const to = { id: copied, metadata: marked.metadata, config };
      return transaction((within) => copy(within, id, to));
    },
  };
}

async function count(
  query: Query,
  options: Parameters<ThreadsRepo["count"]>[0],
  auth: Auth,
): Promise<number> {
  const event = { ...options, limit: 0, offset: 0 };
  const [filters] = await handleAuthEvent(auth, "threads:search", event);
  const [row] = await query(
    `select count(*)::int as count from plangraph.threads where ${matching}`,
    searched(options, filters),
  );
  return Number(row?.["count"]);
}

async function patch(
  query: Query,
  id: string,
  options: Parameters<ThreadsRepo["patch"]>[1],
  auth: Auth,
) {
  const event = { thread_id: id, ...options };
  const [filters, mutable] = await handleAuthEvent(auth, "threads:update", event);
  const [row] = await query(
    `update plangraph.threads set metadata = metadata || $3, updated_at = now()
     where thread_id = $1 and plangraph.may_see(metadata, $2) returning ${threadColumns}`,
    [id, filterColumn(filters), jsonColumn(mutable.metadata ?? {})],
  );
  if (row === undefined) throw notFound("Thread");
  return threadOf(row);
}

async function* search(query: Query, options: Search, auth: Auth) {
  const { sort_by = "", sort_order, limit, offset } = options;
  const { metadata, status, values } = options;
  const event = { metadata, status, values, limit, offset };
  const [filters] = await handleAuthEvent(auth, "threads:search", event);
  const by = sortable.has(sort_by) ? sort_by : "created_at";
  const rows = await query(
    `select ${threadColumns}, count(*) over ()::int as total from plangraph.threads
     where ${matching} order by ${by} ${sort_order === "asc" ? "asc" : "desc"}, thread_id
     limit $6 offset $7`,
    [...searched(options, filters), limit, offset],
  );
  for (const row of rows) yield { thread: threadOf(row), total: Number(row["total"]) };
}

function searched(
  { ids, metadata, values, status }: Partial<Search>,
  filters: unknown,
): readonly unknown[] {
  return [
    ids === undefined || ids.length === 0 ? null : ids,
    jsonColumn(metadata ?? {}),
    values === undefined ? null : jsonColumn(values),
    status ?? null,
    filterColumn(filters),
  ];
}

async function put(
  query: Query,
  id: string,
  options: Parameters<ThreadsRepo["put"]>[1],
  auth: Auth,
) {
  const event = { thread_id: id, metadata: options.metadata, if_exists: options.if_exists };
  const [filters, mutable] = await handleAuthEvent(auth, "threads:create", event);
  const [created] = await query(
    `insert into plangraph.threads (thread_id, metadata) values ($1, $2)
     on conflict do nothing returning ${threadColumns}`,
    [id, jsonColumn(mutable.metadata ?? {})],
  );
  if (created !== undefined) return threadOf(created);
  const [existing] = await query(
    `select ${threadColumns} from plangraph.threads
     where thread_id = $1 and plangraph.may_see(metadata, $2)`,
    [id, filterColumn(filters)],
  );
  if (existing === undefined || options.if_exists === "raise") {
    throw new HttpError(409, "Thread already exists");
  }
  return threadOf(existing);
}

type Copy = { readonly id: string; readonly metadata: unknown; readonly config: unknown };

/** A run that is under way stays with the first thread: the copy has what it has recorded so far. */
async function copy(query: Query, from: string, { id: to, metadata, config }: Copy) {
  const [row] = await query(
    `insert into plangraph.threads (thread_id, metadata, config, "values", status, interrupts)
     select $2, $3, $4, "values", case status when 'interrupted' then status else 'idle' end,
       case status when 'interrupted' then interrupts end
     from plangraph.threads where thread_id = $1 returning ${threadColumns}`,
    [from, to, jsonColumn(metadata), jsonColumn(config)],
  );
  if (row === undefined) throw new HttpError(409, "Thread not found");
  const named = "replace(metadata::text, $1::uuid::text, $2::uuid::text)::jsonb";
  await query(
    `insert into plangraph.states (thread_id, ns, checkpoint_id, parent_id, checkpoint, metadata)
     select $2, ns, checkpoint_id, parent_id, checkpoint, ${named}
     from plangraph.states where thread_id = $1`,
    [from, to],
  );
  await query(
    `insert into plangraph.state_values (thread_id, ns, version, checkpoint_id, data)
     select $2, ns, version, checkpoint_id, data from plangraph.state_values where thread_id = $1`,
    [from, to],
  );
  await query(
    `insert into plangraph.state_writes
       (thread_id, ns, checkpoint_id, task_id, place, task_path, data)
     select $2, ns, checkpoint_id, task_id, place, task_path, data
     from plangraph.state_writes where thread_id = $1`,
    [from, to],
  );
  return threadOf(row);
}
