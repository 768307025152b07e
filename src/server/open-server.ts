import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

import type { StartServerOptions } from "@langchain/langgraph-api/server";
import type { Hono } from "hono";

import { optionalPackage } from "../errors.js";
import { invalidOption } from "../run/check-names.js";
import { checkGraphs, exportAt, graphPlaces, type ServedGraph } from "./graph-places.js";
import { endIdleSessions } from "./idle-sessions.js";
import { openRunKeeper } from "./keep-runs.js";
import { copyForEachRun } from "./own-copies.js";
import type { PageOptions } from "./pages/page-options.js";
import type { Traces } from "./pages/traces.js";
import type { Crons } from "./postgres/crons.js";
import type { Database } from "./postgres/database.js";
import { openEmbedded } from "./postgres/embedded.js";
import { type Leases, openLeases } from "./postgres/lease.js";
import type { RunRules } from "./postgres/new-run.js";
import { openRemote } from "./postgres/remote.js";
import { migrate } from "./postgres/migrate.js";
import type { ProviderLimits } from "./provider-limits.js";
import type { Callers } from "./request-checks.js";
import { readConfig, type ServerConfig } from "./server-config.js";

/** The graphs of a server: given, or those of a `langgraph.json`. */
export type GraphOptions = {
  readonly graphs?: Readonly<Record<string, ServedGraph>> | undefined;
  /** A `langgraph.json`: its graphs, environment, authorization and application. */
  readonly config?: string | undefined;
};

/** What a process of a server does, and with what. */
export type ServerOptions = GraphOptions & {
  readonly database: { readonly url: string } | { readonly folder: string };
  readonly port: number;
  readonly host: string;
  readonly callers: Callers;
  /** Runs that it works on side by side. */
  readonly slots: number;
  /** What may be asked of providers. */
  readonly providerLimits: ProviderLimits;
  readonly leaseMs: number;
  readonly drainMs: number;
  /** The rules for new runs. */
  readonly rules: RunRules;
  /** The file in which it keeps its runs, for its pages and `plangraph trace`. */
  readonly traces: string | undefined;
  readonly pages: PageOptions;
  /** Whether it has LangGraph's API; without, it answers at `/ok` alone. */
  readonly hasApi: boolean;
};

/** A process of a server that runs. */
export type OpenServer = {
  /** Its address. */
  readonly url: string;
  /** Takes no more runs, waits for those it has, gives back the rest, and stops. */
  readonly close: () => Promise<void>;
};

/** How long things take, in milliseconds: a lease, and the wait at the end. */
export function timesOf({
  leaseMs = 15_000,
  drainMs = 30_000,
}: {
  readonly leaseMs?: number;
  readonly drainMs?: number;
}) {
  return { leaseMs, drainMs };
}

let isOpen = false;

