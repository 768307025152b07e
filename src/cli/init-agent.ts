import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";

import { checkAgents, problemLine } from "../agents/index.js";
import { plainName } from "../files/file-names.js";
import { defined } from "../json/json.js";
import { hintAt, invalidOption } from "../run/check-names.js";
import { builtInTools } from "../tools/builtin/by-name.js";
import { cancelledStatus, watchCancellation } from "./cancellation.js";
import { graphs } from "./graphs.js";
import { type CliIo, exitStatus, type Person } from "./io.js";

/** What a new agent is, as flags or answers give it. */
export type InitFlags = {
  readonly graph?: string;
  readonly description?: string;
  readonly model?: string;
  readonly tools?: readonly string[];
  readonly services?: readonly string[];
};

/** The graphs that need no other agent. */
const offered = graphs.filter(({ name }) => !["router", "assistant"].includes(name));
const graphNames = offered.map(({ name }) => name);
const toolNames = Object.keys(builtInTools);

/**
 * Writes a new agent file with comments, and never over another. At a terminal it asks for what the flags do not say;
 * elsewhere that has defaults. Returns the exit status: an agent that cannot be used is not left behind. Throws
 * `invalid_option` for a name or a graph that cannot work, and for a file that is there.
 */
export async function initCommand(name: string, flags: InitFlags, io: CliIo): Promise<number> {
  const file = fileOf(name);
  checkGraph(flags.graph);
  if ((await stat(file).catch(() => undefined)) !== undefined) throw isThere(file);
  const { signal, stop } = watchCancellation(io);
  try {
    const given = io.person === undefined ? flags : await asked(flags, io.person, signal);
    if (given === undefined || signal.aborted) return cancelledStatus(signal);
    return await written(file, textOf(file, given), io);
  } finally {
    stop();
  }
}

function fileOf(name: string): string {
  const plain = plainName(name);
  if (/^[A-Za-z][\w-]{0,63}$/.test(plain)) return join(dirname(name), `${plain}.agent.yaml`);
  throw invalidOption(
    `agents init ${name}: expected a name of letters, digits, _ and -, up to 64, with or without a folder.`,
  );
}

function checkGraph(graph: string | undefined): void {
  if (graph === undefined || graphNames.includes(graph)) return;
  const hint = hintAt(graph, graphNames);
  throw invalidOption(`--graph ${graph}: expected one of ${graphNames.join(", ")}.${hint}`);
}

/** Writes the file and checks it as every agent is checked. */
async function written(file: string, text: string, io: CliIo): Promise<number> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text, { flag: "wx" }).catch((error: unknown) => {
    if (!(error instanceof Error) || Reflect.get(error, "code") !== "EEXIST") throw error;
    throw isThere(file);
  });
  const { problems } = await checkAgents([file], { environment: io.environment });
  if (problems.length > 0) {
    await rm(file);
    io.stderr.write(`${problems.map(problemLine).join("\n")}\nNothing was written.\n`);
    return exitStatus.usage;
  }
  io.stdout.write(
    `${file}: written.\nTo try it: plangraph run ${file} "…"; without a key, add --model offline\n`,
  );
  return exitStatus.answered;
}

function isThere(file: string) {
  return invalidOption(`${file}: there is such a file already, and it stays as it is.`);
}

/** What the person answers for what the flags do not say; undefined if they leave. */
async function asked(
  flags: InitFlags,
  { ask, out }: Person,
  signal: AbortSignal,
): Promise<InitFlags | undefined> {
  const ways = offered.map(({ name, summary }) => `  ${name}: ${summary}\n`).join("");
  let answers: InitFlags = flags;
  for (const { field, prompt, about = "", read } of questions) {
    if (answers[field] !== undefined) continue;
    if (about !== "") out.write(about === "graphs" ? ways : `${about}\n`);
    for (;;) {
      const line = await ask(`${prompt}> `, { signal });
      if (line === undefined || signal.aborted) return undefined;
      const { problem, value } = read(line.trim());
      if (problem === undefined) {
        answers = { ...answers, ...defined({ [field]: value }) };
        break;
      }
      out.write(`${problem}\n`);
    }
  }
  return answers;
}

