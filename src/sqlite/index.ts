export { pruneCheckpoints, type Pruned, type PruneOptions } from "./prune-checkpoints.js";
export {
  isBusy,
  type OpenDatabase,
  openDatabase,
  type SqliteDatabase,
  unreadableFile,
} from "./open-database.js";
export { openStore, type SqliteStore } from "./store.js";
