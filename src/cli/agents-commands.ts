import type { Command } from "commander";

import { readFlags } from "./flags.js";
import { type CliIo, exitStatus } from "./io.js";

const running = `
The file says which graph, models, tools and services the agent has; paths in it are read from its folder.

Examples:
  $ plangraph run agents/refunds.agent.yaml "What became of order 17?"
  $ plangraph run agents/refunds.agent.yaml "Refund it." --checkpoint runs.db --thread order-17
`;

const checking = `
Checks agent files, or all of a folder (.agent.yaml, .agent.yml, .agent.json), with everything that they name, and runs
nothing. Exit status: 0 all can be used; 2 some have problems.

Examples:
  $ plangraph agents check agents
  $ plangraph agents check agents/refunds.agent.yaml --json
`;

/** Adds the commands for agents from files. They load their code when they run. */
export function addAgents(program: Command, io: CliIo, finish: (status: number) => void): void {
  addRun(program, io, finish);
  const agents = program
    .command("agents")
    .summary("checks and shows agents from files")
    .description("Checks and shows agents from files.");
  addShow(agents, io);
  addCheck(agents, io, finish);
}

function addRun(program: Command, io: CliIo, finish: (status: number) => void): void {
  program
    .command("run")
    .summary("runs the agent of a file")
    .description("Answers a question with the agent of a file.")
    .argument("<FILE>", "the agent file, .yaml or .json")
    .argument(
      "[question]",
      "in quotes, or - to read it from the standard input; without one, --thread continues its unfinished run",
    )
    .option("--model <SPEC>", "the model of every role, in place of those of the file")
    .option("--checkpoint <FILE.db>", "keep threads in this SQLite file")
    .option("--thread <ID>", "the conversation in it to continue")
    .option("--trace <FILE.db>", "keep what happens in this SQLite file: plangraph trace shows it")
    .option("--continue", "continue the thread's stopped run without asking")
    .option("--new-run", "ask the question although the thread's last run stopped")
    .option("--json", "print one JSON object; progress goes to the standard error")
    .option("--quiet", "print only the answer")
    .addHelpText("after", running)
    .action(async (file: string, question: unknown, options: unknown) => {
      const flags = readFlags(question === "-" ? await io.input() : question, options);
      const { agentEntry } = await import("./agents.js");
      const { runCommand } = await import("./run-command.js");
      finish(await runCommand(agentEntry(file, flags, io), flags, io));
    });
}

function addShow(agents: Command, io: CliIo): void {
  agents
    .command("show")
    .summary("shows what an agent may do, and which secrets go to which hosts")
    .description("Shows what an agent may do, and which secrets go to which hosts. Runs nothing.")
    .argument("<FILE>", "the agent file")
    .option("--json", "print one JSON object")
    .action(async (file: string, options: { readonly json?: true }) => {
      const { showCommand } = await import("./agents.js");
      await showCommand(file, options, io);
    });
}

function addCheck(agents: Command, io: CliIo, finish: (status: number) => void): void {
  agents
    .command("check")
    .summary("checks agent files and everything that they name")
    .description("Checks agent files and everything that they name.")
    .argument("<PATH...>", "agent files, or folders of them")
    .option("--json", "print one JSON object")
    .addHelpText("after", checking)
    .action(async (paths: readonly string[], options: { readonly json?: true }) => {
      const { checkCommand } = await import("./agents.js");
      const isGood = await checkCommand(paths, options, io);
      finish(isGood ? exitStatus.answered : exitStatus.usage);
    });
}
