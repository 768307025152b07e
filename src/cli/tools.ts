import type { StructuredToolInterface } from "@langchain/core/tools";

import { isRecord } from "../json/json.js";
import type { Environment } from "../models/model.js";
import type { ServiceOptions } from "../services/index.js";
import { calculator } from "../tools/builtin/calculator.js";
import { compare } from "../tools/builtin/compare.js";
import { createCurrentDateTool } from "../tools/builtin/date-tools.js";
import { askUser, handOff } from "../tools/builtin/people.js";
import { randomNumber } from "../tools/builtin/random-number.js";
import { hintAt, invalidOption } from "../run/check-names.js";
import { invalidTool } from "../tools/policy.js";
import { type GivenFlags, knowledgePlace } from "./flags.js";
import { loadExports } from "./load-exports.js";

/** The built-in tools by name. */
const builtIn: { readonly [name: string]: () => Promise<StructuredToolInterface> } = {
  calculator: async () => calculator,
  compare: async () => compare,
  random_number: async () => randomNumber,
  current_date: async () => createCurrentDateTool(),
  ask_user: async () => askUser,
  hand_off: async () => handOff,
  wikipedia: async () => {
    const { createWikipediaTool } = await import("../tools/builtin/wikipedia.js");
    return createWikipediaTool();
  },
};

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
  const made = free.flatMap((name) => builtIn[name]?.() ?? []);
  return [...(await Promise.all(made)), ...given];
}

/** Whether it names a built-in tool; anything with a dot or a slash is a file. Throws `invalid_option` for neither. */
function isBuiltIn(name: string): boolean {
  if (/[./\\]/.test(name)) return false;
  if (Object.hasOwn(builtIn, name)) return true;
  const known = Object.keys(builtIn);
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
