import { setTimeout as sleep } from "node:timers/promises";

import type { BaseStore } from "@langchain/langgraph";

import { optionalPackage } from "../errors.js";
import type { Database } from "./postgres/database.js";
import { schema } from "./postgres/schema.js";

const name = "@langchain/langgraph-checkpoint-postgres";

/** Opens LangGraph's store for what is remembered across threads. Its tables are made the first time. */
export async function openStore({ pool }: Database): Promise<BaseStore> {
  const { PostgresStore } = await optionalPackage(
    () => import("@langchain/langgraph-checkpoint-postgres/store"),
    `The server needs the package "${name}": npm install ${name}.`,
  );
  const store = new PostgresStore({ connectionOptions: {}, schema });
  // It takes the options of a pool, but no pool. The one that it made has no connection yet.
  const core: unknown = Reflect.get(store, "core");
  if (typeof core === "object" && core !== null) Reflect.set(core, "pool", pool);
  await setUp(store);
  return store;
}

/** How often LangGraph's steps are tried: of processes that take one at the same time, all but one fail. */
const setUpAttempts = 10;

/** Makes the tables, also while other processes make them. */
async function setUp(store: { readonly setup: () => Promise<void> }): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await store.setup();
      return;
    } catch (error) {
      if (attempt === setUpAttempts) throw error;
      await sleep(50 * attempt * Math.random());
    }
  }
}
