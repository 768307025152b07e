import type { RunnableConfig } from "@langchain/core/runnables";
import { z } from "zod";

import { canonicalJson } from "../../json/json.js";
import { keepSecret } from "../../observe/redact.js";
import { sha256 } from "../../platform.js";
import { ClassifiedError } from "../../run/errors.js";
import { callerIn, fetched, missing } from "../credentials.js";
import type { McpConnection } from "./connection.js";
import type { McpHeaders, McpHeaderSource, McpServer } from "./server.js";

/** The connection for a call; without a run, the one in which tools are listed. */
export type ConnectionOf = (
  config?: RunnableConfig & { readonly context?: unknown },
) => Promise<McpConnection>;

/** The connections to one server: one for each set of headers, so that no session serves two people. */
export type Connections = {
  readonly connectionOf: ConnectionOf;
  /** Closes them when their calls have their answers; the next call opens another. */
  readonly rest: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Connections to one server at a time, and milliseconds after which one that nobody uses is closed. */
const maxConnections = 500;
const idleMs = 300_000;

/** Returns the connections to a server; each is opened by its first call. */
export function createConnections(
  name: string,
  server: McpServer,
  create: (headers: McpHeaders) => McpConnection,
): Connections {
  const headers = "url" in server ? (server.headers ?? {}) : {};
  if (typeof headers !== "function") {
    const connection = create(headers);
    const { rest, close } = connection;
    return { connectionOf: async () => connection, rest, close };
  }
  const pool = createPool(name, create);
  return {
    connectionOf: async (config) => pool.of(await headersFor(name, headers, config)),
    rest: pool.rest,
    close: pool.close,
  };
}

const Headers = z.record(z.string(), z.string().trim().min(1));

/** The headers of the person for whom a call works. Tools may be listed without any. */
async function headersFor(
  server: string,
  source: McpHeaderSource,
  config: Parameters<ConnectionOf>[0],
): Promise<McpHeaders> {
  const { holder, ...caller } = callerIn(config ?? {});
  const signal = config?.signal ?? new AbortController().signal;
  const isListing = config === undefined;
  const request = { service: server, name: "headers", ...caller, signal, isListing };
  const what = `headers of the MCP server "${server}"`;
  const given = await fetched(`the ${what}`, async () => source(request), signal);
  const found = Headers.safeParse(given).data ?? {};
  if (!isListing && Object.keys(found).length === 0) throw missing(`are no ${what}`);
  keepHeaders(found, holder ?? found);
  if (!isSendable(found)) {
    const message = `the ${what} have a name or value that no header can have, so nothing was sent.`;
    throw new ClassifiedError("missing_credential", message);
  }
  return found;
}

/** Masks the values, and their parts, while the holder is in use. */
function keepHeaders(headers: McpHeaders, holder: object): void {
  for (const value of Object.values(headers)) {
    const parts = [value, ...value.split(/[\s;]+/)].filter((part) => !isPlainWord.test(part));
    for (const secret of parts) keepSecret(secret, holder);
  }
}

/** The name of a tenant or a language: masking it would spoil what a server says. */
const isPlainWord = /^[a-z-]{0,20}$/i;

/** Whether the platform takes the headers: its own error would tell the value. */
function isSendable(headers: McpHeaders): boolean {
  try {
    return Boolean(new globalThis.Headers({ ...headers }));
  } catch {
    return false;
  }
}

type Pooled = { readonly connection: McpConnection; uses: number; timer?: NodeJS.Timeout };

/** Takes a connection out of its pool and closes it. */
async function closed(pool: Map<string, Pooled>, key: string, entry: Pooled): Promise<void> {
  clearTimeout(entry.timer);
  if (pool.get(key) === entry) pool.delete(key);
  await entry.connection.close();
}

/** Closes the connections of a pool as soon as no call uses them. */
async function restAll(pool: Map<string, Pooled>): Promise<void> {
  const all = [...pool].map(([key, entry]) =>
    entry.uses === 0 ? closed(pool, key, entry) : entry.connection.rest(),
  );
  await Promise.all(all);
}

/** A bounded pool of connections by their headers. The order of the entries is that of their last use. */
function createPool(name: string, create: (headers: McpHeaders) => McpConnection) {
  const pool = new Map<string, Pooled>();
  let isClosed = false;
  const drop = (key: string, entry: Pooled) => closed(pool, key, entry);
  const makeRoom = () => {
    if (pool.size < maxConnections) return;
    const [idle] = [...pool].filter(([, { uses }]) => uses === 0);
    if (idle !== undefined) void drop(...idle);
    else throw new ClassifiedError("unavailable", `the MCP server "${name}" has too many users.`);
  };
  const enter = (key: string, headers: McpHeaders): Pooled => {
    const known = pool.get(key);
    if (known === undefined) makeRoom();
    const entry = known ?? { connection: create(headers), uses: 0 };
    clearTimeout(entry.timer);
    entry.uses += 1;
    pool.delete(key);
    pool.set(key, entry);
    // A connection of a closed pool refuses every call.
    if (isClosed) void entry.connection.close();
    return entry;
  };
  const leave = (key: string, entry: Pooled) => {
    entry.uses -= 1;
    if (entry.uses > 0) return;
    entry.timer = setTimeout(() => void drop(key, entry), idleMs).unref();
  };
  const of = (headers: McpHeaders): McpConnection => {
    const key = sha256(canonicalJson(headers));
    return {
      use: async (work) => {
        const entry = enter(key, headers);
        try {
          return await entry.connection.use(work);
        } finally {
          leave(key, entry);
        }
      },
      rest: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
  };
  const close = async () => {
    isClosed = true;
    await Promise.all([...pool].map(([key, entry]) => drop(key, entry)));
  };
  return { of, rest: () => restAll(pool), close };
}
