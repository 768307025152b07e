import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import type { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

import { isSameSecret } from "../platform.js";
import { invalidOption } from "../run/check-names.js";
import { type McpServerOptions, newServer } from "./mcp-server.js";
import type { ServerSdk } from "./sdk.js";

/** Where a server listens. */
export type HttpOptions = {
  /** The port; 0 takes a free one. */
  readonly port: number;
  /** The address; default "127.0.0.1". Any that is not of this machine needs a `token`. */
  readonly host?: string;
  /** What clients must send as a bearer token. */
  readonly token?: string;
  /** Names of hosts, besides those of this machine, by which clients may call the server. */
  readonly allowedHosts?: readonly string[];
};

/** A server that runs. */
export type ServedMcp = {
  /** Its address, if it is served over HTTP. */
  readonly url?: string;
  /** Resolves when the server is closed, or its standard input has ended. */
  readonly closed: Promise<void>;
  readonly close: () => Promise<void>;
};

/** Sessions that are kept; the one that was used longest ago goes first. */
const maxSessions = 1_000;

/** Serves over Streamable HTTP at `/mcp`. */
export async function serveHttp(
  served: McpServerOptions,
  http: HttpOptions,
  sdk: ServerSdk,
): Promise<ServedMcp> {
  const { port, host = "127.0.0.1" } = http;
  const sessions = openSessions(served, sdk);
  const server = createServer((request, response) => {
    const refusal = refusalOf(request, http);
    if (refusal !== undefined) {
      refuse(response, refusal);
      return;
    }
    sessions.handle(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, [500, "Internal error"]);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      reject(invalidOption(`http: cannot listen at ${host}:${port}: ${error.message}`));
    });
    server.listen(port, host, resolve);
  });
  const closed = new Promise<void>((resolve) => {
    server.once("close", resolve);
  });
  const address = server.address();
  const taken = typeof address === "object" && address !== null ? address.port : port;
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${taken}/mcp`,
    closed,
    close: async () => {
      await sessions.close();
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Refusal = readonly [status: number, message: string];

/** Why a request is refused before it is read. */
function refusalOf(
  { url = "", headers }: IncomingMessage,
  { token, allowedHosts = [] }: HttpOptions,
): Refusal | undefined {
  const names = new Set([...localNames, ...allowedHosts]);
  const { host = "", origin, authorization = "" } = headers;
  const refusals: readonly (readonly [applies: boolean, refusal: Refusal])[] = [
    // A page of the web may call this machine by a name of its own that leads here.
    [!names.has(hostIn(`http://${host}`)), [403, "Forbidden host"]],
    [origin !== undefined && !names.has(hostIn(origin)), [403, "Forbidden origin"]],
    [token !== undefined && !isSameSecret(authorization, `Bearer ${token}`), [401, "Unauthorized"]],
    [url.split("?", 1)[0] !== "/mcp", [404, "Not found"]],
  ];
  return refusals.find(([applies]) => applies)?.[1];
}

const localNames = ["localhost", "127.0.0.1", "[::1]"];

function hostIn(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : "";
}

function refuse(response: ServerResponse, [status, message]: Refusal): void {
  const headers = {
    "content-type": "application/json",
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
  };
  const error = { code: -32_000, message };
  response.writeHead(status, headers).end(JSON.stringify({ jsonrpc: "2.0", error, id: null }));
}

/** The sessions of clients, each with a server of its own. */
function openSessions(served: McpServerOptions, sdk: ServerSdk) {
  const open = new Map<string, StreamableHTTPServerTransport>();
  const start = async () => {
    const transport: StreamableHTTPServerTransport = new sdk.StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void open.set(id, transport),
      onsessionclosed: (id) => void open.delete(id),
    });
    await newServer(served, sdk).connect(transport);
    return transport;
  };
  return {
    handle: async (request: IncomingMessage, response: ServerResponse) => {
      const { "mcp-session-id": id } = request.headers;
      if (typeof id !== "string") {
        const transport = await start();
        await transport.handleRequest(request, response);
        if (transport.sessionId === undefined) await transport.close();
        const [oldest] = open;
        if (open.size > maxSessions && oldest !== undefined) {
          open.delete(oldest[0]);
          await oldest[1].close();
        }
        return;
      }
      const transport = open.get(id);
      if (transport === undefined) {
        refuse(response, [404, "Session not found"]);
        return;
      }
      open.delete(id);
      open.set(id, transport);
      await transport.handleRequest(request, response);
    },
    close: async () => {
      await Promise.all([...open.values()].map((transport) => transport.close()));
    },
  };
}
