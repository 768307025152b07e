// A server or a worker as a process of its own, for tests that kill it: see plangraph-server.ts.
import { createServer, createWorker } from "../../src/server/index.js";

const { kind, ...options } = JSON.parse(process.env["SERVER_OPTIONS"] ?? "{}");
const server = await (kind === "worker" ? createWorker(options) : createServer(options));
process.once("SIGTERM", () => {
  void server.close().then(() => process.exit(0));
});
process.stdout.write(`${server.url}\n`);
