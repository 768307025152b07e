import type { Command } from "commander";

import { type CliIo, exitStatus } from "./io.js";

const serving = `
Writes FOLDER/graphs.mjs, which exports a graph for each agent and workflow file of the folder, and enters them in
langgraph.json; what else stands there stays. Run it again when files come or go: what changes in a file is taken by the
next run. Exit status: 2 some files have problems, and nothing is written.

Examples:
  $ plangraph agents langgraph-json agents
  $ npx @langchain/langgraph-cli dev
`;

/** Adds the commands that write files for agents. They load their code when they run. */
export function addAgentFiles(agents: Command, io: CliIo, finish: (status: number) => void): void {
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