type Answer = { readonly problem?: string; readonly value?: string | readonly string[] };

type Question = {
  readonly field: "description" | "graph" | "tools" | "model";
  readonly prompt: string;
  readonly about?: string;
  readonly read: (line: string) => Answer;
};

const plainAnswer = (line: string): Answer => (line === "" ? {} : { value: line });

const questions: readonly Question[] = [
  { field: "description", prompt: "What it is for", read: plainAnswer },
  {
    field: "graph",
    prompt: "How it works (react)",
    about: "graphs",
    read: (line) => {
      if (line === "" || graphNames.includes(line)) return plainAnswer(line);
      return { problem: `There is no ${line}.${hintAt(line, graphNames)}` };
    },
  },
  {
    field: "tools",
    prompt: "Tools, with commas (none)",
    about: `Built-in: ${toolNames.join(", ")}. Your own: ./tools.js or ./tools.js:refund, from the file's folder.`,
    read: (line) => {
      const names = line.split(",").map((name) => name.trim());
      const unknown = names.find((name) => /^\w+$/.test(name) && !toolNames.includes(name));
      if (unknown === undefined) return { value: names.filter((name) => name !== "") };
      return { problem: `There is no built-in tool ${unknown}.${hintAt(unknown, toolNames)}` };
    },
  },
  {
    field: "model",
    prompt: "Model, such as openai:gpt-5-mini (as the environment says)",
    read: plainAnswer,
  },
];

function textOf(file: string, given: InitFlags): string {
  const { graph = "react", description = "Answers questions.", model } = given;
  const tools = eachNamed(given.tools);
  const services = eachNamed(given.services);
  const ways = offered.map(({ name, summary }) => `#   ${name}: ${summary}\n`).join("");
  return `# yaml-language-server: $schema=${schemaFrom(file)}

# How it works:
${ways}graph: ${graph}

# What it is for, for people and for agents that choose it.
description: ${quoted(description)}

# The model of every role. Without one the environment says: PLANGRAPH_MODEL.
${fieldLine("model", model === undefined ? undefined : quoted(model), "openai:gpt-5-mini")}

# What it should know about its work, in every model call.
# instructions: |
#   You work for …

# Built-in tools: ${toolNames.join(", ")}.
# Your own: ./tools.js, or ./tools.js:refund for one of them.
${fieldLine("tools", listed(tools), "[calculator, ./tools.js:refund]")}

# Services of HTTP: files or folders of definitions.
${fieldLine("services", listed(services), "[services]")}

# MCP servers, each with the environment variables that it gets.
# mcp:
#   files: { command: npx, args: [some-file-server, .], env: [FILES_TOKEN] }

# Who is asked before a tool runs, and other rules, by the names of the tools.
# policies:
#   refund: { effect: write, needsApproval: true }

# What a run may use.
# limits:
#   seconds: 60
`;
}

/** What a flag that may be repeated names; several may stand in one, with commas. */
function eachNamed(flags: readonly string[] = []): readonly string[] {
  return flags.flatMap((flag) => flag.split(",")).map((name) => name.trim());
}

/** A field, or an example of it in a comment. */
function fieldLine(field: string, value: string | undefined, example: string): string {
  return value === undefined ? `# ${field}: ${example}` : `${field}: ${value}`;
}

function listed(items: readonly string[]): string | undefined {
  return items.length === 0 ? undefined : `[${items.map(quoted).join(", ")}]`;
}

/** A text in YAML: plain where nothing in it means anything there. */
function quoted(text: string): string {
  const isPlain = /^[A-Za-z][\w .'-]*[\w.]$/.test(text) && !/^(?:true|false|null)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}

function schemaFrom(file: string): string {
  const path = relative(
    dirname(resolve(file)),
    resolve("node_modules/plangraph/agent.schema.json"),
  );
  return path.split(sep).join("/");
}
