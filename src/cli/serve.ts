import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { defined } from "../json/json.js";
import type { Environment } from "../models/model.js";
import { invalidOption } from "../run/check-names.js";
import { databaseIn, placeOrDefault, tracesIn } from "./database-place.js";
import { tokenIn } from "./flags.js";
import type { Closable } from "./graphs.js";
import type { DatabasePlace } from "../server/index.js";
import type { CliIo } from "./io.js";
import { closeAll } from "./open-graph.js";

const Database = z.object({ database: z.string().optional() });
const Shared = Database.extend({
  config: z.string().optional(),
  agents: z.string().optional(),
  slots: z.string().optional(),
  lease: z.string().optional(),
  drain: z.string().optional(),
  port: z.string().optional(),
  trace: z.union([z.string(), z.boolean()]).default(true),
  providerAtOnce: z.array(z.string()).default([]),
  providerPerMinute: z.array(z.string()).default([]),
});
const Served = Shared.extend({
  data: z.string().optional(),
  host: z.string().optional(),
  tokenEnv: z.string().optional(),
  allowedHost: z.array(z.string()).default([]),
  allowOrigin: z.array(z.string()).default([]),
  dailyTokens: z.array(z.string()).default([]),
  dailyUsd: z.array(z.string()).default([]),
  webhookHost: z.array(z.string()).default([]),
  traceLink: z.string().optional(),
  components: z.string().optional(),
});

/** Serves graphs until Ctrl-C or SIGTERM. Throws a `PlangraphError` for unusable flags and files. */
export async function serveCommand(options: unknown, io: CliIo): Promise<void> {
  const given = Served.parse(options);
  const { host, tokenEnv, allowedHost: allowedHosts, allowOrigin: allowOrigins } = given;
  const token = tokenEnv === undefined ? undefined : tokenIn(tokenEnv, io.environment);
  const place = placeOrDefault(given, io.environment) ?? { data: ".plangraph" };
  const { createServer } = await import("../server/index.js");
  await withShared(given, io.environment, async (shared) => {
    const server = await createServer({
      ...shared,
      ...place,
      allowedHosts,
      allowOrigins,
      budgets: budgetsIn(given),
      webhookHosts: given.webhookHost,
      pages: defined({ traceLink: given.traceLink, components: given.components }),
      ...defined({ host, token, traces: tracesOf(given, place) }),
    });
    io.stderr.write(`Serving at ${server.url}\nChat at ${server.url}/chat\n`);
    await untilEnded(io, server.close);
  });
}

/** Where runs are kept: in the file of `--trace`, else in the folder of the data. */
function tracesOf({ trace }: Given, place: DatabasePlace | undefined): string | undefined {
  if (typeof trace === "string") return trace;
  return trace && place !== undefined && "data" in place ? tracesIn(place.data) : undefined;
}

/** The budgets of `--daily-tokens user=100000` and `--daily-usd tenant=5`. */
function budgetsIn({ dailyTokens, dailyUsd }: z.infer<typeof Served>) {
  const flags = [
    ["--daily-tokens", "tokens", dailyTokens],
    ["--daily-usd", "usd", dailyUsd],
  ] as const;
  const form = /^(user|tenant|all)=(\d{1,12}(?:\.\d{1,6})?)$/;
  return amountsIn(flags, form, "user=N, tenant=N or all=N");
}

type AmountFlag<Unit extends string> = readonly [
  name: string,
  unit: Unit,
  texts: readonly string[],
];

/** The amounts of repeatable flags of a form NAME=N, by name and unit. */
function amountsIn<Unit extends string>(
  flags: readonly AmountFlag<Unit>[],
  form: RegExp,
  expected: string,
) {
  const amounts: Record<string, { [Name in Unit]?: number }> = {};
  for (const [flag, unit, texts] of flags) {
    for (const text of texts) {
      const [, name = "", amount] = form.exec(text) ?? [];
      if (amount === undefined) throw invalidOption(`${flag} ${text}: expected ${expected}.`);
      amounts[name] = { ...amounts[name], [unit]: Number(amount) };
    }
  }
  return amounts;
}

