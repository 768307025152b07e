import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { namedExports } from "../files/load-exports.js";
import { invalidOption } from "../run/check-names.js";

/** A graph of a server: compiled, a function that makes one, or a place, `./graphs.ts:export`. */
export type ServedGraph = string | object;

const registry = Symbol.for("plangraph.server.graphs");

/**
 * Checks that there are graphs where places say so, before anything is opened for them. Returns them: those that are
 * functions make one for each run. Throws `invalid_option` and `unreadable_file`.
 */
export async function checkGraphs(
  graphs: Readonly<Record<string, ServedGraph>>,
): Promise<readonly object[]> {
  if (Object.keys(graphs).length === 0) {
    throw invalidOption("A server needs a graph: give `graphs` or `config`.");
  }
  const found: unknown[] = [];
  for (const [name, graph] of Object.entries(graphs)) {
    const isPlace = typeof graph === "string";
    found.push(isPlace ? await exportAt(`graph ${name}:`, placeFrom(process.cwd(), graph)) : graph);
  }
  return found.filter((each) => typeof each === "object" && each !== null);
}

/** What a module exports at a place with an absolute path. Throws `invalid_option` and `unreadable_file`. */
export async function exportAt(what: string, place: string): Promise<unknown> {
  const [path = "", name = "default"] = place.split(":", 2);
  const exported = await namedExports(what, path);
  if (exported[name] !== undefined) return exported[name];
  const names = Object.keys(exported).join(", ");
  throw invalidOption(`${what} ${path} exports no "${name}": expected one of ${names}.`);
}

/** The places of graphs, as LangGraph's server takes them. Graphs of this process get one, too: a module in `folder`. */
export async function graphPlaces(
  graphs: Readonly<Record<string, ServedGraph>>,
  folder: string,
): Promise<Record<string, string>> {
  const here = Object.entries(graphs).filter(([, graph]) => typeof graph !== "string");
  const module = join(folder, "graphs.mjs");
  if (here.length > 0) {
    Reflect.set(globalThis, registry, new Map(here));
    const lines = here.map(
      ([name], at) => `export const graph${at} = graphs.get(${JSON.stringify(name)});\n`,
    );
    const first = `const graphs = globalThis[Symbol.for(${JSON.stringify(registry.description)})];\n`;
    await writeFile(module, first + lines.join(""));
  }
  const exported = new Map(here.map(([name], at) => [name, `${module}:graph${at}`]));
  return Object.fromEntries(
    Object.entries(graphs).map(([name, graph]) => [
      name,
      typeof graph === "string" ? placeFrom(process.cwd(), graph) : (exported.get(name) ?? ""),
    ]),
  );
}

/** A place, `./file.ts:export`, with an absolute path. */
export function placeFrom(base: string, place: string): string {
  const [path = "", name = "default"] = place.split(":", 2);
  return `${resolve(base, path)}:${name}`;
}
