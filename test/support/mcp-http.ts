import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";

import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

/** What a server does with a request in place of answering it; nothing: it answers. */
export type Interference = (
  body: { readonly method?: string; readonly params?: { readonly name?: string } },
  response: ServerResponse,
  request: IncomingMessage,
) => "done" | undefined;

type Options = {
  readonly interfere?: Interference;
  /** How a request of an unknown session is refused; default 404. */
  readonly refusal?: 400 | 404;
  readonly asJson?: boolean;
};

const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });

/** A real MCP server over HTTP that can be stopped and started again on its port, without its old sessions. */
export async function startMcpHttp({ interfere, refusal = 404, asJson = false }: Options = {}) {
  const seen: string[] = [];
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const openSession = async () => {
    const server = new McpServer({ name: "web", version: "1" });
    server.registerTool("look", { annotations: { readOnlyHint: true } }, () => {
      seen.push("look");
      return text("Seen.");
    });
    server.registerTool("put", {}, () => {
      seen.push("put");
      return text("Put.");
    });
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: asJson,
      onsessioninitialized: (id) => {
        seen.push("session");
        sessions.set(id, transport);
      },
    });
    // The SDK's own types do not fit `exactOptionalPropertyTypes`.
    await server.connect(Object.assign(transport, {}));
    return transport;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body: unknown = request.method === "POST" ? await json(request) : {};
    const message = Object(body);
    if (interfere?.(message, response, request) === "done") return;
    const id = String(request.headers["mcp-session-id"] ?? "");
    const known = sessions.get(id);
    if (known === undefined && message.method !== "initialize") {
      const error = { code: -32_000, message: "Bad Request: No valid session ID provided" };
      response.writeHead(refusal, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", error, id: null }));
      return;
    }
    const transport = known ?? (await openSession());
    await transport.handleRequest(request, response, request.method === "POST" ? body : undefined);
  };

  const listen = async (port: number): Promise<Server> => {
    const server = createServer((request, response) => {
      answer(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => {
      server.listen(port, "127.0.0.1", resolve);
    });
    return server;
  };
  let server = await listen(0);
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const stop = async () => {
    sessions.clear();
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    /** Sessions opened and tools called, in order. */
    seen,
    stop,
    restart: async () => {
      await stop();
      server = await listen(port);
      // Clients hear that their connections were closed.
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    },
  };
}