/** Starts LangGraph's server on a database. LangGraph keeps what it serves for the process: it can have one. */
export async function openServer(options: ServerOptions): Promise<OpenServer> {
  if (isOpen) throw invalidOption("This process has a server already: close it first.");
  isOpen = true;
  const closing: (() => Promise<unknown> | undefined)[] = [() => Promise.resolve((isOpen = false))];
  const close = async () => {
    for (const step of closing.splice(0).toReversed()) await step();
  };
  try {
    const url = await start(options, closing);
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Closing = (() => Promise<unknown> | undefined)[];

async function start(options: ServerOptions, closing: Closing): Promise<string> {
  const { leaseMs, drainMs } = options;
  // Loaded before the logger of LangGraph's server, which says all it does by default.
  process.env["LOG_LEVEL"] ??= "error";
  closing.push(endureUnreadLogs());
  const { startServer } = await optionalPackage(
    () => import("@langchain/langgraph-api/server"),
    `The server needs the package "${engine}": npm install ${engine}.`,
  );
  const config = options.config === undefined ? undefined : await readConfig(options.config);
  const graphs = options.graphs ?? config?.graphs ?? {};
  const compiled = await checkGraphs(graphs);
  const database = await openDatabaseOf(options);
  closing.push(() => database.close());
  await migrate(database);
  const leases = openLeases(database, leaseMs);
  closing.push(() => Promise.resolve(leases.close()));
  const { ops, crons, storage, stop, stopAdmission } = await openStorage(database, leases, options);
  const readiness = newReadiness();
  const keeper = await openKeeper(options, closing);
  const { ready } = readiness;
  await setUpFront(options, { database, leases, crons, ready, config, traces: keeper?.traces });
  const cwd = await mkdtemp(join(tmpdir(), "plangraph-server-"));
  closing.push(() => rm(cwd, { recursive: true, force: true }));
  const next = async function* next() {
    await ready;
    yield* keeper?.seen(ops.runs.next()) ?? ops.runs.next();
  };
  const gated = { ...ops, runs: { ...ops.runs, next } };
  const places = await graphPlaces(graphs, cwd);
  const sessions = await endIdleSessions();
  closing.push(() => {
    sessions.stop();
    return undefined;
  });
  const settings = settingsOf(options, config, { cwd, graphs: places });
  const { host, cleanup } = await startServer(settings, { ops: gated });
  closing.push(cleanup);
  closing.push(async () => {
    await stop();
    await leases.drain(drainMs);
    stopAdmission();
  });
  const { adoptStorage } = await import("./adopt-storage.js");
  await adoptStorage(storage);
  copyForEachRun(compiled, storage, leases.isTemporary);
  readiness.set();
  return `http://${host.replace("::1", "[::1]")}`;
}

async function openKeeper({ traces }: ServerOptions, closing: Closing) {
  if (traces === undefined) return undefined;
  const keeper = await openRunKeeper(traces);
  closing.push(() => Promise.resolve(keeper.close()));
  return keeper;
}

function ignore(): void {
  // A log is for whoever reads it.
}

/**
 * LangGraph's server logs every uncaught error. That nobody reads the log any more is one: without this, each line would bring
 * the next, for ever. Returns how to end it.
 */
function endureUnreadLogs() {
  const streams = [process.stdout, process.stderr];
  for (const stream of streams) stream.on("error", ignore);
  return () => {
    for (const stream of streams) stream.off("error", ignore);
    return undefined;
  };
}

function newReadiness() {
  const resolves: (() => void)[] = [];
  const ready = new Promise<void>((resolve) => resolves.push(resolve));
  return { ready, set: () => resolves.forEach((resolve) => resolve()) };
}

const engine = "@langchain/langgraph-api";

async function openDatabaseOf({ database, slots }: ServerOptions): Promise<Database> {
  if ("folder" in database) return openEmbedded(database.folder);
  return openRemote({ url: database.url, connections: Math.ceil(slots / 2) + 4 });
}

/** What uses the packages of LangGraph's server is loaded after they were found. */
async function openStorage(
  database: Database,
  leases: Leases,
  { leaseMs, slots, providerLimits, rules, hasApi }: ServerOptions,
) {
  const [
    { getGraphKeys: graphs },
    { openOps },
    { openCrons },
    { openScheduler },
    { openSaver },
    { openStore },
  ] = await Promise.all([
    import("@langchain/langgraph-api/graph"),
    import("./postgres/ops.js"),
    import("./postgres/crons.js"),
    import("./postgres/fire-crons.js"),
    import("./postgres-saver.js"),
    import("./postgres-store.js"),
  ]);
  const checkpointer = openSaver(database, (lease) => {
    const held = leases.withLease(lease);
    if (held !== undefined) leases.lose(held);
  });
  const storage = { checkpointer, store: await openStore(database) };
  const parts = { database, leases, leaseMs, slots, providerLimits, graphs, storage, rules };
  const { ops, stop: stopWork, stopAdmission } = openOps(parts);
  // A server has the rules for new runs; a worker has not.
  const scheduler = hasApi ? openScheduler(database, { rules, runs: ops.runs }) : undefined;
  const stop = async () => {
    scheduler?.stop();
    await stopWork();
  };
  return { ops, crons: openCrons(database, rules), storage, stop, stopAdmission };
}

/** The place of a module of ours, for LangGraph's server to load. */
function placeOf(name: string): string {
  return fileURLToPath(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url));
}

type FrontParts = {
  readonly database: Database;
  readonly leases: Leases;
  readonly crons: Crons;
  readonly ready: Promise<void>;
  readonly config: ServerConfig | undefined;
  readonly traces: Traces | undefined;
};

async function setUpFront(
  { callers, leaseMs, hasApi, pages }: ServerOptions,
  { database, leases, crons, ready, config, traces }: FrontParts,
): Promise<void> {
  const { addOwnRoutes, app, setFront } = await import("./http-app.js");
  const isWell = () => leases.silentMs() < leaseMs;
  const measured = { database, isWell, held: () => leases.all().length };
  const hasLogins = config?.auth !== undefined;
  const ofApi = hasApi ? crons : undefined;
  setFront({ callers, ready, measured, hasLogins, crons: ofApi, traces, pages });
  if (config?.auth !== undefined) {
    const { setAuth } = await import("./front-auth.js");
    if (!setAuth(await exportAt("auth.path", config.auth.path))) {
      throw invalidOption(`auth.path: expected an Auth of LangGraph at ${config.auth.path}.`);
    }
  }
  if (config?.app !== undefined) {
    const given = await exportAt("http.app", config.app);
    if (!isHono(given)) {
      throw invalidOption(`http.app: expected a Hono application at ${config.app}.`);
    }
    app.route("/", given);
  }
  addOwnRoutes();
}

/** Whether it is a Hono application, of whatever copy of the package. */
function isHono(value: unknown): value is Hono {
  return typeof value === "object" && value !== null && "routes" in value && "fetch" in value;
}

function settingsOf(
  options: ServerOptions,
  config: ServerConfig | undefined,
  places: Pick<StartServerOptions, "cwd" | "graphs">,
): StartServerOptions {
  const isOff = !options.hasApi;
  return {
    port: options.port,
    host: options.host,
    // Those that wait for a provider come on top.
    nWorkers: options.slots * (Object.keys(options.providerLimits).length > 0 ? 2 : 1),
    ...places,
    ...(config?.auth !== undefined &&
      options.hasApi && {
        auth: { ...config.auth, path: `${placeOf("front-auth")}:auth` },
      }),
    http: {
      app: `${placeOf("http-app")}:app`,
      cors: {
        allow_origins: [...(options.callers.allowOrigins ?? [])],
        allow_credentials: false,
        // Where a run is; a page that is opened again joins it there.
        expose_headers: ["content-location", "x-pagination-total"],
      },
      disable_assistants: isOff,
      disable_threads: isOff,
      disable_runs: isOff,
      disable_store: isOff,
      disable_meta: false,
    },
  };
}
