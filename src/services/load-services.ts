import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";

import type { StructuredToolInterface } from "@langchain/core/tools";

import { optionalPackage, PlangraphError } from "../errors.js";
import { isRecord, maxDepth } from "../json/json.js";
import { jsonProblem, placeIn } from "../json/json-problem.js";
import { errorLine } from "../observe/redact.js";
import {
  checkServices,
  type GivenService,
  nameOf,
  type ServiceOptions,
  toolsOf,
} from "./service-tools.js";
import { readService } from "./definition-problems.js";
import type { Service } from "./definition.js";
import { isWithin, maxValues } from "./values.js";

/**
 * Makes tools from files of service definitions: JSON, or YAML if the package `yaml` is installed; one definition or a
 * list. In a folder all files that end in `.service.json`, `.service.yaml` or `.service.yml` are loaded. Throws what
 * `serviceTools` throws, with the file, and `unreadable_file` for a file that cannot be read.
 */
export async function loadServices(
  paths: readonly string[],
  options: ServiceOptions = {},
): Promise<StructuredToolInterface[]> {
  checkServices("loadServices", "paths", paths, options);
  return toolsOf(await givenAt(paths), options);
}

/** Reads service definitions from files and folders, as `loadServices` does, and makes no tools of them. */
export async function readServices(paths: readonly string[]): Promise<Service[]> {
  checkServices("readServices", "paths", paths, {});
  const given = await givenAt(paths);
  return given.map(({ definition, where }) => readService(definition, where));
}

async function givenAt(paths: readonly string[]): Promise<GivenService[]> {
  const given: GivenService[] = [];
  // One after another, so that the first error is that of the first file.
  for (const path of paths) {
    for (const file of await filesAt(path)) given.push(...(await definitionsIn(file)));
  }
  checkNames(given);
  return given;
}

async function filesAt(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) return [path];
  const names = await readdir(path);
  const files = names.filter((name) => /\.service\.(?:json|ya?ml)$/i.test(name)).toSorted();
  if (files.length > 0) return files.map((name) => join(path, name));
  throw new PlangraphError(
    "unreadable_file",
    `${path} holds no service definitions: expected files that end in .service.json, .service.yaml or .service.yml.`,
  );
}

async function definitionsIn(file: string): Promise<GivenService[]> {
  const content = await readDataFile(file);
  if (isRecord(content) && ("openapi" in content || "swagger" in content)) {
    throw new PlangraphError(
      "invalid_service",
      `${file} is an OpenAPI document: plangraph services import ${file} --out FOLDER makes service definitions of it.`,
    );
  }
  if (!Array.isArray(content)) return [{ definition: content, where: file }];
  if (content.length === 0) {
    const message = `${file} holds no service definitions: expected one, or a list of them, got an empty list.`;
    throw new PlangraphError("invalid_service", message);
  }
  return content.map((definition: unknown, at) => ({
    definition,
    where: `${file}, definition ${at + 1}${nameOf(definition)},`,
  }));
}

function checkNames(given: readonly GivenService[]): void {
  const places = new Map<string, string>();
  for (const { definition, where } of given) {
    const name = nameOf(definition);
    const other = places.get(name);
    if (name !== "" && other !== undefined) {
      throw new PlangraphError(
        "invalid_service",
        `${where} has the name of another service${name}, that of ${other}; names must differ.`,
      );
    }
    places.set(name, where);
  }
}

/** YAML's syntax tree has three levels for each level of data, and a few for the document. */
const maxSyntaxDepth = 3 * maxDepth + 10;

const tooDeep = `it nests more than ${maxDepth} objects and lists`;

/** Reads a JSON or YAML file as plain data. Throws `unreadable_file` with line and column, or `missing_package` for YAML without `yaml`. */
export async function readDataFile(file: string): Promise<unknown> {
  const read = readers.get(extname(file).toLowerCase());
  if (read === undefined) {
    throw unreadable(file, `expected a file that ends in ${[...readers.keys()].join(", ")}.`);
  }
  const value = await read((await textOf(file)).replace(/^\uFEFF/, ""), file);
  if (isWithin(value, maxDepth, maxValues)) return value;
  throw unreadable(file, `${tooDeep}, or expands to more than ${maxValues} values.`);
}

const readers: ReadonlyMap<string, (text: string, file: string) => unknown> = new Map([
  [".json", readJsonText],
  [".yaml", readYamlText],
  [".yml", readYamlText],
]);

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
    if (code === "ENOENT") throw unreadable(file, "there is no such file.", error);
    if (code === "EISDIR") throw unreadable(file, "this is a folder, not a file.", error);
    throw unreadable(file, `it cannot be read: ${errorLine(error)}`, error);
  }
}

function readJsonText(text: string, file: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    throw unreadable(file, `it is not JSON: ${jsonProblem(text, errorLine(error))}.`);
  }
}

async function readYamlText(text: string, file: string): Promise<unknown> {
  const { Composer, Parser } = await optionalPackage(
    () => import("yaml"),
    `${file}: YAML needs the package "yaml": npm install yaml, or give a .json file.`,
  );
  try {
    const syntax = [...new Parser().parse(text)];
    // The composer is recursive: a text nested far too deep would end the process.
    if (!isWithin(syntax, maxSyntaxDepth)) throw unreadable(file, `${tooDeep}.`);
    const composer = new Composer(yamlOptions);
    const [document, other] = composer.compose(syntax, true, text.length);
    if (document === undefined) return undefined;
    if (other !== undefined) {
      const place = placeIn(text, other.range[0]);
      throw unreadable(file, `it holds several YAML documents: expected one${place}.`);
    }
    const [error] = document.errors;
    if (error === undefined) return document.toJS({ maxAliasCount: -1 });
    throw unreadable(file, `it is not YAML: ${errorLine(error)}${placeIn(text, error.pos[0])}.`);
  } catch (error) {
    if (error instanceof PlangraphError) throw error;
    throw unreadable(file, `it is not YAML: ${errorLine(error).replace(/\.$/, "")}.`);
  }
}

const yamlOptions = {
  merge: true,
  // Only the data types of JSON: keys are strings, and no tag makes dates, sets or bytes.
  stringKeys: true,
  resolveKnownTags: false,
} as const;

function unreadable(file: string, problem: string, cause?: unknown): PlangraphError {
  return new PlangraphError("unreadable_file", `${file}: ${problem}`, { cause });
}
