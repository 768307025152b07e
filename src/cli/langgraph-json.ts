import { readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";

import { checkAgents, problemLine } from "../agents/index.js";
import { readDataFile } from "../files/data-file.js";
import { isRecord } from "../json/json.js";
import { freeName, invalidOption } from "../run/check-names.js";
import type { CliIo } from "./io.js";

/** An agent that the LangGraph server serves: the name of its graph, its export in the module, and its file. */
type ServedAgent = { readonly name: string; readonly exported: string; readonly file: string };

/**
 * Writes a module with the agents and workflows of a folder, and enters them in `langgraph.json`; what else stands there
 * stays. Returns whether it could: problems of the files are printed. Throws `invalid_option` for a module that it did
 * not write, and for a graph of that name.
 */
export async function langgraphJsonCommand(
  folder: string,
  { config = "langgraph.json" }: { readonly config?: string },
  { stdout, environment }: CliIo,
): Promise<boolean> {
  const { names, problems } = await checkAgents([folder], { environment });
  if (problems.length > 0) {
    stdout.write(`${problems.map(problemLine).join("\n")}\n`);
    return false;
  }
  const agents: ServedAgent[] = [];
  for (const [file, name] of names) {
    agents.push({ name, exported: exportOf(name, agents), file });
  }
  const module = join(folder, "graphs.mjs");
  await checkModule(module);
  const content = await configWith(config, module, agents);
  await writeFile(module, moduleOf(folder, agents));
  await writeFile(config, `${JSON.stringify(content, null, 2)}\n`);
  const all = agents.map(({ name }) => name).join(", ");
  stdout.write(`${module}: ${agents.length} ${agents.length === 1 ? "graph" : "graphs"}\n`);
  stdout.write(`${config}: ${all}\n`);
  return true;
}

const firstLine = "// Written by `plangraph agents langgraph-json`, which writes it again.";

async function checkModule(module: string): Promise<void> {
  const text = await readFile(module, "utf8").catch(() => undefined);
  if (text === undefined || text.startsWith(firstLine)) return;
  throw invalidOption(`${module}: expected a module that this command has written, got another.`);
}

function moduleOf(folder: string, agents: readonly ServedAgent[]): string {
  const exports = agents.map(({ name, exported, file }) => {
    const path = JSON.stringify(posix(`./${relative(folder, file)}`));
    const options = `{ name: ${JSON.stringify(name)} }`;
    return `export const ${exported} = reloadingAgent(at(${path}), ${options});\n`;
  });
  return `${firstLine}
import { fileURLToPath } from "node:url";

import { reloadingAgent } from "plangraph/agents";

const at = (file) => fileURLToPath(new URL(file, import.meta.url));

${exports.join("")}`;
}

/** A name in JavaScript: `plan-execute` is `planExecuteAgent`, which no word of the language is. */
function exportOf(name: string, taken: readonly ServedAgent[]): string {
  const word = name.replaceAll(/\W+(\w?)/g, (_, next: string) => next.toUpperCase());
  const plain = `${/^\d/.test(word) ? "_" : ""}${word}Agent`;
  return freeName(plain, new Set(taken.map(({ exported }) => exported)), "");
}

/** The content of `langgraph.json` with the graphs of the module in place of those that it had. */
async function configWith(config: string, module: string, agents: readonly ServedAgent[]) {
  const given = await configAt(config);
  const before = isRecord(given["graphs"]) ? given["graphs"] : {};
  const folder = dirname(resolve(config));
  const isOurs = (place: unknown) =>
    typeof place === "string" && resolve(folder, place.split(":")[0] ?? "") === resolve(module);
  const others = Object.entries(before).filter(([, place]) => !isOurs(place));
  for (const [name] of others) {
    if (!agents.some((agent) => agent.name === name)) continue;
    throw invalidOption(`${config}: it has a graph ${name} already: give the agent another name.`);
  }
  const path = posix(`./${relative(folder, resolve(module))}`);
  const ours = agents.map(({ name, exported }) => [name, `${path}:${exported}`]);
  return { ...given, graphs: Object.fromEntries([...others, ...ours]) };
}

async function configAt(config: string): Promise<Record<string, unknown>> {
  const text = await readFile(config, "utf8").catch(() => undefined);
  if (text === undefined) return { node_version: "20", dependencies: ["."], graphs: {} };
  const content = await readDataFile(config);
  if (isRecord(content)) return content;
  throw invalidOption(`${config}: expected a JSON object.`);
}

function posix(path: string): string {
  return path.split(sep).join("/");
}
