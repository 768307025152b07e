import { Argument, type Command } from "commander";

import { invalidOption } from "../run/check-names.js";
import { readChatFlags } from "./flags.js";
import { type GraphEntry, graphs, graphsWith } from "./graphs.js";
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
  $ plangraph chat < questions.txt > answers.txt
`;

/** Adds the command that talks with a graph. It loads its code when it runs. */
export function addChat(program: Command, io: CliIo, finish: (status: number) => void): void {
  const command = addRunFlags(program.command("chat"))
    .summary("a conversation with one of the graphs")
    .description("A conversation with one of the graphs: each line is a message, on one thread.")
    .addArgument(
      new Argument("[graph]", "the graph that answers")
        .choices(graphs.map(({ name }) => name))
        .default("react"),
    )
    .option("--continue", "first continue the thread's stopped run, without asking")
    .option("--new-run", "leave the thread's stopped or waiting run, without asking")
    .option("--quiet", "print only the answers");
  for (const own of flagsOfGraphs()) command.addOption(own);
  command.addHelpText("after", details).action(async (name: unknown, options: unknown) => {
    const entry = graphs.find((each) => each.name === name) ?? graphs[0];
    if (entry === undefined) return;
    checkFlags(command, entry);
    const { chatCommand } = await import("./chat.js");
    finish(await chatCommand(entry, readChatFlags(options), io));
  });
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
