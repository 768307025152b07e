import { stat } from "node:fs/promises";
import { join } from "node:path";

import { PlangraphError } from "../errors.js";
import { defined } from "../json/json.js";
import { forgetFacts } from "../runtime/facts.js";
import { checkNames, invalidOption, shown } from "../run/check-names.js";
import { openStore } from "./postgres-store.js";
import type { Database } from "./postgres/database.js";
import { type DecisionFilter, decisionsIn, type RecordedDecision } from "./postgres/decisions.js";
import { openEmbedded } from "./postgres/embedded.js";
import { type Forgotten, forgetItems, forgetThreads, type ItemsIn } from "./postgres/forget.js";
import { type PrunedDatabase, type PruneRules, pruneThreads } from "./postgres/prune.js";
import { openRemote } from "./postgres/remote.js";
import { migrate } from "./postgres/migrate.js";

/** Where a server keeps its threads: a Postgres, or a folder that no server has open. */
export type DatabasePlace = { readonly database: string } | { readonly data: string };

/**
 * Removes old checkpoints from a server's database, and records of ended runs but each thread's last. The newest `keep`
 * stay, with all that a paused or unfinished run needs; threads at work are left alone. Throws `invalid_option` for a
 * `keep` that is not a whole number from 1.
 */
export async function pruneDatabase(
  place: DatabasePlace,
  rules: PruneRules,
): Promise<PrunedDatabase> {
  checkNames("pruneDatabase", rules, { keep: true, olderThanMs: true, threadId: true });
  const { keep, threadId } = rules;
  if (!Number.isInteger(keep) || keep < 1) {
    throw invalidOption(`pruneDatabase: keep: expected a whole number from 1, got ${shown(keep)}.`);
  }
  if (threadId !== undefined) checkThread("pruneDatabase", threadId);
  return withDatabase(place, (database) => pruneThreads(database, rules));
}

/**
 * Deletes what a server's database holds of a thread, or of a user: threads whose metadata or login says that they are
 * theirs, with runs, events and checkpoints; their schedules, assistants and items in the store; the facts that they told,
 * and what they used. Without `tenant`, only what belongs to none: two tenants may have users of one name. Who decided
 * what, and when, stays, without the words. Returns the threads, and the items of the store that are left in namespaces with
 * the user's name.
 */
export async function forgetData(place: DatabasePlace, whose: Forgotten): Promise<ForgottenData> {
  if ("thread" in whose) checkThread("forgetData", whose.thread);
  else if (typeof whose.user !== "string" || whose.user.trim() === "") {
    throw invalidOption(`forgetData: user: expected a name, got ${shown(whose.user)}.`);
  }
  if ("user" in whose) checkNamespaces(whose.namespaces ?? []);
  return withDatabase(place, async (database) => {
    const threads = await forgetThreads(database, whose);
    if ("thread" in whose) return { threads, left: [] };
    const { user, tenant } = whose;
    await forgetFacts(await openStore(database), { user, ...defined({ tenant }) });
    return { threads, left: await forgetItems(database, whose) };
  });
}

/** What `forgetData` did. */
export type ForgottenData = {
  /** The threads that were deleted. */
  readonly threads: readonly string[];
  readonly left: readonly ItemsIn[];
};

function isNamespace(labels: unknown): boolean {
  if (!Array.isArray(labels) || labels.length === 0) return false;
  return labels.every((label) => typeof label === "string" && label !== "");
}

function checkNamespaces(namespaces: readonly (readonly string[])[]): void {
  const wrong = namespaces.find((labels) => !isNamespace(labels));
  if (wrong === undefined) return;
  throw invalidOption(
    `forgetData: namespaces: expected lists of labels such as ["memories", "ann"], got ${shown(wrong)}.`,
  );
}

/**
 * Reads what people decided, as the server took it, the oldest first: who, what, when, about which call. It is written
 * with the run that takes the decision, and outlives its thread.
 */
export async function readDecisions(
  place: DatabasePlace,
  each: (decision: RecordedDecision) => void,
  filter: DecisionFilter = {},
): Promise<void> {
  if (filter.thread !== undefined) checkThread("readDecisions", filter.thread);
  await withDatabase(place, async (database) => {
    for await (const decision of decisionsIn(database, filter)) each(decision);
  });
}

function checkThread(where: string, thread: string): void {
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(thread)) return;
  throw invalidOption(`${where}: thread: expected the id of a thread, got ${shown(thread)}.`);
}

/** Opening a folder would make a database in it. */
async function checkFolder(folder: string): Promise<void> {
  const found = await stat(join(folder, "postgres")).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw new PlangraphError(
    "unreadable_file",
    `${folder}: expected the data of a server, found none.`,
  );
}

async function withDatabase<Result>(
  place: DatabasePlace,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  if ("data" in place) await checkFolder(place.data);
  const database =
    "database" in place
      ? await openRemote({ url: place.database, connections: 2 })
      : await openEmbedded(place.data);
  try {
    await migrate(database);
    return await work(database);
  } finally {
    await database.close();
  }
}
