import type { Command } from "commander";

import type { CliIo } from "./io.js";
import { collect } from "./tool-flags.js";

const ingesting = `
Reads Markdown, text, HTML, CSV, Excel, Word and PDF. What has not changed is not read again, and no text is
embedded twice. A run that was stopped goes on where it was.

Examples:
  $ plangraph ingest docs faq.xlsx --knowledge shop.db
  $ plangraph ingest "docs/**/*.md" --knowledge shop.db --embeddings ollama:bge-m3 --terms terms.yaml
`;

const checking = `
The file has the columns question, source (the file with the answer) and text (words of the right piece); a row
with neither has no answer in the base. The score that a hit needs is found and kept with the base.

Measures for --bar: hit1, hit3, hit5, hit10, mrr, ndcg10, refused (questions without an answer).
Exit status 5: a measure is below its bar.

Example:
  $ plangraph knowledge check questions.csv --knowledge shop.db --bar hit5=0.9 --bar refused=0.8
`;

/** Adds the commands for knowledge bases. Each loads its code when it runs. */
export function addKnowledge(program: Command, io: CliIo, finish: (status: number) => void): void {
  addIngest(program, io, finish);
  addRecall(program, io);
  const knowledge = program
    .command("knowledge")
    .summary("measures a knowledge base; lists and removes its documents")
    .description("Knowledge bases that plangraph ingest has made.")
    .helpCommand(false);
  withReranker(withBase(knowledge.command("check")))
    .summary("measures how well a knowledge base finds the answers of questions")
    .description("Measures how well a knowledge base finds the answers of questions.")
    .argument("<QUESTIONS.csv>", "questions with the place of their answers")
    .option("--keep <SHARE>", "questions with an answer that must still get one (default: 0.95)")
    .option("--bar <MEASURE=SHARE>", "the least that is wanted; repeatable", collect)
    .option("--no-save", "keep no score with the base")
    .option("--json", "print one JSON object")
    .addHelpText("after", checking)
    .action(async (file: string, options: unknown) => {
      const { checkCommand } = await import("./knowledge.js");
      finish(await checkCommand(file, options, io));
    });
  addSources(knowledge, io);
}

function addSources(knowledge: Command, io: CliIo): void {
  withBase(knowledge.command("list"))
    .summary("lists the documents of a knowledge base")
    .description("Lists the documents of a knowledge base, with their pieces and metadata.")
    .option("--json", "print one JSON object")
    .action(async (options: unknown) => {
      const { listCommand } = await import("./knowledge.js");
      await listCommand(options, io);
    });
  withBase(knowledge.command("remove"))
    .summary("removes documents from a knowledge base")
    .description("Removes documents from a knowledge base, all or none of them.")
    .argument("<NAMES...>", "the documents, as knowledge list names them")
    .action(async (names: readonly string[], options: unknown) => {
      const { removeCommand } = await import("./knowledge.js");
      await removeCommand(names, options, io);
    });
}

function addIngest(program: Command, io: CliIo, finish: (status: number) => void): void {
  withBase(program.command("ingest"))
    .summary("reads documents into a knowledge base")
    .description("Reads documents into a knowledge base.")
    .argument("<SOURCES...>", "files, folders, or patterns in quotes")
    .option("--terms <FILE>", "synonyms, names and stop words (.yaml or .json)")
    .option(
      "--metadata <NAME=VALUE>",
      "what these documents can be filtered by; repeatable",
      collect,
    )
    .option("--summaries <SPEC>", "a model that writes questions for pieces without any")
    .option("--prune", "remove documents that are not among the sources")
    .option("--reembed", "embed everything again, with this model")
    .option("--dry-run", "report what would change, and write nothing")
    .option("--json", "print one JSON object")
    .addHelpText("after", ingesting)
    .action(async (sources: readonly string[], options: unknown) => {
      const { ingestCommand } = await import("./knowledge.js");
      finish(await ingestCommand(sources, options, io));
    });
}

function addRecall(program: Command, io: CliIo): void {
  withReranker(withBase(program.command("recall")))
    .summary("shows what a knowledge base finds for a question, stage by stage")
    .description("Shows what a knowledge base finds for a question, stage by stage.")
    .argument("<QUESTION>", "in quotes")
    .option("--top <N>", "how many hits (default: 5)")
    .option("--filter <NAME=VALUE>", "only pieces with this value; repeatable", collect)
    .option("--at <DATE>", "pieces that are valid on this day (default: today)")
    .option("--json", "print one JSON object")
    .action(async (question: string, options: unknown) => {
      const { recallCommand } = await import("./knowledge.js");
      await recallCommand(question, options, io);
    });
}

function withBase(command: Command): Command {
  return command
    .option(
      "--knowledge <FILE.db>",
      "the SQLite file of the knowledge base, or postgresql://… (default: PLANGRAPH_KNOWLEDGE)",
    )
    .option(
      "--embeddings <SPEC>",
      "openai:NAME or ollama:NAME (default: PLANGRAPH_EMBEDDINGS, else words only)",
    );
}

function withReranker(command: Command): Command {
  return command.option(
    "--rerank <SPEC>",
    "a model that orders what is found (default: PLANGRAPH_RERANKER_MODEL, else no model is asked)",
  );
}
