import { join } from "node:path";

import type { StructuredToolInterface } from "@langchain/core/tools";

import { PlangraphError } from "../errors.js";
import { readDataFile } from "../files/data-file.js";
import { disk, type FileSource } from "../files/file-source.js";
import { isRecord } from "../json/json.js";
import {
  checkServices,
  type GivenService,
  nameOf,
  type ServiceOptions,
  toolsOf,
} from "./service-tools.js";
import { InvalidService, InvalidServices, readService } from "./read-service.js";
import type { Service } from "./definition.js";

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
  return toolsOf(await givenAt(paths, disk), options);
}

/**
 * Reads service definitions from files and folders, as `loadServices` does, and makes no tools of them. Throws
 * `invalid_service` with the problems of all of them. The second argument reads them from another place than the disk.
 */
export async function readServices(
  paths: readonly string[],
  source: FileSource = disk,
): Promise<Service[]> {
  checkServices("readServices", "paths", paths, {});
  const given = await givenAt(paths, source);
  const wrong: InvalidService[] = [];
  const services = given.flatMap(({ definition, where, place }) => {
    try {
      return [readService(definition, where, place)];
    } catch (error) {
      if (!(error instanceof InvalidService)) throw error;
      wrong.push(error);
      return [];
    }
  });
  if (wrong.length === 0) return services;
  throw new InvalidServices(wrong);
}

async function givenAt(paths: readonly string[], source: FileSource): Promise<GivenService[]> {
  const given: GivenService[] = [];
  // One after another, so that the first error is that of the first file.
  for (const path of paths) {
    for (const file of await filesAt(path, source)) {
      given.push(...(await definitionsIn(file, source)));
    }
  }
  checkNames(given);
  return given;
}

async function filesAt(path: string, source: FileSource): Promise<string[]> {
  const files = await source.names(path, /\.service\.(?:json|ya?ml)$/i);
  if (files === undefined) return [path];
  if (files.length > 0) return files.map((name) => join(path, name));
  throw new PlangraphError(
    "unreadable_file",
    `${path} holds no service definitions: expected files that end in .service.json, .service.yaml or .service.yml.`,
  );
}

async function definitionsIn(file: string, source: FileSource): Promise<GivenService[]> {
  const content = await readDataFile(file, source);
  if (isRecord(content) && ("openapi" in content || "swagger" in content)) {
    throw new PlangraphError(
      "invalid_service",
      `${file} is an OpenAPI document: plangraph services import ${file} --out FOLDER makes service definitions of it.`,
    );
  }
  if (!Array.isArray(content))
    return [{ definition: content, where: file, place: { file, path: [] } }];
  if (content.length === 0) {
    const message = `${file} holds no service definitions: expected one, or a list of them, got an empty list.`;
    throw new PlangraphError("invalid_service", message);
  }
  return content.map((definition: unknown, at) => ({
    definition,
    where: `${file}, definition ${at + 1}${nameOf(definition)},`,
    place: { file, path: [at] },
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
