import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";

import { PlangraphError } from "../errors.js";
import { isAgentFile, isDataFile } from "../files/file-names.js";
import type { FileSource } from "../files/file-source.js";
import { invalidOption } from "../run/check-names.js";
import { shownPath } from "./read/around.js";
import { type AgentOptions, createAgent, type MadeGraph } from "./make/create-agent.js";
import { type McpShare, McpServers } from "./make/mcp-servers.js";
import { invalidAgent, type Problem } from "./read/problems.js";
import { readMain } from "./read/read-agent.js";
import type { ReadFile } from "./read/read-types.js";

/** What a graph of files holds open: its MCP servers. */
export type Closable = {
  /** Stops the MCP servers that no other graph has. A second time does nothing; without such servers it need not be called. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A graph that a file describes: a compiled graph of LangGraph, a route, a tool, a subject of an evaluation. */
export type FileGraph = MadeGraph & Closable;

/**
 * Makes the graph that an agent file, or a workflow file (`.workflow.yaml`), describes: the same as the code would make. The file is JSON, or YAML with the
 * package `yaml`; paths in it are read from its folder. Everything that it names is checked before the graph is made; its
 * MCP servers are started for this, and run until `close`. Throws `invalid_agent` with all problems, each with its place.
 */
export async function loadAgent(file: string, options: AgentOptions = {}): Promise<FileGraph> {
  return (await graphFrom(file, options)).graph;
}

/** Where files are read from, and the MCP servers that the program has open. */
type From = { readonly source?: FileSource; readonly servers?: McpServers };

/** The same, with the files read from another place than the disk. */
export async function graphFrom(file: string, options: AgentOptions, from: From = {}) {
  const { problems, graph, share } = await openAgent(file, options, from);
  if (graph === undefined) throw invalidAgent(problems);
  return { graph, share };
}

/** The graph with what closes it. */
export function closable<Graph extends object>(
  graph: Graph,
  close: () => Promise<void>,
): Graph & Closable {
  return Object.assign(graph, { close, [Symbol.asyncDispose]: close });
}

/**
 * Makes the graphs of all agent and workflow files of a folder (`.agent.yaml`, `.workflow.yaml`, `.yml`, `.json`), by their names. Throws
 * `invalid_agent` with the problems of all of them: none is loaded while one is broken. An MCP server that several name
 * in the same way is started once, and stopped with the last graph that has it.
 */
export async function loadAgents(
  folder: string,
  options: AgentOptions = {},
): Promise<ReadonlyMap<string, FileGraph>> {
  const servers = new McpServers();
  try {
    const opened: Opened[] = [];
    for (const file of await agentFilesIn(folder)) {
      opened.push(await openAgent(file, options, { servers }));
    }
    const problems = [...opened.flatMap((one) => one.problems), ...sameNames(opened)];
    if (problems.length > 0) throw invalidAgent(problems);
    return new Map(
      opened.flatMap(({ agent, graph }) =>
        agent === undefined || graph === undefined ? [] : [[agent.name, graph] as const],
      ),
    );
  } catch (error) {
    await servers.close();
    throw error;
  }
}

/** What a check of agent and workflow files finds. */
export type CheckedAgents = {
  readonly files: readonly string[];
  /** The names of the files that can be used, by file. */
  readonly names: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
};

/**
 * Reads and checks agent files and folders of them, and runs nothing but the MCP servers whose tools it must know; they are
 * stopped again. Returns their names and their problems.
 */
export async function checkAgents(
  paths: readonly string[],
  options: AgentOptions = {},
): Promise<CheckedAgents> {
  const files: string[] = [];
  const opened: Opened[] = [];
  for (const path of paths) files.push(...(await filesAt(path)));
  const servers = new McpServers();
  try {
    for (const file of files) opened.push(await openAgent(file, options, { servers }));
  } finally {
    await servers.close();
  }
  const all = [...opened.flatMap((one) => one.problems), ...sameNames(opened)];
  // An agent that several name has its problems once.
  const seen = new Map(all.map((one) => [JSON.stringify(one), one]));
  const names = opened.flatMap(({ file, agent }) =>
    agent === undefined ? [] : [[file, agent.name] as const],
  );
  return { files, names: new Map(names), problems: [...seen.values()] };
}

type Opened = {
  readonly file: string;
  readonly problems: readonly Problem[];
  readonly agent: ReadFile | undefined;
  readonly graph: FileGraph | undefined;
  readonly share: McpShare;
};

/** Throws `invalid_option` for what is no path. */
export function checkPath(where: string, file: unknown): void {
  if (typeof file === "string" && file.trim() !== "") return;
  throw invalidOption(`${where}: expected the path of an agent file.`);
}

/** Reads and checks a file, and makes its graph, or returns its problems. */
async function openAgent(file: string, options: AgentOptions, from: From): Promise<Opened> {
  checkPath("loadAgent", file);
  const { environment = process.env } = options;
  const { problems, read: agent, share } = await readMain(file, { environment, ...from });
  if (agent === undefined) return { file, problems, agent, graph: undefined, share };
  try {
    const graph = closable(createAgent(agent, options), () => share.close());
    return { file, problems, agent, graph, share };
  } catch (error) {
    await share.close();
    if (!(error instanceof PlangraphError)) throw error;
    const problem = { file: shownPath(resolve(file)), path: [], message: error.message };
    return { file, problems: [...problems, problem], agent, graph: undefined, share };
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
