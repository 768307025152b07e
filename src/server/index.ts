export {
  createServer,
  type CreateServerOptions,
  defaultPort,
  type PlangraphServer,
} from "./create-server.js";
export { createWorker, type CreateWorkerOptions, type PlangraphWorker } from "./create-worker.js";
export type { ServedGraph } from "./graph-places.js";
export { migrateDatabase } from "./migrate-database.js";
