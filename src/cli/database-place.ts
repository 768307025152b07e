import { join } from "node:path";

import { z } from "zod";

import type { Environment } from "../models/model.js";
import { invalidOption } from "../run/check-names.js";
import type { DatabasePlace } from "../server/index.js";

/** The flags that name a server's database. */
export const Places = z.object({ database: z.string().optional(), data: z.string().optional() });
type Given = z.infer<typeof Places>;

/** The URL of a Postgres, from the flag or the environment. */
export function databaseIn(
  { database }: Pick<Given, "database">,
  environment: Environment,
): string | undefined {
  const url = database ?? environment["PLANGRAPH_DATABASE"] ?? "";
  return url === "" ? undefined : url;
}

/** The database that the flags name; undefined without them. */
export function placeIn({ database, data }: Given): DatabasePlace | undefined {
  if (database !== undefined && data !== undefined) {
    throw invalidOption("--data and --database: expected one of them.");
  }
  if (data !== undefined) return { data };
  return database === undefined ? undefined : { database };
}

/** Where a server with its data in a folder keeps its runs. */
export function tracesIn(data: string): string {
  return join(data, "traces.db");
}

/** The same, or that of the environment. */
export function placeOrDefault(given: Given, environment: Environment): DatabasePlace | undefined {
  const place = placeIn(given);
  const url = databaseIn({}, environment);
  return place ?? (url === undefined ? undefined : { database: url });
}
