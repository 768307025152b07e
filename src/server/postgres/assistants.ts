import { handleAuthEvent } from "@langchain/langgraph-api/auth";
import type { AssistantsRepo } from "@langchain/langgraph-api/storage";

import { filterColumn } from "./auth-filter.js";
import type { Database, Query, Row } from "./database.js";
import { HttpError, notFound } from "./http-error.js";
import { jsonColumn } from "./json-column.js";
import { deleteThreads } from "./delete-threads.js";
import { assistantOf, versionColumns, versionOf } from "./rows.js";

const columns = `${versionColumns}, updated_at`;
const matching = `($1::text is null or graph_id = $1)
  and ($2::text is null or position(lower($2) in lower(name)) > 0)
  and metadata @> $3::jsonb and plangraph.may_see(metadata, $4)`;
const sortable: ReadonlySet<string> = new Set(["assistant_id", "updated_at", "name", "graph_id"]);

type Options<Name extends "search" | "put" | "patch"> = Parameters<
  AssistantsRepo[Name]
>[Name extends "search" ? 0 : 1];
type Auth = Parameters<AssistantsRepo["get"]>[1];

/** The assistants of a server, with all their versions. */
export function openAssistants({ query, transaction }: Database): AssistantsRepo {
  return {
    search: (options, auth) => search(query, options, auth),
    count: (options, auth) => count(query, options, auth),
    get: async (id, auth) => {
      const [filters] = await handleAuthEvent(auth, "assistants:read", { assistant_id: id });
      const rows = await query(
        `select ${columns} from plangraph.assistants
         where assistant_id = $1 and plangraph.may_see(metadata, $2)`,
        [id, filterColumn(filters)],
      );
      return assistantOf(only(rows));
    },
    // Handlers are asked before a transaction: a slow one would hold a connection.
    put: async (id, options, auth) => {
      const event = { ...options, metadata: options.metadata ?? {}, assistant_id: id };
      const [filters, marked] = await handleAuthEvent(auth, "assistants:create", event);
      const given = { options, metadata: marked.metadata, filters };
      return transaction((within) => put(within, id, given));
    },
    patch: async (id, options, auth) => {
      const event = { assistant_id: id, ...options };
      const [filters, marked] = await handleAuthEvent(auth, "assistants:update", event);
      const given = { options, metadata: marked.metadata, filters };
      return transaction((within) => patch(within, id, given));
    },
    delete: async (id, withThreads, auth) => {
      const [filters] = await handleAuthEvent(auth, "assistants:delete", { assistant_id: id });
      await transaction((within) => remove(within, id, { withThreads, filters }));
      return [id];
    },
    setLatest: (id, version, auth) => setLatest(query, id, version, auth),
    getVersions: async (id, { limit, offset, metadata }, auth) => {
      const [filters] = await handleAuthEvent(auth, "assistants:read", { assistant_id: id });
      const rows = await query(
        `select ${versionColumns} from plangraph.assistant_versions
         where assistant_id = $1 and metadata @> $2::jsonb and plangraph.may_see(metadata, $3)
         order by version desc limit $4 offset $5`,
        [id, jsonColumn(metadata ?? {}), filterColumn(filters), limit, offset],
      );
      return rows.map(versionOf);
    },
  };
}

async function count(
  query: Query,
  options: Parameters<AssistantsRepo["count"]>[0],
  auth: Auth,
): Promise<number> {
  const { metadata = {}, ...rest } = options;
  const event = { ...rest, metadata, limit: 0, offset: 0 };
  const [filters] = await handleAuthEvent(auth, "assistants:search", event);
  const [row] = await query(
    `select count(*)::int as count from plangraph.assistants where ${matching}`,
    searched(options, filters),
  );
  return Number(row?.["count"]);
}

async function remove(
  query: Query,
  id: string,
  { withThreads, filters }: { readonly withThreads: boolean; readonly filters: unknown },
): Promise<void> {
  const rows = await query(
    `delete from plangraph.assistants
     where assistant_id = $1 and plangraph.may_see(metadata, $2) returning assistant_id`,
    [id, filterColumn(filters)],
  );
  only(rows);
  await query("delete from plangraph.runs where assistant_id = $1", [id]);
  if (!withThreads) return;
  const threads = await query(
    `select thread_id from plangraph.threads
     where metadata ->> 'assistant_id' = $1 and plangraph.may_see(metadata, $2)`,
    [id, filterColumn(filters)],
  );
  const ids = threads.map((thread) => thread["thread_id"]);
  await deleteThreads(query, ids);
}

