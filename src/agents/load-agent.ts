import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";

import { PlangraphError } from "../errors.js";
import { isAgentFile, isDataFile } from "../files/file-names.js";
import type { FileSource } from "../files/file-source.js";
import { invalidOption } from "../run/check-names.js";
import { type AgentOptions, createAgent, type FileGraph } from "./create-agent.js";
import { invalidAgent, type Problem } from "./problems.js";
import { readFile, shownPath } from "./read-agent.js";
import type { ReadFile } from "./read-types.js";

/**
 * Makes the graph that an agent file, or a workflow file (`.workflow.yaml`), describes: the same as the code would make. The file is JSON, or YAML with the
 * package `yaml`; paths in it are read from its folder. Everything that it names is checked before the graph is made.
 * Throws `invalid_agent` with all problems, each with its place.
 */
export async function loadAgent(file: string, options: AgentOptions = {}): Promise<FileGraph> {
  return graphFrom(file, options);
}

/** The same, with the files read from another place than the disk. */
export async function graphFrom(
  file: string,
  options: AgentOptions,
  source?: FileSource,
): Promise<FileGraph> {
  const { problems, graph } = await openAgent(file, options, source);
  if (graph === undefined) throw invalidAgent(problems);
  return graph;
}

/**
 * Makes the graphs of all agent and workflow files of a folder (`.agent.yaml`, `.workflow.yaml`, `.yml`, `.json`), by their names. Throws
 * `invalid_agent` with the problems of all of them: none is loaded while one is broken.
 */
export async function loadAgents(
  folder: string,
  options: AgentOptions = {},
): Promise<ReadonlyMap<string, FileGraph>> {
  const opened: Opened[] = [];
  for (const file of await agentFilesIn(folder)) opened.push(await openAgent(file, options));
  const problems = [...opened.flatMap((one) => one.problems), ...sameNames(opened)];
  if (problems.length > 0) throw invalidAgent(problems);
  return new Map(
    opened.flatMap(({ agent, graph }) =>
      agent === undefined || graph === undefined ? [] : [[agent.name, graph] as const],
    ),
  );
}

/** Reads and checks agent files and folders of them, and runs nothing. Returns their problems. */
export async function checkAgents(
  paths: readonly string[],
  options: AgentOptions = {},
): Promise<{ readonly files: readonly string[]; readonly problems: readonly Problem[] }> {
  const files: string[] = [];
  const opened: Opened[] = [];
  for (const path of paths) files.push(...(await filesAt(path)));
  for (const file of files) opened.push(await openAgent(file, options));
  const all = [...opened.flatMap((one) => one.problems), ...sameNames(opened)];
  // An agent that several name has its problems once.
  const seen = new Map(all.map((one) => [JSON.stringify(one), one]));
  return { files, problems: [...seen.values()] };
}

type Opened = {
  readonly file: string;
  readonly problems: readonly Problem[];
  readonly agent: ReadFile | undefined;
  readonly graph: FileGraph | undefined;
};

/** Throws `invalid_option` for what is no path. */
export function checkPath(where: string, file: unknown): void {
  if (typeof file === "string" && file.trim() !== "") return;
  throw invalidOption(`${where}: expected the path of an agent file.`);
}

/** Reads and checks a file, and makes its graph, or returns its problems. */
async function openAgent(
  file: string,
  options: AgentOptions,
  source?: FileSource,
): Promise<Opened> {
  checkPath("loadAgent", file);
  const problems: Problem[] = [];
  const { environment = process.env } = options;
  const agent = await readFile(file, { environment, within: [], problems, source });
  if (agent === undefined) return { file, problems, agent, graph: undefined };
  try {
    return { file, problems, agent, graph: createAgent(agent, options) };
  } catch (error) {
    if (!(error instanceof PlangraphError)) throw error;
    const problem = { file: shownPath(resolve(file)), path: [], message: error.message };
    return { file, problems: [...problems, problem], agent, graph: undefined };
  }
}

async function filesAt(path: string): Promise<readonly string[]> {
  return isDataFile(path) ? [path] : agentFilesIn(path);
}

async function agentFilesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new PlangraphError("unreadable_file", `${folder}: there is no such folder.`, { cause });
  });
  const files = names.filter(isAgentFile).toSorted();
  if (files.length > 0) return files.map((name) => join(folder, name));
  throw new PlangraphError(
    "unreadable_file",
    `${folder} holds no agents: expected files that end in .agent.yaml or .workflow.yaml, .yml or .json.`,
  );
}

function sameNames(opened: readonly Opened[]): Problem[] {
  const files = new Map<string, string>();
  return opened.flatMap(({ file, agent }) => {
    if (agent === undefined) return [];
    const other = files.get(agent.name);
    files.set(agent.name, file);
    if (other === undefined || resolve(other) === resolve(file)) return [];
    const message = `expected another name: ${shownPath(resolve(other))} has the name ${agent.name}, too`;
    return [{ file: shownPath(resolve(file)), path: ["name"], message }];
  });
}
