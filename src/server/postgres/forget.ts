import { z } from "zod";

import { userKey } from "./budgets.js";
import type { Database, Query } from "./database.js";
import { deleteThreads } from "./delete-threads.js";
import { schema } from "./schema.js";

/**
 * Whose data go: those of one thread, or of a user, of a tenant where there are several. `namespaces`: those of the store
 * that are the user's, with what is inside them.
 */
export type Forgotten =
  | { readonly thread: string }
  | {
      readonly user: string;
      readonly tenant?: string | undefined;
      readonly namespaces?: readonly (readonly string[])[] | undefined;
    };

/** Who a thread belongs to, as authorization handlers and callers mark it. */
const markedOwners = ["metadata ->> 'owner'", "metadata ->> 'user_id'"];
const owners = [
  ...markedOwners,
  "config #>> '{configurable,user_id}'",
  "config #>> '{configurable,langgraph_auth_user_id}'",
  "config #>> '{configurable,langgraph_auth_user,identity}'",
];
const tenant = "coalesce(metadata ->> 'tenant', config #>> '{configurable,tenant}')";

/**
 * Deletes threads with their runs, events and checkpoints, what else a user has, and the words of decisions on the threads;
 * who decided what, and when, stays. A run at work records nothing more. Returns the ids of the threads.
 */
export async function forgetThreads(
  { transaction }: Database,
  whose: Forgotten,
): Promise<readonly string[]> {
  return transaction(async (query) => {
    const [which, values] = threadsOf(whose);
    const rows = await query(
      `select thread_id from plangraph.threads where ${which} for update`,
      values,
    );
    await query(
      `with gone as (delete from plangraph.gone_runs where ${which} returning run_id)
       delete from plangraph.run_events where run_id in (select run_id from gone)`,
      values,
    );
    if ("user" in whose) await forgetUser(query, whose);
    const ids = rows.map((row) => z.object({ thread_id: z.string() }).parse(row).thread_id);
    await deleteThreads(query, ids);
    await query(
      "update plangraph.decisions set args = null, message = null where thread_id = any($1::uuid[])",
      [ids],
    );
    return ids;
  });
}

/** Which threads, and runs that had one, are meant. */
function threadsOf(whose: Forgotten): readonly [which: string, values: readonly unknown[]] {
  if ("thread" in whose) return ["thread_id = $1", [whose.thread]];
  const which = `$1 in (${owners.join(", ")}) and ${tenant} is not distinct from $2`;
  return [which, [whose.user, whose.tenant ?? null]];
}

type OfUser = Extract<Forgotten, { readonly user: string }>;

/** Deletes what belongs to a user beside threads: schedules, assistants with their runs, and what the user used on each day. */
async function forgetUser(query: Query, { user, tenant: name }: OfUser): Promise<void> {
  const of = [user, name ?? null];
  await query(
    `delete from plangraph.crons where $1 in (user_id, ${markedOwners.join(", ")},
       auth #>> '{user,identity}')
     and coalesce(metadata ->> 'tenant', auth #>> '{user,tenant}') is not distinct from $2`,
    of,
  );
  await query(
    `with gone as (
       delete from plangraph.assistants where $1 in (${markedOwners.join(", ")})
         and ${tenant} is not distinct from $2 returning assistant_id)
     delete from plangraph.runs where assistant_id in (select assistant_id from gone)`,
    of,
  );
  await query("delete from plangraph.spent where kind = 'user' and who = $1", [
    userKey({ user, tenant: name }),
  ]);
}

/** Items of the store in a namespace. */
export type ItemsIn = { readonly namespace: readonly string[]; readonly items: number };

/**
 * Deletes the items of a user in LangGraph's store: those whose value names the user as authorization handlers do, and
 * those in the given namespaces. Returns the others in whose namespace the user's name is: a user may be called as a namespace
 * of everybody, so that the name alone says nothing.
 */
export async function forgetItems(
  { query }: Database,
  { user, tenant: name, namespaces = [] }: OfUser,
): Promise<readonly ItemsIn[]> {
  const isNoFact = "not starts_with(namespace_path, 'plangraph:facts:')";
  await query(
    `delete from ${schema}.store where ($1 in (value ->> 'owner', value ->> 'user_id')
       and value ->> 'tenant' is not distinct from $2)
     or ${isNoFact} and exists (
       select from unnest($3::text[]) as given where starts_with(namespace_path || ':', given || ':'))`,
    [user, name ?? null, namespaces.map((labels) => labels.join(":"))],
  );
  const rows = await query(
    `select namespace_path as path, count(*)::int as items from ${schema}.store
     where ${isNoFact} and $1 = any(string_to_array(namespace_path, ':'))
     group by namespace_path order by namespace_path`,
    [user],
  );
  return rows.map((row) => {
    const { path, items } = z.object({ path: z.string(), items: z.number() }).parse(row);
    return { namespace: path.split(":"), items };
  });
}
