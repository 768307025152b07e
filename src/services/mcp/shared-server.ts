import { loadSdk } from "./connect.js";
import { checkServers, keepShared, openServer } from "./open-server.js";
import type { McpServer, SharedMcpServer } from "./server.js";

// The types of the package show this file, so what it exports names no type of the optional SDK.

/**
 * A server that several graphs share: `mcpTools` takes it in place of its definition, and leaves it open. It is connected
 * by the first call. Throws `missing_package` without `@modelcontextprotocol/sdk`, `invalid_option` for what is no server.
 */
export async function sharedMcpServer(name: string, server: McpServer): Promise<SharedMcpServer> {
  checkServers({ [name]: server });
  const opened = openServer(name, server, await loadSdk(), () => undefined);
  const { rest, close } = opened;
  const made: SharedMcpServer = { rest, close };
  keepShared(made, opened);
  return made;
}
