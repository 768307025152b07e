export {
  pruneCheckpoints,
  type Pruned,
  type PruneOptions,
  type SqliteDatabase,
} from "./prune-checkpoints.js";
