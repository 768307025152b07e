import { Command, CommanderError } from "commander";

import { offeredLimits, readFlags } from "./flags.js";
import { addAgents } from "./agents-commands.js";
import { addCards } from "./cards-commands.js";
import { addChat } from "./chat-commands.js";
import { addEval } from "./eval-commands.js";
import { type GraphEntry, graphs, graphsWith } from "./graphs.js";
import { type CliIo, errorStatus, errorWords, exitStatus } from "./io.js";
import { addKnowledge } from "./knowledge-commands.js";
import { addMcp } from "./mcp-commands.js";
import { addManage } from "./manage-commands.js";
import { addServe } from "./serve-commands.js";
import { addRunFlags } from "./tool-flags.js";
import { addServices } from "./services-commands.js";
import { addTrace } from "./trace-commands.js";

/** A further word that belongs to `--tools`: the path of a module. */
const modulePath = /^\S+\.(?:js|mjs|cjs|ts|mts)$/;

/** Runs the command line and returns the exit status; never throws: errors are printed to the standard error. */
export async function runCli(argv: readonly string[], version: string, io: CliIo): Promise<number> {
  let status: number = exitStatus.answered;
  const program = createProgram(version, io, (ended) => {
    status = ended;
  });
  try {
    await program.parseAsync(spreadToolFiles(argv), { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitStatus.usage;
    io.stderr.write(`plangraph: ${errorWords(error)}\n`);
    return errorStatus(error);
  }
}

/** `--tools a.js b.js` as `--tools a.js --tools b.js`, so that a question may follow. */
export function spreadToolFiles(argv: readonly string[]): string[] {
  let isOpen = false;
  return argv.flatMap((word, at) => {
    if (word.startsWith("-")) {
      isOpen = word === "--tools";
      return [word];
    }
    const isFirst = argv[at - 1] === "--tools";
    isOpen &&= isFirst || modulePath.test(word);
    return isOpen && !isFirst ? ["--tools", word] : [word];
  });
}

const overview = `
Example:
  $ plangraph react "What is 3457 * 43216?"

Models: openai:NAME (OPENAI_API_KEY; OPENAI_BASE_URL for any compatible server), ollama:NAME,
PROVIDER:NAME (any provider of LangChain), or offline. Without a flag, PLANGRAPH_MODEL is used.
Without any model a deterministic offline model answers: it reads sums, squares, random numbers
and today's date, as in "What is 3457 * 43216?" or "the square of a random number between 1 and 9".

Exit status: 0 answered; 1 missing key, unreachable server or failed run; 2 wrong flag, model spec
or file; 3 limit reached; 4 handed off, refused, input needed or a run that
stopped; 5 below a bar; 130 cancelled.
`;

const details = `
Limits: ${offeredLimits}. --limit NAME=none removes one.

Examples:
  $ plangraph react "What is 3457 * 43216?"
  $ plangraph react "Who wrote Faust?" --model openai:gpt-5-mini --tools wikipedia
  $ plangraph react "Refund order 17." --tools shop.js --checkpoint runs.db --thread order-17
  $ plangraph react --checkpoint runs.db --thread order-17
  $ plangraph react "What is in notes.md?" --mcp "npx some-file-server ."
  $ plangraph react "Book a room." --services rooms.service.json --allow-host rooms.internal

Without a model set, a deterministic offline model answers sums, squares, random numbers and dates.
`;

/**
 * The command line's grammar: a subcommand for each graph, for the file of threads and for services. Each loads its
 * code when it runs, because help needs neither LangGraph nor a service. `finish` gets a run's exit status.
 */
export function createProgram(
  version: string,
  io: CliIo,
  finish: (status: number) => void,
): Command {
  const program = new Command("plangraph")
    .description("Planning agents as LangGraph.js state graphs.")
    .version(version, "--version", "print the version")
    .helpOption("--help", "print this help")
    .helpCommand(false)
    // A command of a command may have a flag of the same name.
    .enablePositionalOptions()
    .addHelpText("after", overview)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: (text, write) => write(asSentence(text)),
    });
  for (const entry of graphs) addGraph(program, entry, io, finish);
  addAgents(program, io, finish);
  addChat(program, io, finish);
  program
    .command("runs")
    .summary("lists the runs in a file of threads that have not ended")
    .description(
      "Lists the runs in a file of threads that wait for a person, crashed or are still running.",
    )
    .option("--checkpoint <FILE.db>", "the SQLite file that holds the threads")
    .option("--json", "print one JSON list")
    .action(async (options: unknown) => {
      const { runsCommand } = await import("./runs.js");
      await runsCommand(options, io);
    });
  addEval(program, io, finish);
  addKnowledge(program, io, finish);
  addTrace(program, io);
  addCards(program, io, finish);
  addServices(program, io, finish);
  addMcp(program, io);
  addServe(program, io);
  addManage(program, io);
  return program;
}

function addGraph(
  program: Command,
  entry: GraphEntry,
  io: CliIo,
  finish: (status: number) => void,
): void {
  const command = addRunFlags(program.command(entry.name))
    .summary(entry.summary)
    .description(`Answers a question: ${entry.summary}.`)
    .argument(
      "[question]",
      "in quotes, or - to read it from the standard input; without one, --thread continues its unfinished run",
    )
    .option("--continue", "continue the thread's stopped run without asking")
    .option("--new-run", "ask the question although the thread's last run stopped")
    .option("--json", "print one JSON object; progress goes to the standard error")
    .option("--quiet", "print only the answer")
    .addHelpText("after", details)
    .action(async (question: unknown, options: unknown) => {
      const flags = readFlags(question === "-" ? await io.input() : question, options);
      const { runCommand } = await import("./run-command.js");
      finish(await runCommand(entry, flags, io));
    });
  for (const own of entry.flags ?? []) command.addOption(own);
}

/** Commander's error in one line, with its suggestion. For a flag of other graphs it names those graphs. */
function asSentence(text: string): string {
  const complaint = text
    .trim()
    .replace(/^error: /, "")
    .replaceAll("\n", " ");
  const unknown = /^unknown option '(--[\w-]+)'/.exec(complaint)?.[1];
  const owners = unknown === undefined ? "" : graphsWith(unknown);
  if (owners === "") return `plangraph: ${complaint}\n`;
  return `plangraph: unknown option '${unknown}': only ${owners} it.\n`;
}