async function setLatest(query: Query, id: string, version: number, auth: Auth) {
  const event = { assistant_id: id, version };
  const [filters] = await handleAuthEvent(auth, "assistants:update", event);
  const rows = await query(
    `update plangraph.assistants a set updated_at = now(), version = v.version,
       config = v.config, metadata = v.metadata, name = v.name
     from plangraph.assistant_versions v
     where a.assistant_id = $1 and v.assistant_id = $1 and v.version = $2
       and plangraph.may_see(a.metadata, $3)
     returning ${columns.replaceAll(/\w+/g, "a.$&")}`,
    [id, version, filterColumn(filters)],
  );
  return assistantOf(only(rows, "Assistant version"));
}

async function* search(query: Query, options: Options<"search">, auth: Auth) {
  const { graph_id, metadata, limit, offset, sort_by = "", sort_order } = options;
  const event = { metadata: metadata ?? {}, limit, offset, ...(graph_id && { graph_id }) };
  const [filters] = await handleAuthEvent(auth, "assistants:search", event);
  const by = sortable.has(sort_by) ? sort_by : "created_at";
  const rows = await query(
    `select ${columns}, count(*) over ()::int as total from plangraph.assistants where ${matching}
     order by ${by} ${sort_order === "asc" ? "asc" : "desc"}, assistant_id limit $5 offset $6`,
    [...searched(options, filters), limit, offset],
  );
  for (const row of rows) yield { assistant: assistantOf(row), total: Number(row["total"]) };
}

function searched(
  { graph_id, name, metadata }: Partial<Options<"search">>,
  filters: unknown,
): readonly unknown[] {
  return [graph_id ?? null, name ?? null, jsonColumn(metadata ?? {}), filterColumn(filters)];
}

type Given<Name extends "put" | "patch"> = {
  readonly options: Options<Name>;
  /** As handlers have marked it. */
  readonly metadata: unknown;
  readonly filters: unknown;
};

async function put(query: Query, id: string, { options, metadata, filters }: Given<"put">) {
  const { graph_id, config, context, name, description, if_exists } = options;
  const [created] = await query(
    `insert into plangraph.assistants
       (assistant_id, version, graph_id, config, context, metadata, name, description)
     values ($1, 1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning ${columns}`,
    [
      id,
      graph_id,
      jsonColumn(config ?? {}),
      jsonColumn(context ?? {}),
      jsonColumn(metadata ?? {}),
      name || graph_id,
      description ?? null,
    ],
  );
  if (created !== undefined) {
    await keepVersion(query, id);
    return assistantOf(created);
  }
  const [existing] = await query(
    `select ${columns} from plangraph.assistants
     where assistant_id = $1 and plangraph.may_see(metadata, $2)`,
    [id, filterColumn(filters)],
  );
  if (existing === undefined || if_exists === "raise") {
    throw new HttpError(409, "Assistant already exists");
  }
  return assistantOf(existing);
}

async function patch(query: Query, id: string, { options, metadata, filters }: Given<"patch">) {
  const { graph_id, config, context, name, description } = options;
  const rows = await query(
    `update plangraph.assistants a set updated_at = now(),
       version = 1 + (select max(version) from plangraph.assistant_versions v
         where v.assistant_id = a.assistant_id),
       graph_id = coalesce($3, graph_id), config = coalesce($4::jsonb, config),
       context = coalesce($5::jsonb, context), metadata = metadata || coalesce($6::jsonb, '{}'),
       name = coalesce($7, name), description = coalesce($8, description)
     where assistant_id = $1 and plangraph.may_see(metadata, $2) returning ${columns}`,
    [
      id,
      filterColumn(filters),
      graph_id ?? null,
      optional(config),
      optional(context),
      optional(metadata),
      name ?? null,
      description ?? null,
    ],
  );
  const patched = assistantOf(only(rows));
  await keepVersion(query, id);
  return patched;
}

async function keepVersion(query: Query, id: string): Promise<void> {
  await query(
    `insert into plangraph.assistant_versions
       (assistant_id, version, graph_id, config, context, metadata, name, description)
     select assistant_id, version, graph_id, config, context, metadata, name, description
     from plangraph.assistants where assistant_id = $1`,
    [id],
  );
}

function optional(value: unknown): string | null {
  return value === undefined || value === null ? null : jsonColumn(value);
}

function only(rows: readonly Row[], what = "Assistant"): Row {
  const [row] = rows;
  if (row === undefined) throw notFound(what);
  return row;
}
