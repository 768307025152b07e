import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { onTestFinished } from "vitest";
import { z } from "zod";

import { type Asking, createAskingServer } from "./mcp-asking.js";

type Session = {
  readonly transport: StreamableHTTPServerTransport;
  readonly who: string | undefined;
};

/**
 * A server over HTTP whose tools ask a person. Its notes begin with the token of the session; a request with another
 * token than its session is noted as `MIXED`.
 */
export async function startAskingHttp(how: Asking = "of-call") {
  const notes: string[] = [];
  const sessions = new Map<string, Session>();
  const openSession = async (who: string | undefined) => {
    const asking = createAskingServer((line) => {
      notes.push(`${who ?? "nobody"}: ${line}`);
    }, how);
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, { transport, who }),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    // The SDK's own types do not fit `exactOptionalPropertyTypes`.
    await asking.connect(Object.assign(transport, {}));
    return { transport, who };
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { authorization: who, "mcp-session-id": id } = request.headers;
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    const session = known ?? (await openSession(who));
    if (session.who !== who) notes.push(`MIXED ${who ?? "nobody"} in ${session.who ?? "nobody"}`);
    await session.transport.handleRequest(request, response);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { url: `http://127.0.0.1:${port}/mcp`, notes, sessions };
}
