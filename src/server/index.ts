export { createPages, type CreatePagesOptions, type PagesApplication } from "./create-pages.js";
export { createServer, type CreateServerOptions } from "./create-server.js";
export { createWorker, type CreateWorkerOptions } from "./create-worker.js";
export type { ServedGraph } from "./graph-places.js";
export {
  type DatabasePlace,
  forgetData,
  type ForgottenData,
  pruneDatabase,
  readDecisions,
} from "./manage-database.js";
export { migrateDatabase } from "./migrate-database.js";
export type { GraphOptions, OpenServer } from "./open-server.js";
export type { PageOptions } from "./pages/page-options.js";
export type { Budget, Budgets } from "./postgres/budgets.js";
export type { DecisionFilter, RecordedDecision } from "./postgres/decisions.js";
export type { Forgotten, ItemsIn } from "./postgres/forget.js";
export type { PrunedDatabase, PruneRules } from "./postgres/prune.js";
export type { ProviderLimit, ProviderLimits } from "./provider-limits.js";
