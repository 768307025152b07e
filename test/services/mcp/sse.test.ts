import { createServer } from "node:http";

import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { expect, it, onTestFinished } from "vitest";

import { mcpTools } from "../../../src/services/index.js";
import { toolRun } from "../../support/tool-run.js";

/** A server that only knows the older transport. */
async function startOldServer() {
  const sessions = new Map<string, SSEServerTransport>();
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://127.0.0.1");
    if (request.method === "GET") {
      const transport = new SSEServerTransport("/messages", response);
      sessions.set(transport.sessionId, transport);
      const mcp = new McpServer({ name: "old", version: "1" });
      mcp.registerTool("put", {}, () => {
        calls.push("put");
        return { content: [{ type: "text", text: "Put." }] };
      });
      mcp.connect(transport).catch(() => response.destroy());
      return;
    }
    const session = sessions.get(url.searchParams.get("sessionId") ?? "");
    if (session === undefined) response.writeHead(url.pathname === "/sse" ? 405 : 404).end();
    else session.handlePostMessage(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const forget = () => {
    sessions.clear();
  };
  return { url: `http://127.0.0.1:${port}/sse`, calls, forget };
}

it("a server of the older transport answers, and gets a new session when it forgot ours", async () => {
  const { url, calls, forget } = await startOldServer();
  const { tools, close } = await mcpTools({ old: { url } });
  onTestFinished(close);
  const { observe } = toolRun(tools);
  const first = await observe("put", {}, { isCommitted: true });
  expect(first).toMatchObject({ ok: true, value: "Put." });
  forget();
  const second = await observe("put", {}, { isCommitted: true, id: "c2" });
  expect(second).toMatchObject({ ok: true, attempts: 1 });
  expect(calls).toEqual(["put", "put"]);
});
