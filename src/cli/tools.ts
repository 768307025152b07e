import type { StructuredToolInterface } from "@langchain/core/tools";

import { isRecord } from "../json/json.js";
import type { Environment } from "../models/model.js";
import type { ServiceOptions } from "../services/index.js";
import { calculator } from "../tools/builtin/calculator.js";
import { createCurrentDateTool } from "../tools/builtin/date-tools.js";
import { askUser, handOff } from "../tools/builtin/people.js";
import { randomNumber } from "../tools/builtin/random-number.js";
import { invalidTool } from "../tools/policy.js";
import { type GivenFlags, knowledgePlace } from "./flags.js";
import { loadExports } from "./load-exports.js";

/** The tools of a run: the built-in ones, that of `--knowledge`, and those of `--tools`, `--services` and `--mcp` (`ofServers`), which replace their namesakes. */
export async function toolsFor(
  {
    tools: files,
    services,
    allowHost,
    wikipedia,
    knowledge,
    embeddings,
  }: Pick<
    GivenFlags,
    "tools" | "services" | "allowHost" | "wikipedia" | "knowledge" | "embeddings"
  >,
  environment: Environment,
  ofServers: readonly StructuredToolInterface[] = [],
): Promise<readonly StructuredToolInterface[]> {
  const hosts = allowHost.length === 0 ? {} : { allowHosts: allowHost };
  const loaded = [
    ...(await loadToolFiles(files)),
    ...(await servicesFor(services, { environment, ...hosts })),
    ...ofServers,
  ];
  const names = new Set(loaded.map(({ name }) => name));
  const builtIn: StructuredToolInterface[] = [
    calculator,
    randomNumber,
    createCurrentDateTool(),
    ...(wikipedia ? [await wikipediaTool()] : []),
    ...(await searchTools(knowledge, embeddings, environment)),
    askUser,
    handOff,
  ];
  return [...builtIn.filter(({ name }) => !names.has(name)), ...loaded];
}

async function servicesFor(
  files: readonly string[],
  options: ServiceOptions,
): Promise<readonly StructuredToolInterface[]> {
  if (files.length === 0 && options.allowHosts === undefined) return [];
  const { loadServices } = await import("../services/index.js");
  return loadServices(files, options);
}

async function searchTools(
  flag: string | undefined,
  embeddings: string | undefined,
  environment: Environment,
): Promise<readonly StructuredToolInterface[]> {
  const place = knowledgePlace(flag, environment);
  if (place === undefined) return [];
  const { createSearchKnowledgeTool, openKnowledgeAt } = await import("../knowledge/index.js");
  return [createSearchKnowledgeTool(await openKnowledgeAt(place, { embeddings, environment }))];
}

async function wikipediaTool(): Promise<StructuredToolInterface> {
  const { createWikipediaTool } = await import("../tools/builtin/wikipedia.js");
  return createWikipediaTool();
}

/**
 * Loads the LangChain tools that modules export: as named exports, in lists or as the default. Throws `unreadable_file`
 * for a file that does not exist, is not a module or fails to load, `missing_package` for TypeScript without `tsx`,
 * `invalid_tool` for a file without tools.
 */
export function loadToolFiles(files: readonly string[]): Promise<StructuredToolInterface[]> {
  return loadExports(files, {
    flag: "--tools",
    thing: "tool",
    kind: "LangChain tools",
    isThing: isTool,
    invalid: invalidTool,
  });
}

function isTool(value: unknown): value is StructuredToolInterface {
  return (
    isRecord(value) &&
    typeof value["name"] === "string" &&
    typeof value["invoke"] === "function" &&
    "schema" in value
  );
}
