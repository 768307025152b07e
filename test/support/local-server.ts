import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { Server, Socket } from "node:net";
import { text } from "node:stream/consumers";

import { onTestFinished } from "vitest";

import type { HttpOptions, HttpRequest } from "../../src/services/http/guarded-request.js";

/** A request that a local server got. */
export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** A server on 127.0.0.1 and a free port, until the test ends. */
export type LocalServer = {
  /** "127.0.0.1:1234" */
  readonly host: string;
  readonly url: string;
  readonly port: number;
  /** How many connections are open. */
  readonly connections: () => number;
};

/** Starts a server of whatever protocol. */
export async function listening(server: Server): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  const { port } = address;
  const host = `127.0.0.1:${port}`;
  return { host, url: `http://${host}`, port, connections: () => sockets.size };
}

/** Starts an HTTP server that notes what it gets and answers as told. */
export async function serving(
  answer: (response: ServerResponse, received: Received) => void,
): Promise<LocalServer & { readonly received: readonly Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const { method = "", url: path = "", headers } = request;
    const note = (body: string) => {
      received.push({ method, path, headers, body });
      answer(response, { method, path, headers, body });
    };
    void text(request).then(note, () => {});
  });
  return { ...(await listening(server)), received };
}

/** Options that let a local server through, with a signal that never aborts. */
export function optionsFor(
  servers: readonly Pick<LocalServer, "host">[],
  options: Partial<HttpOptions> = {},
): HttpOptions {
  return {
    allowHosts: servers.map(({ host }) => host),
    maxBytes: 1_000,
    signal: new AbortController().signal,
    ...options,
  };
}

/** A request that asks for an address. */
export function get(url: string): HttpRequest {
  return { method: "GET", url, headers: {} };
}

/** What was thrown, or undefined. */
export function caught(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => undefined,
    (error: unknown) => error,
  );
}
