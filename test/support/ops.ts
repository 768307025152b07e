import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { InMemoryStore } from "@langchain/langgraph";
import { registerAuth } from "@langchain/langgraph-api/auth";
import type { RunKwargs } from "@langchain/langgraph-api/storage";
import { v7 as newId } from "@langchain/core/utils/uuid";

import type { Database } from "../../src/server/postgres/database.js";
import { openEmbedded } from "../../src/server/postgres/embedded.js";
import { openLeases } from "../../src/server/postgres/lease.js";
import type { RunRules } from "../../src/server/postgres/new-run.js";
import { openOps } from "../../src/server/postgres/ops.js";
import { openRemote } from "../../src/server/postgres/remote.js";
import { migrate } from "../../src/server/postgres/migrate.js";
import { openSaver } from "../../src/server/postgres-saver.js";
import { fillFolder } from "./embedded-folder.js";
import { startPostgres, whyNoPostgres } from "./postgres.js";

/** A database of tests. */
export type OpenedDatabase = {
  readonly database: Database;
  /** Another process of the same database; absent where there can be none. */
  readonly another?: () => Promise<Database>;
  readonly close: () => Promise<void>;
};

const reason = whyNoPostgres();

/** The databases that a server can have. */
export const databases = [
  { name: "in a folder", isSkipped: false, open: openInFolder },
  {
    name: reason === undefined ? "of Postgres" : `of Postgres (skipped: ${reason})`,
    isSkipped: reason !== undefined,
    open: openOfPostgres,
  },
];

async function openInFolder(): Promise<OpenedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "plangraph-folder-"));
  await fillFolder(folder);
  const database = await openEmbedded(folder);
  await migrate(database);
  return {
    database,
    close: async () => {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openOfPostgres(): Promise<OpenedDatabase> {
  const server = await startPostgres();
  const opened: Database[] = [];
  const another = async () => {
    const database = await openRemote({ url: server.url, connections: 10 });
    opened.push(database);
    return database;
  };
  const database = await another();
  await migrate(database);
  return {
    database,
    another,
    close: async () => {
      await Promise.all(opened.map((each) => each.close()));
      await server.stop();
    },
  };
}

/** Rules for new runs that refuse next to nothing. */
export const noRules: RunRules = {
  requireDecisionIds: true,
  maxWaiting: 100,
  maxScheduled: 1_000,
  budgets: {},
  webhookHosts: [],
};

/** The storage of a server, with a graph `g` that never runs here. */
export async function openStorage(
  database: Database,
  { leaseMs = 60_000, ...rules }: Partial<RunRules> & { readonly leaseMs?: number } = {},
) {
  const leases = openLeases(database, leaseMs);
  const checkpointer = openSaver(database, (lease) => {
    const held = leases.withLease(lease);
    if (held !== undefined) leases.lose(held);
  });
  const { ops, stop } = openOps({
    database,
    leases,
    leaseMs,
    slots: 100,
    providerLimits: {},
    graphs: () => ["g"],
    storage: { checkpointer, store: new InMemoryStore() },
    rules: { ...noRules, ...rules },
  });
  const assistant = newId();
  const made = { config: {}, context: {}, graph_id: "g", if_exists: "raise" } as const;
  await ops.assistants.put(assistant, made, undefined);
  return {
    ops,
    leases,
    checkpointer,
    assistant,
    /** Adds a run; on a new thread, if none is given. */
    add: async (
      options: Parameters<typeof ops.runs.put>[3] = {},
      kwargs: RunKwargs = { input: { n: 1 } },
    ) => ops.runs.put(newId(), assistant, kwargs, options, undefined),
    close: async () => {
      const stopped = stop();
      leases.close();
      await stopped;
    },
  };
}

/** Who asks, as LangGraph's server says it. */
export function loginOf(identity: string, tenant?: string) {
  const about = { display_name: identity, is_authenticated: true, permissions: [] };
  return { user: { identity, ...about, ...(tenant !== undefined && { tenant }) }, scopes: [] };
}

type Handler = (asked: {
  readonly event: string;
  readonly value: Record<string, unknown>;
  readonly user: { readonly identity: string };
}) => unknown;

/** Makes these the authorization handlers of this process, by their events; called for logins alone. */
export async function setHandlers(callbacks: Readonly<Record<string, Handler>>): Promise<void> {
  Reflect.set(globalThis, "plangraphHandlers", { callbacks });
  const folder = await mkdtemp(join(tmpdir(), "plangraph-handlers-"));
  await writeFile(
    join(folder, "auth.mjs"),
    'export const auth = { get "~handlerCache"() { return globalThis.plangraphHandlers; } };',
  );
  await registerAuth({ path: "auth.mjs:auth" }, { cwd: folder });
  await rm(folder, { recursive: true });
}

/** An id of a checkpoint. */
export const idOf = (at: number) => `00000000-0000-4000-8000-00000000000${at}`;

/** A checkpoint whose channel `x` has its id. */
export function checkpointOf(at: number) {
  const id = idOf(at);
  return {
    v: 4,
    id,
    ts: new Date(0).toISOString(),
    channel_values: { x: id },
    channel_versions: { x: 1 },
    versions_seen: {},
  };
}

/** What LangGraph says of a checkpoint. */
export const metadata = { source: "loop", step: 1, parents: {} } as const;