/** Works on the runs of a database until Ctrl-C or SIGTERM. Throws a `PlangraphError` for unusable flags and files. */
export async function workerCommand(options: unknown, io: CliIo): Promise<void> {
  const given = Shared.parse(options);
  const database = neededDatabase(given, io.environment);
  const { createWorker } = await import("../server/index.js");
  await withShared(given, io.environment, async (shared) => {
    const traces = tracesOf(given, undefined);
    const worker = await createWorker({ ...shared, database, ...defined({ traces }) });
    io.stderr.write(`Working; ${worker.url}/ok says how it is\n`);
    await untilEnded(io, worker.close);
  });
}

/** Makes or updates the tables of a database. Throws a `PlangraphError` without one. */
export async function migrateCommand(options: unknown, io: CliIo): Promise<void> {
  const database = neededDatabase(Database.parse(options), io.environment);
  const { migrateDatabase } = await import("../server/index.js");
  const steps = await migrateDatabase(database);
  io.stdout.write(steps === 0 ? "The tables are up to date.\n" : "The tables were updated.\n");
}

type Given = z.infer<typeof Shared>;

/** Works with the options that servers and workers share; then closes what their graphs hold open. */
async function withShared(
  given: Given,
  environment: Environment,
  work: (shared: Awaited<ReturnType<typeof sharedIn>>) => Promise<void>,
): Promise<void> {
  const closing = new Set<Closable>();
  try {
    await work(await sharedIn(given, environment, closing));
  } finally {
    await closeAll(closing);
  }
}

async function sharedIn(given: Given, environment: Environment, closing: Set<Closable>) {
  const { agents, config = "langgraph.json" } = given;
  if (agents !== undefined && given.config !== undefined) {
    throw invalidOption("--agents and --config: expected one of them.");
  }
  return {
    ...(agents === undefined
      ? { config }
      : { graphs: await agentsIn(agents, environment, closing) }),
    providerLimits: limitsIn(given),
    ...defined({
      port: numberIn("--port", given.port, 65_535),
      slots: numberIn("--slots", given.slots, 1_000),
      leaseMs: millisecondsIn("--lease", given.lease),
      drainMs: millisecondsIn("--drain", given.drain),
    }),
  };
}

/** The limits of `--provider-at-once openai=5` and `--provider-per-minute openai=60`. */
function limitsIn({ providerAtOnce, providerPerMinute }: Given) {
  const flags = [
    ["--provider-at-once", "atOnce", providerAtOnce],
    ["--provider-per-minute", "perMinute", providerPerMinute],
  ] as const;
  return amountsIn(flags, /^([\w-]+)=([1-9]\d{0,8})$/, "NAME=N, such as openai=5");
}

/** The agents and workflows of a folder, each of which may change while it is served. */
async function agentsIn(folder: string, environment: Environment, closing: Set<Closable>) {
  const { checkAgents, problemLine, reloadingAgent } = await import("../agents/index.js");
  const { names, problems } = await checkAgents([folder], { environment });
  if (problems.length > 0) {
    throw new PlangraphError("invalid_agent", problems.map(problemLine).join("\n"));
  }
  const named = [...names].map(([file, name]) => {
    const graph = reloadingAgent(file, { name, environment });
    closing.add(graph);
    return [name, graph] as const;
  });
  return Object.fromEntries(named);
}

function neededDatabase(given: Pick<Given, "database">, environment: Environment): string {
  const database = databaseIn(given, environment);
  if (database !== undefined) return database;
  throw invalidOption("Expected a database: --database URL, or PLANGRAPH_DATABASE.");
}

function numberIn(flag: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw invalidOption(`${flag} ${text}: expected a number from 0 to ${most}.`);
}

function millisecondsIn(flag: string, text: string | undefined): number | undefined {
  const seconds = numberIn(flag, text, 86_400);
  return seconds === undefined ? undefined : seconds * 1_000;
}

/** Waits for Ctrl-C or SIGTERM, then closes; the second time ends the process at once. */
async function untilEnded(io: CliIo, close: () => Promise<void>): Promise<void> {
  let isEnding = false;
  const stops: (() => void)[] = [];
  await new Promise<void>((resolve) => {
    const end = () => {
      if (isEnding) io.exit(1);
      isEnding = true;
      resolve();
    };
    stops.push(io.onInterrupt(end));
    if (io.onTerminate !== undefined) stops.push(io.onTerminate(end));
  });
  await close();
  for (const stop of stops) stop();
}
