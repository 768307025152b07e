import { optionalPackage } from "../errors.js";

/** The parts of the SDK that serve. */
export type ServerSdk = Awaited<ReturnType<typeof loadServerSdk>>;

/** Loads the SDK of the protocol. Throws `missing_package` without it. */
export function loadServerSdk() {
  return optionalPackage(async () => {
    const { Server } = await import("@modelcontextprotocol/sdk/server/index.js");
    const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
    const { StreamableHTTPServerTransport } =
      await import("@modelcontextprotocol/sdk/server/streamableHttp.js");
    const types = await import("@modelcontextprotocol/sdk/types.js");
    return { Server, StdioServerTransport, StreamableHTTPServerTransport, types };
  }, 'Serving graphs over MCP needs the package "@modelcontextprotocol/sdk": npm install @modelcontextprotocol/sdk.');
}
