import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

import { mediaResults } from "./mcp-media.js";

// An MCP server on its standard input and output, with a tool for every result of the list.
const server = new McpServer({ name: "media", version: "1" });
for (const { name, result } of mediaResults) {
  const annotations = { readOnlyHint: true };
  server.registerTool(name, { description: `Gives ${name}.`, annotations }, () => result);
}
await server.connect(new StdioServerTransport());
