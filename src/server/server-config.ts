import { dirname, resolve } from "node:path";
import { existsSync } from "node:fs";
import { loadEnvFile } from "node:process";

import { z } from "zod";

import { readDataFile } from "../files/data-file.js";
import { invalidOption } from "../run/check-names.js";
import { issueLines } from "../run/errors.js";
import { placeFrom } from "./graph-places.js";

const Config = z.object({
  graphs: z.record(z.string(), z.union([z.string(), z.object({ path: z.string() })])),
  env: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  auth: z
    .object({ path: z.string().optional(), disable_studio_auth: z.boolean().default(true) })
    .optional(),
  http: z.object({ app: z.string().optional() }).optional(),
});

/** What a `langgraph.json` says, with absolute places. */
export type ServerConfig = {
  readonly graphs: Readonly<Record<string, string>>;
  /** Authorization handlers. */
  readonly auth?: { readonly path: string; readonly disable_studio_auth: boolean };
  /** An application beside the API. */
  readonly app?: string;
};

/**
 * Reads a `langgraph.json`, and sets the variables of its `env` that are not set yet. Throws `invalid_option` and
 * `unreadable_file`.
 */
export async function readConfig(file: string): Promise<ServerConfig> {
  const { success, data, error } = Config.safeParse(await readDataFile(file));
  if (!success) {
    const problems = issueLines(error.issues, "langgraph.json").join("; ");
    throw invalidOption(`${file}: expected a langgraph.json: ${problems}.`);
  }
  const base = dirname(resolve(file));
  setVariables(base, data.env);
  const places = Object.entries(data.graphs).map(([name, place]) => [
    name,
    placeFrom(base, typeof place === "string" ? place : place.path),
  ]);
  const { auth, http } = data;
  return {
    graphs: Object.fromEntries(places),
    // Whoever says that they are LangGraph Studio is let in without a check, unless it is off.
    ...(auth?.path !== undefined && {
      auth: { ...auth, path: placeFrom(base, auth.path) },
    }),
    ...(http?.app !== undefined && { app: placeFrom(base, http.app) }),
  };
}

function setVariables(base: string, env: z.infer<typeof Config>["env"]): void {
  if (typeof env === "string") {
    if (existsSync(resolve(base, env))) loadEnvFile(resolve(base, env));
    return;
  }
  for (const [name, value] of Object.entries(env ?? {})) process.env[name] ??= value;
}
