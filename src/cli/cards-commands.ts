import type { Command } from "commander";

import type { CliIo } from "./io.js";
import { collect } from "./tool-flags.js";

const telling = `
Each line is { "messages": [{ "role": "user", "content": … }] }, or a list of messages, and stays what it is but for
the cards in what users and assistants say. Without --cards they become their visible strings.
Exit status 2: a line could not be read; the others are written.

Examples:
  $ plangraph cards tell conversations.jsonl --cards cards.js --out told.jsonl
  $ plangraph cards tell conversations.jsonl | head -3
`;

/** Adds the commands for cards. Each loads its code when it runs. */
export function addCards(program: Command, io: CliIo, finish: (status: number) => void): void {
  program
    .command("cards")
    .summary("tells the cards of logged conversations in words")
    .description("Cards: UI elements that are JSON in a conversation.")
    .helpCommand(false)
    .command("tell")
    .summary("turns logged conversations into text")
    .description("Turns logged conversations into text, for fine-tuning or reading.")
    .argument("<FILE.jsonl>", "a conversation a line")
    .option(
      "--cards <MODULE>",
      "a module that exports cards (.js; .ts with tsx); repeatable",
      collect,
    )
    .option("--out <FILE>", "where the lines are written (default: the standard output)")
    .addHelpText("after", telling)
    .action(async (file: string, options: unknown) => {
      const { tellCardsCommand } = await import("./cards.js");
      finish(await tellCardsCommand(file, options, io));
    });
}
