import type { Command } from "commander";

import { readFlags } from "./flags.js";
import { collect } from "./tool-flags.js";
import { type CliIo, exitStatus } from "./io.js";
import { addAgentFiles } from "./agent-files-commands.js";

const running = `
The file says which graph, models, tools and services the agent has; paths in it are read from its folder.

Examples:
  $ plangraph run agents/refunds.agent.yaml "What became of order 17?"
  $ plangraph run agents/refunds.agent.yaml "Refund it." --checkpoint runs.db --thread order-17
  $ plangraph run agents/grocery.agent.yaml "Where is my order?" --user lin
`;

const runningWorkflows = `
Examples:
  $ plangraph workflow run refund.workflow.yaml --input order=A-17 --input amount=12
  $ plangraph workflow run refund.workflow.yaml '{"order": "A-17", "amount": 12}' --json
`;

const checking = `
Checks agent and workflow files, or all of a folder (.agent.yaml, .workflow.yaml, .yml, .json), with everything that they
name, and runs nothing. Exit status: 0 all can be used; 2 some have problems.

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
  addAgentFiles(agents, io, finish);
  addWorkflow(program, io, finish);
}

function addRun(program: Command, io: CliIo, finish: (status: number) => void): void {
  const command = program
    .command("run")
    .summary("runs the agent or the workflow of a file")
    .description("Answers a question with the agent or the workflow of a file.");
  withRun(command, running, io, finish);
}

/** Makes a command run the agent or the workflow of a file. */
function withRun(
  command: Command,
  help: string,
  io: CliIo,
  finish: (status: number) => void,
): void {
  command
    .argument("<FILE>", "the agent or workflow file, .yaml or .json")
    .argument(
      "[question]",
      "in quotes, or - to read it from the standard input; without one, --thread continues its unfinished run",
    )
    .option("--input <NAME=VALUE>", "a value of a workflow's input; repeat for more", collect)
    .option("--model <SPEC>", "the model of every role, in place of those of the file")
    .option("--user <NAME>", "who asks: {{configurable.langgraph_auth_user.identity}} in files")
    .option(
      "--context <NAME=VALUE>",
      "a value of the run's context: {{context.NAME}} in files; repeat for more",
      collect,
    )
    .option("--checkpoint <FILE.db>", "keep threads in this SQLite file")
    .option("--thread <ID>", "the conversation in it to continue")
    .option("--trace <FILE.db>", "keep what happens in this SQLite file: plangraph trace shows it")
    .option("--continue", "continue the thread's stopped run without asking")
    .option("--new-run", "ask the question although the thread's last run stopped")
    .option("--json", "print one JSON object; progress goes to the standard error")
    .option("--quiet", "print only the answer")
    .addHelpText("after", help)
    .action(
      async (
        file: string,
        question: unknown,
        options: { readonly input?: readonly string[]; readonly thread?: string },
      ) => {
        const { agentEntry, questionOf } = await import("./agents.js");
        const asked = await questionOf(
          file,
          { question, input: options.input ?? [], thread: options.thread },
          io,
        );
        const flags = readFlags(asked, options);
        const { runCommand } = await import("./run-command.js");
        const entry = { ...agentEntry(file, flags, io), name: `run ${file}` };
        finish(await runCommand(entry, flags, io));
      },
    );
}

/** Adds the commands for workflows from files. */
function addWorkflow(program: Command, io: CliIo, finish: (status: number) => void): void {
  const workflow = program
    .command("workflow")
    .summary("checks, draws and runs workflows from files")
    .description("Checks, draws and runs workflows from files.");
  const run = workflow
    .command("run")
    .summary("runs the workflow of a file")
    .description("Runs the workflow of a file. Its input is a JSON object, or --input.");
  withRun(run, runningWorkflows, io, finish);
  workflow
    .command("draw")
    .summary("draws a workflow as a Mermaid flowchart")
    .description("Draws a workflow as a Mermaid flowchart. Runs nothing.")
    .argument("<FILE>", "the workflow file")
    .action(async (file: string) => {
      const { drawCommand } = await import("./agents.js");
      await drawCommand(file, io);
    });
  addCheck(workflow, io, finish);
}

function addShow(agents: Command, io: CliIo): void {
  agents
    .command("show")
    .summary("shows what an agent may do, and which secrets go to which hosts")
    .description("Shows what an agent may do, and which secrets go to which hosts. Runs nothing.")
    .argument("<FILE>", "the agent or workflow file")
    .option("--draw", "print a drawing instead: a Mermaid flowchart")
    .option("--json", "print one JSON object")
    .action(async (file: string, options: { readonly json?: true; readonly draw?: true }) => {
      const { drawCommand, showCommand } = await import("./agents.js");
      await (options.draw === true ? drawCommand(file, io) : showCommand(file, options, io));
    });
}

function addCheck(agents: Command, io: CliIo, finish: (status: number) => void): void {
  agents
    .command("check")
    .summary("checks agent and workflow files and everything that they name")
    .description("Checks agent and workflow files and everything that they name.")
    .argument("<PATH...>", "agent and workflow files, or folders of them")
    .option("--json", "print one JSON object")
    .addHelpText("after", checking)
    .action(async (paths: readonly string[], options: { readonly json?: true }) => {
      const { checkCommand } = await import("./agents.js");
      const isGood = await checkCommand(paths, options, io);
      finish(isGood ? exitStatus.answered : exitStatus.usage);
    });
}
