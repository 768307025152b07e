import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { type BaseStore, InMemoryStore } from "@langchain/langgraph";

import {
  type AgentSummary,
  checkAgents,
  describeAgent,
  drawAgent,
  loadAgent,
  problemLine,
  type ServerSummary,
  type ToolSummary,
  workflowInput,
} from "../agents/index.js";
import { isAgentFile, isWorkflowFile } from "../files/file-names.js";
import { defined, parsedJson } from "../json/json.js";
import { invalidOption } from "../run/check-names.js";
import { type Flags, type GivenFlags, namedValue } from "./flags.js";
import type { GraphEntry } from "./graphs.js";
import { type CliIo, exitStatus } from "./io.js";

/** The graph of an agent file, as the command line runs graphs. Without a model its run says that one is missing. */
export function agentEntry(
  file: string,
  { models, given }: Pick<Flags, "models" | "given">,
  { environment }: CliIo,
): GraphEntry {
  return {
    name: file,
    summary: "the agent or workflow of a file",
    roles: [],
    create: async ({ observers, checkpointer }) => {
      const store = await storeFor(given);
      return loadAgent(file, {
        environment,
        store,
        ...defined({ models, observers, checkpointer }),
      });
    },
  };
}

/** Where what users tell is kept: beside the threads, if these are kept. */
async function storeFor({ checkpoint }: Pick<GivenFlags, "checkpoint">): Promise<BaseStore> {
  if (checkpoint === undefined) return new InMemoryStore();
  const { openStore } = await import("../sqlite/index.js");
  return openStore(checkpoint);
}

/** What the command line gives the run of a file. */
type AskedFile = {
  readonly question: unknown;
  readonly input: readonly string[];
  readonly thread: string | undefined;
};

/**
 * The question for a file's run: the given one, or the input of a workflow as JSON. Throws `invalid_option` for an input
 * that is not NAME=VALUE, beside a question, and for an agent.
 */
export async function questionOf(
  file: string,
  { question, input, thread }: AskedFile,
  io: CliIo,
): Promise<unknown> {
  if (input.length === 0) {
    // Without a question, a thread goes on. A workflow may need no input, and else says what it expects.
    const byDefault = thread === undefined && isWorkflowFile(file) ? "{}" : undefined;
    return question === "-" ? io.input() : (question ?? byDefault);
  }
  if (question !== undefined) throw invalidOption("expected a question or --input, got both.");
  if (!isWorkflowFile(file)) {
    throw invalidOption("--input: only a workflow has an input: ask the agent a question.");
  }
  const types = await workflowInput(file);
  return JSON.stringify(Object.fromEntries(input.map((one) => inputPair(one, types))));
}

function inputPair(
  text: string,
  types: { readonly [name: string]: string },
): readonly [string, unknown] {
  const [name, value] = namedValue("--input", text);
  // A text is taken as it is; what is no JSON is refused with the other types by the workflow.
  return [name, types[name] === "text" ? value : (parsedJson(value) ?? value)];
}

/** Prints a file as a drawing. */
export async function drawCommand(file: string, io: CliIo): Promise<void> {
  const { stdout, environment } = io;
  stdout.write(await interruptible(io, drawAgent(file, { environment })));
}

/** Work that Ctrl-C ends: an MCP server that does not answer is waited for. */
async function interruptible<Result>(io: CliIo, work: Promise<Result>): Promise<Result> {
  const stop = io.onInterrupt(() => io.exit(exitStatus.cancelled));
  try {
    return await work;
  } finally {
    stop();
  }
}

/** The folders inside a folder that hold agent or workflow files: they are not loaded with it. */
async function foldersWithAgents(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name));
  const names = await Promise.all(folders.map(async (folder) => readdir(folder).catch(() => [])));
  return folders.filter((_, at) => names[at]?.some(isAgentFile)).toSorted();
}

/** Checks agent files, and prints their problems. Returns whether there is none. */
export async function checkCommand(
  paths: readonly string[],
  { json = false }: { readonly json?: boolean },
  io: CliIo,
): Promise<boolean> {
  const { stdout, environment } = io;
  const { files, problems } = await interruptible(io, checkAgents(paths, { environment }));
  if (json) {
    stdout.write(`${JSON.stringify({ files, problems }, null, 2)}\n`);
  } else {
    const lines = problems.map(problemLine);
    const count = files.length === 1 ? "1 file" : `${files.length} files`;
    const end = problems.length === 1 ? "1 problem" : `${problems.length || "no"} problems`;
    const inside = (await Promise.all(paths.map(foldersWithAgents))).flat();
    const others =
      inside.length === 0 ? [] : [`Not checked, folders of their own: ${inside.join(", ")}`];
    stdout.write(`${[...lines, `${count}: ${end}.`, ...others].join("\n")}\n`);
  }
  return problems.length === 0;
}

/** Prints what an agent file comes to: its models, what its tools may do, and which secrets go to which hosts. */
export async function showCommand(
  file: string,
  { json = false }: { readonly json?: boolean },
  io: CliIo,
): Promise<void> {
  const { stdout, environment } = io;
  const summary = await interruptible(io, describeAgent(file, { environment }));
  const text = json ? JSON.stringify(summary, null, 2) : summaryLines(summary).join("\n");
  stdout.write(`${text}\n`);
}

function summaryLines(agent: AgentSummary, as = ""): string[] {
  const { name, graph, description, models, tools, memory, input = {} } = agent;
  const { servers, agents, routes, executors } = agent;
  const given = Object.entries(input).map(([each, type]) => `${each} (${type})`);
  const used = Object.entries(models).map(([role, specs]) => `${role}: ${specs.join(", then ")}`);
  const inside = [
    ...Object.entries(routes).map(
      ([each, one]) => [graph === "assistant" ? each : `route ${each}`, one] as const,
    ),
    ...Object.entries(executors).map(([each, one]) => [`executor ${each}`, one] as const),
    ...Object.entries(agents).map(([each, one]) => [`tool ${each}`, one] as const),
  ];
  return [
    `${as}${name} (${graph})${description === undefined ? "" : `: ${description}`}`,
    ...(given.length === 0 ? [] : [`  input: ${given.join(", ")}`]),
    `  models: ${used.length === 0 ? "those of the environment" : used.join("; ")}`,
    ...Object.entries(servers).map(([each, one]) => serverLine(each, one)),
    ...Object.entries(memory).map(([each, one]) => `  memory ${each}: ${toolLine(one).trim()}`),
    ...tools.map(toolLine),
    ...inside.flatMap(([what, one]) => summaryLines(one, `${what} → `).map((line) => `  ${line}`)),
  ];
}

function serverLine(name: string, { host, command = "", secrets }: ServerSummary): string {
  return `  server ${name}: ${host === undefined ? `starts ${command}` : `calls ${host}`}${withSecrets(secrets)}`;
}

function withSecrets(secrets: readonly string[]): string {
  return secrets.length === 0 ? "" : ` with ${secrets.join(", ")}`;
}

const approvals = {
  never: "",
  always: ", asks a person",
  sometimes: ", asks a person where its policy says so",
} as const;

function toolLine({ name, effect, approval, host, secrets = [], server }: ToolSummary): string {
  const what = effect === "unknown" ? "effect not stated" : effect;
  const called = host === undefined ? "" : `, calls ${host}${withSecrets(secrets)}`;
  const there = server === undefined ? "" : `, on the server ${server}`;
  return `  ${name}: ${what}${approvals[approval]}${called}${there}`;
}
