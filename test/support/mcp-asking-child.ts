import { appendFileSync } from "node:fs";

import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

import { createAskingServer } from "./mcp-asking.js";

// A server whose tools ask a person. `process.argv[2]` is the file in which it notes what it does.
const [, , file = ""] = process.argv;
const server = createAskingServer((line) => {
  appendFileSync(file, `${line}\n`);
});
await server.connect(new StdioServerTransport());
