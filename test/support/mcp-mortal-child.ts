import { appendFileSync, existsSync } from "node:fs";

import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { setTimeout as sleep } from "node:timers/promises";

// An MCP server that writes what happens to a file, and can be told to die. With FILE.no it does not start.
const [, , file = ""] = process.argv;
const note = (what: string) => {
  appendFileSync(file, `${what}\n`);
};
if (existsSync(`${file}.no`)) process.exit(1);
note(`start ${process.pid}`);
const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
const server = new McpServer({ name: "mortal", version: "1" });

server.registerTool("look", { annotations: { readOnlyHint: true } }, () => {
  note("look");
  return text(String(process.pid));
});
server.registerTool("put", {}, () => {
  note("put");
  return text("Put.");
});
// The two that die do so while FILE.die is there.
for (const [name, readOnlyHint] of [
  ["look_dying", true],
  ["put_dying", false],
] as const) {
  server.registerTool(name, { annotations: { readOnlyHint } }, () => {
    note(name);
    if (existsSync(`${file}.die`)) process.kill(process.pid, "SIGKILL");
    return text("Alive.");
  });
}
server.registerTool(
  "slow",
  { annotations: { readOnlyHint: true } },
  async ({ signal, ...extra }) => {
    note("slow");
    signal.addEventListener("abort", () => {
      note("cancelled");
    });
    const { progressToken } = { ...Object(extra["_meta"]) };
    const told = progressToken === undefined ? [] : [1, 2];
    for (const progress of told) {
      // Many reports at once.
      for (const part of [0.1, 0.2, 0.3]) {
        const params = { progressToken, progress: progress - 1 + part, total: 2 };
        await extra.sendNotification({ method: "notifications/progress", params });
      }
      const params = { progressToken, progress, total: 2, message: "Reading" };
      await extra.sendNotification({ method: "notifications/progress", params });
      // The SDK drops a report that arrives together with the result.
      await sleep(400);
    }
    if (existsSync(`${file}.hang`)) await sleep(20_000, undefined, { signal, ref: false });
    return text("Read.");
  },
);
await server.connect(new StdioServerTransport());
