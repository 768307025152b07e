import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

/** A graph of a server: compiled, a function that makes one, or a place, `./graphs.ts:export`. */
export type ServedGraph = string | object;

const registry = Symbol.for("plangraph.server.graphs");

/**
 * The places of graphs, as LangGraph's server takes them. Graphs of this process get one, too: a module in `folder`.
 * Places are taken relative to `base`.
 */
export async function graphPlaces(
  graphs: Readonly<Record<string, ServedGraph>>,
  { base, folder }: { readonly base: string; readonly folder: string },
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
      typeof graph === "string" ? placeFrom(base, graph) : (exported.get(name) ?? ""),
    ]),
  );
}

/** A place, `./file.ts:export`, with an absolute path. */
export function placeFrom(base: string, place: string): string {
  const [path = "", name = "default"] = place.split(":", 2);
  return `${resolve(base, path)}:${name}`;
}
