import {
  type CheckpointSaverTestInitializer,
  deltaChannelHistoryTests,
  getTupleTests,
  listTests,
  putTests,
  putWritesTests,
} from "@langchain/langgraph-checkpoint-validation";
import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { Database } from "../../../src/server/postgres/database.js";
import { openRemote } from "../../../src/server/postgres/remote.js";
import { migrate } from "../../../src/server/postgres/migrate.js";
import { openSaver } from "../../../src/server/postgres-saver.js";
import { type Postgres, startPostgres, whyNoPostgres } from "../../support/postgres.js";

const reason = whyNoPostgres();

/** Checkpoints of versions that this server has never written. */
const ofOldVersions = "should migrate pending sends";

const test = new Proxy(it, {
  apply: (target, self, [name, ...rest]) =>
    Reflect.apply(name === ofOldVersions ? it.skip : target, self, [name, ...rest]),
});
// LangGraph's own tests of checkpointers take these from the global scope.
Object.assign(globalThis, {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it: test,
});

describe.skipIf(reason !== undefined)("the server's checkpointer", () => {
  let postgres: Postgres;
  let database: Database;
  beforeAll(async () => {
    postgres = await startPostgres();
    database = await openRemote({ url: postgres.url, connections: 4 });
    await migrate(database);
  }, 60_000);
  afterAll(async () => {
    await database.close();
    await postgres.stop();
  });
  const tried: CheckpointSaverTestInitializer<BaseCheckpointSaver> = {
    checkpointerName: "it",
    createCheckpointer: () => openSaver(database, () => {}),
    destroyCheckpointer: async () => {
      await database.query(
        "truncate plangraph.states, plangraph.state_values, plangraph.state_writes",
      );
    },
  };
  putTests(tried);
  putWritesTests(tried);
  getTupleTests(tried);
  listTests(tried);
  deltaChannelHistoryTests(tried);
});
