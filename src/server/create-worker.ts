import { type GraphOptions, openServer, type OpenServer, timesOf } from "./open-server.js";
import { checkedLimits, type ProviderLimits } from "./provider-limits.js";

/** Options of `createWorker`. */
export type CreateWorkerOptions = GraphOptions & {
  /** The Postgres of the servers. */
  readonly database: string;
  /** Runs that it works on side by side; default 20. */
  readonly slots?: number;
  /** What all processes of the database may ask of a provider together; give each the same. Default: no bound. */
  readonly providerLimits?: ProviderLimits;
  /** How long it keeps its runs without renewing them, in milliseconds; default 15,000. */
  readonly leaseMs?: number;
  /** How long `close` waits for runs to end before it gives them back, in milliseconds; default 30,000. */
  readonly drainMs?: number;
  /** The SQLite file in which its runs are kept for the pages of servers of this machine; default: they are not. */
  readonly traces?: string;
  /** Where it answers at `/ok`, on this machine; default a free port. */
  readonly port?: number;
};

/** Works on the runs of a database, beside any number of other workers. Throws `invalid_option` and `missing_package`. */
export async function createWorker(options: CreateWorkerOptions): Promise<OpenServer> {
  return openServer({
    graphs: options.graphs,
    config: options.config,
    database: { url: options.database },
    port: options.port ?? 0,
    host: "127.0.0.1",
    callers: {},
    slots: options.slots ?? 20,
    providerLimits: checkedLimits("createWorker", options.providerLimits),
    ...timesOf(options),
    // It takes no new runs.
    rules: {
      requireDecisionIds: true,
      maxWaiting: 0,
      maxScheduled: 0,
      budgets: {},
      webhookHosts: [],
    },
    traces: options.traces,
    pages: {},
    hasApi: false,
  });
}
