import type { Command } from "commander";

import type { InitFlags } from "./init-agent.js";
import { type CliIo, exitStatus } from "./io.js";
import { collect } from "./tool-flags.js";

const serving = `
Writes FOLDER/graphs.mjs, which exports a graph for each agent and workflow file of the folder, and enters them in
langgraph.json; what else stands there stays. Run it again when files come or go: what changes in a file is taken by the
next run. Exit status: 2 some files have problems, and nothing is written.

Examples:
  $ plangraph agents langgraph-json agents
  $ npx @langchain/langgraph-cli dev
`;

const beginning = `
Asks at a terminal for what the flags do not say, and writes NAME.agent.yaml with comments; never over another file. Paths
of tools and services are read from the folder of the file. Exit status: 2 the agent could not be used, and nothing is written.

Examples:
  $ plangraph agents init agents/refunds
  $ plangraph agents init sums --graph rewoo --description "Calculates." --tools calculator
`;

/** Adds the commands that write files for agents. They load their code when they run. */
export function addAgentFiles(agents: Command, io: CliIo, finish: (status: number) => void): void {
  addInit(agents, io, finish);
  agents
    .command("langgraph-json")
    .summary("enters all agents of a folder in langgraph.json")
    .description("Enters all agents and workflows of a folder in langgraph.json.")
    .argument("<FOLDER>", "the folder of agent and workflow files")
    .option("--config <FILE>", "the file of the LangGraph server (default: langgraph.json)")
    .addHelpText("after", serving)
    .action(async (folder: string, options: { readonly config?: string }) => {
      const { langgraphJsonCommand } = await import("./langgraph-json.js");
      const isDone = await langgraphJsonCommand(folder, options, io);
      finish(isDone ? exitStatus.answered : exitStatus.usage);
    });
}

function addInit(agents: Command, io: CliIo, finish: (status: number) => void): void {
  agents
    .command("init")
    .summary("writes a new agent file")
    .description("Writes a new agent file.")
    .argument("<NAME>", "the name of the agent, with or without a folder")
    .option("--graph <NAME>", "how it works (default: react)")
    .option("--description <TEXT>", "what it is for")
    .option("--model <SPEC>", "the model of every role")
    .option("--tools <NAME>", "a built-in tool, or a module; repeatable", collect)
    .option("--services <PATH>", "service definitions, or a folder of them; repeatable", collect)
    .addHelpText("after", beginning)
    .action(async (name: string, flags: InitFlags) => {
      const { initCommand } = await import("./init-agent.js");
      finish(await initCommand(name, flags, io));
    });
}
