import type { StructuredToolInterface } from "@langchain/core/tools";

import { loadToolFiles } from "../files/load-tools.js";
import type { Environment } from "../models/model.js";
import type { ServiceOptions } from "../services/index.js";
import { hintAt, invalidOption } from "../run/check-names.js";
import { builtInTools } from "../tools/builtin/by-name.js";
import { type GivenFlags, knowledgePlace } from "./flags.js";

/** Built-in tools that need nothing but their arguments: they stand beside any others. */
const pure = ["calculator", "compare"];
/** The built-in tools of a run for which none are named. */
const usual = [...pure, "random_number", "current_date", "ask_user", "hand_off"];

/**
 * The tools of a run: those of `--tools`, `--services`, `--knowledge` and `--mcp` (`ofServers`) with the pure built-in
 * ones, which they replace by name; without any of these, the usual built-in ones.
 */
export async function toolsFor(
  {
    tools: named,
    services,
    allowHost,
    knowledge,
    embeddings,
  }: Pick<GivenFlags, "tools" | "services" | "allowHost" | "knowledge" | "embeddings">,
  environment: Environment,
  ofServers: readonly StructuredToolInterface[] = [],
): Promise<readonly StructuredToolInterface[]> {
  const hosts = allowHost.length === 0 ? {} : { allowHosts: allowHost };
  const own = named.filter((name) => isBuiltIn(name));
  const given = [
    ...(await searchTools(knowledge, embeddings, environment)),
    ...(await loadToolFiles(named.filter((name) => !own.includes(name)))),
    ...(await servicesFor(services, { environment, ...hosts })),
    ...ofServers,
  ];
  const isAlone = given.length + own.length === 0;
  const taken = new Set(given.map(({ name }) => name));
  const beside = new Set(isAlone ? usual : [...pure, ...own]);
  const free = [...beside].filter((name) => !taken.has(name));
  const made = free.flatMap((name) => builtInTools[name]?.() ?? []);
  return [...(await Promise.all(made)), ...given];
}

/** Whether it names a built-in tool; anything with a dot or a slash is a file. Throws `invalid_option` for neither. */
function isBuiltIn(name: string): boolean {
  if (/[./\\]/.test(name)) return false;
  if (Object.hasOwn(builtInTools, name)) return true;
  const known = Object.keys(builtInTools);
  throw invalidOption(
    `--tools ${name}: there is no such built-in tool.${hintAt(name, known)} There is ${known.join(", ")}. A file is named with its ending.`,
  );
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
