import { setTimeout as sleep } from "node:timers/promises";

import type { Client } from "pg";

import { type Database, type Heard, loadDriver, type Messages, overPool } from "./database.js";

type RemoteOptions = {
  /** `postgresql://user@host:5432/name`. */
  readonly url: string;
  /** Connections of this process at most, besides the one that listens. */
  readonly connections: number;
};

/** How long a connection may take to open, and a statement to be answered. */
const connectMs = 10_000;
const statementMs = 60_000;
/** How long a process does without messages until it looks whether it hears them again. */
const reconnectMs = 1_000;
/** Messages of a process go to the database together: it commits those of one statement at a time. */
const gatherMs = 5;

/** Connects to a Postgres. Throws `missing_package` where the driver is not installed. */
export async function openRemote({ url, connections }: RemoteOptions): Promise<Database> {
  const driver = await loadDriver("A database");
  const pool = new driver.Pool({
    connectionString: url,
    max: connections,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    // A connection that a network has dropped says nothing: without a limit its statements would hang for minutes.
    query_timeout: statementMs,
  });
  // An idle connection that the server ends is opened again by the next statement.
  pool.on("error", () => {});
  const messages = listening(
    () =>
      new driver.Client({
        connectionString: url,
        keepAlive: true,
        connectionTimeoutMillis: connectMs,
      }),
    gathered(async (all) => {
      await pool.query(
        "select pg_notify(m.channel, m.payload) from unnest($1::text[], $2::text[]) m (channel, payload)",
        [all.map(([channel]) => channel), all.map(([, payload]) => payload)],
      );
    }),
  );
  return overPool(pool, messages);
}

type Message = readonly [channel: string, payload: string];

/** Sends messages that come within a moment together, equal ones once. */
function gathered(send: (all: readonly Message[]) => Promise<void>): Pick<Messages, "notify"> {
  let waiting = new Map<string, Message>();
  let sending: Promise<void> | undefined;
  const sendAll = async () => {
    await sleep(gatherMs);
    const all = [...waiting.values()];
    waiting = new Map();
    sending = undefined;
    await send(all);
  };
  return {
    notify: (channel, payload) => {
      waiting.set(`${channel} ${payload}`, [channel, payload]);
      sending ??= sendAll();
      return sending;
    },
  };
}

/** Keeps one connection that listens, and opens it again when it is lost. */
function listening(newClient: () => Client, { notify }: Pick<Messages, "notify">): Messages {
  const channels = new Map<string, Set<Heard>>();
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  // A connection takes one statement at a time.
  let sending = Promise.resolve();
  const send = (statement: (to: Client) => Promise<unknown>) => {
    const before = sending;
    const next = async () => {
      await before;
      // A connection that fails says so itself, and is opened again.
      if (client !== undefined) await statement(client).catch(() => {});
    };
    sending = next();
  };
  const connect = () => {
    const opened = newClient();
    const lose = () => {
      if (client !== opened || isClosed) return;
      client = undefined;
      timer = setTimeout(connect, reconnectMs);
      void opened.end().catch(() => {});
    };
    client = opened;
    opened.on("error", lose);
    opened.on("end", lose);
    opened.on("notification", ({ channel, payload = "" }) => {
      for (const heard of channels.get(channel) ?? []) heard(payload);
    });
    send((to) => to.connect().catch(lose));
    for (const channel of channels.keys()) send((to) => to.query(`listen "${channel}"`));
  };
  return {
    notify,
    listen: (channel, heard) => {
      const all = channels.get(channel) ?? new Set();
      channels.set(channel, all.add(heard));
      if (client !== undefined) send((to) => to.query(`listen "${channel}"`));
      else if (timer === undefined) connect();
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await sending;
      await client?.end().catch(() => {});
    },
  };
}
