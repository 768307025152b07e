import { stat } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import type { StructuredToolInterface } from "@langchain/core/tools";

import { optionalPackage, PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import type { Environment } from "../models/model.js";
import { errorLine } from "../observe/redact.js";
import type { ServiceOptions } from "../services/index.js";
import { calculator } from "../tools/builtin/calculator.js";
import { createCurrentDateTool } from "../tools/builtin/date-tools.js";
import { askUser, handOff } from "../tools/builtin/people.js";
import { randomNumber } from "../tools/builtin/random-number.js";
import { invalidTool } from "../tools/policy.js";
import { type GivenFlags, knowledgePlace } from "./flags.js";

/** The tools of a run: the built-in ones, that of `--knowledge`, and those of `--tools` and `--services`, which replace their namesakes. */
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
): Promise<readonly StructuredToolInterface[]> {
  const hosts = allowHost.length === 0 ? {} : { allowHosts: allowHost };
  const loaded = [
    ...(await loadToolFiles(files)),
    ...(await servicesFor(services, { environment, ...hosts })),
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
  const { createSearchKnowledgeTool } = await import("../knowledge/index.js");
  const { openBase } = await import("./open-base.js");
  return [createSearchKnowledgeTool(await openBase({ place, embeddings }, environment))];
}

async function wikipediaTool(): Promise<StructuredToolInterface> {
  const { createWikipediaTool } = await import("../tools/builtin/wikipedia.js");
  return createWikipediaTool();
}

const scripts = [".js", ".mjs", ".cjs"];
const typescripts = [".ts", ".mts"];

/**
 * Loads the LangChain tools that modules export: as named exports, in lists or as the default. Throws `unreadable_file`
 * for a file that does not exist, is not a module or fails to load, `missing_package` for TypeScript without `tsx`,
 * `invalid_tool` for a file without tools.
 */
export async function loadToolFiles(files: readonly string[]): Promise<StructuredToolInterface[]> {
  const tools: StructuredToolInterface[] = [];
  // One after another, so that the first error is that of the first file.
  for (const file of files) tools.push(...(await loadToolFile(file)));
  return tools;
}

async function loadToolFile(file: string): Promise<StructuredToolInterface[]> {
  const path = resolve(file);
  await checkFile(file, path);
  if (typescripts.includes(extname(path))) await readTypeScript(file);
  const exported = await importModule(file, path);
  const found = [...new Set(Object.values(exported).flatMap((value) => toolsIn(value, file)))];
  if (found.length > 0) return found;
  throw invalidTool(
    `--tools ${file} exports no LangChain tools: expected tools as named exports, a list of tools or a default export, got ${namesOf(exported)}.`,
  );
}

async function checkFile(file: string, path: string): Promise<void> {
  const known = [...scripts, ...typescripts];
  if (!known.includes(extname(path))) {
    throw unreadable(file, `expected a module that ends in ${known.join(", ")}.`);
  }
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw unreadable(file, "there is no such file.");
  if (!found.isFile()) throw unreadable(file, "this is not a file.");
}

/** Makes TypeScript importable for the rest of the process. */
async function readTypeScript(file: string): Promise<void> {
  const [commonjs, esm] = await optionalPackage(
    () => Promise.all([import("tsx/cjs/api"), import("tsx/esm/api")]),
    `--tools ${file}: TypeScript needs the package "tsx": npm install tsx, or give a .js file.`,
  );
  // Without "type": "module" in its package.json, a TypeScript file is read as CommonJS.
  commonjs.register();
  esm.register();
}

async function importModule(file: string, path: string): Promise<Record<string, unknown>> {
  try {
    const module: unknown = await import(pathToFileURL(path).href);
    return isRecord(module) ? module : {};
  } catch (error) {
    throw unreadable(file, `loading it failed: ${errorLine(error)}`, error);
  }
}

/** The tools in one export: a tool, a list of tools, or an object of these, the form of CommonJS modules. */
function toolsIn(value: unknown, file: string): StructuredToolInterface[] {
  if (isRecord(value) && !isTool(value)) {
    return Object.values(value).flatMap((field) => directTools(field, file));
  }
  return directTools(value, file);
}

function directTools(value: unknown, file: string): StructuredToolInterface[] {
  if (isTool(value)) return [value];
  // A list without any tool is an unrelated export.
  if (!Array.isArray(value) || !value.some(isTool)) return [];
  const other: unknown = value.find((item) => !isTool(item));
  if (value.every(isTool)) return value;
  throw invalidTool(
    `--tools ${file}: a list of LangChain tools has something else in it: ${other === null ? "null" : typeof other}.`,
  );
}

function isTool(value: unknown): value is StructuredToolInterface {
  return (
    isRecord(value) &&
    typeof value["name"] === "string" &&
    typeof value["invoke"] === "function" &&
    "schema" in value
  );
}

function namesOf(exported: Record<string, unknown>): string {
  const names = Object.keys(exported).slice(0, 8).join(", ");
  return names === "" ? "no exports" : `the exports ${names}`;
}

function unreadable(file: string, problem: string, cause?: unknown): PlangraphError {
  return new PlangraphError("unreadable_file", `--tools ${file}: ${problem}`, { cause });
}
