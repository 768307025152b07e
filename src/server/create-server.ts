import { checkNames, invalidOption, shown } from "../run/check-names.js";
import { type GraphOptions, openServer, type OpenServer, timesOf } from "./open-server.js";
import { checkPages, type PageOptions } from "./pages/page-options.js";
import type { Budgets } from "./postgres/budgets.js";
import { checkedLimits, type ProviderLimits } from "./provider-limits.js";
import { readConfig } from "./server-config.js";

/** Options of `createServer`. */
export type CreateServerOptions = GraphOptions & {
  /** A Postgres, which any number of servers and workers share: `postgresql://user@host/name`. */
  readonly database?: string;
  /** In place of a database: a folder of this process alone, made where there is none. */
  readonly data?: string;
  /** Default 2180; 0 takes a free one. */
  readonly port?: number;
  /** The address to listen at; default "127.0.0.1". Any that is not of this machine needs a token or authorization. */
  readonly host?: string;
  /** What clients must send as a bearer token. */
  readonly token?: string;
  /** Names of hosts, besides those of this machine, by which clients may call the server. */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages that may call the server, such as `https://chat.example`; default none. */
  readonly allowOrigins?: readonly string[];
  /** Runs that this process works on side by side; default 10 with `data`, and 0 with a database: workers do it. */
  readonly slots?: number;
  /** What all processes of the database may ask of a provider together; give each the same. Default: no bound. */
  readonly providerLimits?: ProviderLimits;
  /** How long a worker keeps its runs without renewing them, in milliseconds; default 15,000. */
  readonly leaseMs?: number;
  /** How long `close` waits for runs to end before it gives them back, in milliseconds; default 30,000. */
  readonly drainMs?: number;
  /** Refuses decisions that do not name their request; default true. */
  readonly requireDecisionIds?: boolean;
  /** Waiting runs, beyond which new ones are refused with status 429; default 10,000. */
  readonly maxWaiting?: number;
  /** Runs and schedules of a user that begin later, beyond which new ones are refused with status 429; default 1,000. */
  readonly maxScheduled?: number;
  /**
   * What each user, each tenant and all may use in a day, in UTC; default: no bound. Users and tenants are those of
   * `auth`: its `identity`, and a `tenant` beside it. Who has used theirs up is refused with status 429.
   */
  readonly budgets?: Budgets;
  /** The SQLite file in which runs are kept for the pages and `plangraph trace`; default: they are not. */
  readonly traces?: string;
  /** What is added to the pages. */
  readonly pages?: PageOptions;
  /** The names of hosts that the webhooks of runs may be at; default none. */
  readonly webhookHosts?: readonly string[];
};

/** The port of a server without another. */
const defaultPort = 2180;

const localHosts: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "::1"]);

/**
 * Serves graphs over LangGraph's HTTP API, with durable threads and runs. Throws `invalid_option`, `unreadable_file`
 * for a folder that another process has open, and `missing_package`.
 */
export async function createServer(options: CreateServerOptions): Promise<OpenServer> {
  const { database, host = "127.0.0.1", token, allowedHosts, allowOrigins, pages = {} } = options;
  if (!localHosts.has(host) && token === undefined && !(await hasAuth(options))) {
    throw invalidOption(
      `host ${host}: anybody could call the server. Expected a \`token\`, or \`auth\` in the langgraph.json.`,
    );
  }
  checkNames("createServer: pages", pages, { traceLink: true, components: true });
  await checkPages("createServer: pages", pages);
  return openServer({
    graphs: options.graphs,
    config: options.config,
    database: placeOf(options),
    port: options.port ?? defaultPort,
    host,
    callers: { token, allowedHosts, allowOrigins },
    slots: options.slots ?? (database === undefined ? 10 : 0),
    providerLimits: checkedLimits("createServer", options.providerLimits),
    ...timesOf(options),
    rules: rulesOf(options),
    traces: options.traces,
    pages,
    hasApi: true,
  });
}

function rulesOf({
  requireDecisionIds = true,
  maxWaiting = 10_000,
  maxScheduled = 1_000,
  budgets = {},
  webhookHosts = [],
}: CreateServerOptions) {
  checkNames("createServer: budgets", budgets, { user: true, tenant: true, all: true });
  for (const [whose, budget = {}] of Object.entries(budgets)) {
    const where = `createServer: budgets.${whose}`;
    checkNames(where, budget, { tokens: true, usd: true });
    const wrong = Object.values(budget).find((most) => !(Number(most) >= 0));
    if (wrong !== undefined) {
      throw invalidOption(`${where}: expected numbers from 0, got ${shown(wrong)}.`);
    }
  }
  return { requireDecisionIds, maxWaiting, maxScheduled, budgets, webhookHosts };
}

function placeOf({ database, data }: CreateServerOptions) {
  if (database !== undefined && data === undefined) return { url: database };
  if (data !== undefined && database === undefined) return { folder: data };
  throw invalidOption("createServer: expected either `database` or `data`.");
}

async function hasAuth({ config }: CreateServerOptions): Promise<boolean> {
  return config !== undefined && (await readConfig(config)).auth !== undefined;
}
