import { Argument, type Command } from "commander";

import { isDataFile } from "../files/file-names.js";
import { invalidOption } from "../run/check-names.js";
import { checkFileFlags, graphNames, graphOrFile } from "./file-entries.js";
import { type Flags, readChatFlags } from "./flags.js";
import { type GraphEntry, graphs, graphNamed, graphsWith } from "./graphs.js";
import type { CliIo } from "./io.js";
import { addRunFlags } from "./tool-flags.js";

const details = `
Each line is a message; the graph knows the ones before. Ctrl-C stops an answer; at an empty prompt it ends the
conversation, as /exit and Ctrl-D do. Messages may also come in a pipe, one a line; then the line after a question of the
agent, or after a call that needs approval, answers it.

Examples:
  $ plangraph chat
  $ plangraph chat assistant --knowledge shop.db --model openai:gpt-5-mini
  $ plangraph chat react --tools shop.js --checkpoint chats.db --thread ann
  $ plangraph chat agents/refunds.agent.yaml
  $ plangraph chat < questions.txt > answers.txt
`;

/** Adds the command that talks with a graph. It loads its code when it runs. */
export function addChat(program: Command, io: CliIo, finish: (status: number) => void): void {
  const command = addRunFlags(program.command("chat"))
    .summary("a conversation with one of the graphs, or an agent from a file")
    .description(
      "A conversation with one of the graphs, or an agent from a file: each line is a message, on one thread.",
    )
    .addArgument(
      new Argument("[graph]", `who answers: ${graphNames}, or an agent or workflow file`)
        .argParser(graphOrFile)
        .default("react"),
    )
    .option("--continue", "first continue the thread's stopped run, without asking")
    .option("--new-run", "leave the thread's stopped or waiting run, without asking")
    .option("--quiet", "print only the answers");
  for (const own of flagsOfGraphs()) command.addOption(own);
  command.addHelpText("after", details).action(async (name: string, options: unknown) => {
    const flags = readChatFlags(options);
    const entry = await entryOf(name, command, flags, io);
    const { chatCommand } = await import("./chat.js");
    finish(await chatCommand(entry, flags, io));
  });
}

/** What a conversation with a file takes: all else stands in the file. */
const ofFiles = ["model", "checkpoint", "thread", "trace", "continue", "new-run", "quiet"];

async function entryOf(
  name: string,
  command: Command,
  flags: Flags,
  io: CliIo,
): Promise<GraphEntry> {
  if (isDataFile(name)) {
    checkFileFlags(command, ofFiles);
    const { agentEntry } = await import("./agents.js");
    return agentEntry(name, flags, io);
  }
  const entry = graphNamed(name);
  checkFlags(command, entry);
  return entry;
}

/** The flags that not every graph has, each once. */
function flagsOfGraphs() {
  const all = graphs.flatMap(({ flags = [] }) => flags);
  return new Map(all.map((flag) => [flag.long ?? flag.flags, flag])).values();
}

/** Throws `invalid_option` for a flag of other graphs. */
function checkFlags(command: Command, { name, flags = [] }: GraphEntry): void {
  for (const flag of flagsOfGraphs()) {
    const { long } = flag;
    const isGiven = command.getOptionValueSource(flag.attributeName()) === "cli";
    if (!isGiven || typeof long !== "string" || flags.some((own) => own.long === long)) continue;
    throw invalidOption(`${long} is no flag of ${name}: only ${graphsWith(long)} it.`);
  }
}
