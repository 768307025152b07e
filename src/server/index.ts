export { createServer, type CreateServerOptions } from "./create-server.js";
export { createWorker, type CreateWorkerOptions } from "./create-worker.js";
export type { ServedGraph } from "./graph-places.js";
export { migrateDatabase } from "./migrate-database.js";
export type { GraphOptions, OpenServer } from "./open-server.js";
