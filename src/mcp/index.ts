export { createMcpServer, type McpServerOptions, type ServedGraph } from "./mcp-server.js";
export type { StreamedGraph } from "./run-graph.js";
export type { HttpOptions, ServedMcp } from "./serve-http.js";
export { serveMcp, type ServeOptions } from "./serve-mcp.js";
