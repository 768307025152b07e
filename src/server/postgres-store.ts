import type { BaseStore } from "@langchain/langgraph";

import { optionalPackage } from "../errors.js";
import type { Database } from "./postgres/database.js";
import { schema, setUp } from "./postgres/schema.js";

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
