import { type Command, Option } from "commander";

import { protocols } from "../models/provider/capabilities.js";
import type { CliIo } from "./io.js";
import { addToolFlags, collect } from "./tool-flags.js";

const details = `
CASES is a file of JSON lines: {"id": "alma", "question": "How many people live in Alma?", "expect": {"number": 12000}}.
Every case runs with every subject: each --graph with each --model, or with each pair of --planner and --executor.
Without --graph these are react, rewoo, plan-execute and llm-compiler.

With --out a stopped evaluation goes on where it was, and only what has changed runs again.

Examples:
  $ plangraph eval cases.jsonl --graph react --graph rewoo --model openai:gpt-5-mini --tools town.js
  $ plangraph eval cases.jsonl --model openai:a --model openai:b --repeat 3 --out results.jsonl --report report.html
  $ plangraph eval cases.jsonl --subjects shop.ts --allow-writes --min 0.8 --baseline main.jsonl

Exit status: 0 measured; 1 something could not be measured; 5 a subject is below --min.
`;

/** Adds the command that evaluates graphs and models on cases. It loads its code when it runs. */
export function addEval(program: Command, io: CliIo, finish: (status: number) => void): void {
  const command = program
    .command("eval")
    .summary("compares graphs and models on your own cases")
    .description(
      "Runs cases with graphs and models, and tells which are right how often, at what cost.",
    )
    .argument("<CASES.jsonl>", "the cases: what is asked, and what must hold of the answer");
  addRunning(addToolFlags(addSubjects(command)));
  addReporting(command)
    .addHelpText("after", details)
    .action(async (cases: string, options: unknown) => {
      const { evalCommand } = await import("./eval.js");
      finish(await evalCommand(cases, options, io));
    })
    // Flags after "from-trace" are its own.
    .enablePositionalOptions()
    .helpCommand(false);
  addFromTrace(command, io);
}

const marks = `
A run marked good becomes a case that expects its outcome and its calls. One marked bad becomes a case whose
expect.todo a person replaces. Runs whose questions or decisions are not all in the trace are left out, and named.

Example:
  $ plangraph trace mark last good "short and right" --trace traces.db
  $ plangraph eval from-trace traces.db --out cases.jsonl
`;

/** Adds the command that makes cases of marked runs. */
function addFromTrace(evaluation: Command, io: CliIo): void {
  evaluation
    .command("from-trace")
    .summary("makes cases of marked runs")
    .description(
      "Makes cases of the runs in a file of traces that plangraph trace mark has marked.",
    )
    .argument("<FILE.db>", "the SQLite file that holds the traces")
    .option("--mark <MARK>", "only runs marked good, or only those marked bad (default: both)")
    .option("--out <FILE.jsonl>", "write the cases to this file (default: the standard output)")
    .option("--force", "overwrite an existing file")
    .option("--tag <TAG>", "a tag for the cases; repeatable", collect)
    .addHelpText("after", marks)
    .action(async (file: string, options: unknown) => {
      const { evalFromTraceCommand } = await import("./eval-from-trace.js");
      await evalFromTraceCommand(file, options, io);
    });
}

/** The flags for what is compared. */
function addSubjects(command: Command): Command {
  return command
    .option("--graph <NAME>", "a graph to evaluate; repeatable", collect)
    .option("--agent <FILE>", "an agent of a file to evaluate; repeatable", collect)
    .option("--model <SPEC>", "a model for every role; repeatable", collect)
    .option("--planner <SPEC>", "a model that plans; repeatable", collect)
    .option("--executor <SPEC>", "a model that calls tools and answers; repeatable", collect)
    .option(
      "--subjects <FILE>",
      "a module that exports subjects ({ name, graph }), in place of --graph, and may export scorers; repeatable",
      collect,
    )
    .addOption(
      new Option("--protocol <NAME>", "how the model calls tools (default: auto)").choices(
        protocols,
      ),
    );
}

/** The flags for which cases run, and how. */
function addRunning(command: Command): void {
  command
    .option("--tag <TAG>", "only cases with this tag; repeatable", collect)
    .addOption(
      new Option(
        "--half <HALF>",
        "half of the cases, by their ids: to tune on, or to report",
      ).choices(["tuning", "held-out"]),
    )
    .option(
      "--date <DATE>",
      "the day that it is for graphs and agents, whose prompts have it (default: today)",
    )
    .option("--repeat <N>", "how often each case runs (default: 1)")
    .option("--concurrency <N>", "how many runs at once (default: 4)")
    .option("--seed <N>", "the order of the runs follows from it (default: 1)")
    .option("--judge <SPEC>", "the model for what cases leave to a judge")
    .option(
      "--price <MODEL=IN,OUT>",
      "US dollars for a million tokens in and out; repeatable",
      collect,
    )
    .option("--budget-usd <USD>", "begin no run when so much is spent; needs prices")
    .option("--budget-minutes <MINUTES>", "begin no run after so long")
    .option("--allow-writes", "let tools write: only where they work on a copy");
}

/** The flags for what is kept and told. */
function addReporting(command: Command): Command {
  return command
    .option("--out <FILE.jsonl>", "keep the results in this file, and go on with those that it has")
    .option("--report <FILE>", "write a report: .md or .html; repeatable", collect)
    .option("--baseline <FILE.jsonl>", "tell what has changed since these results")
    .option("--min <SHARE>", "exit with status 5 if a subject has a smaller share right")
    .option("--trace <FILE.db>", "keep what happens in this SQLite file: plangraph trace shows it")
    .option("--json", "print one JSON object; progress goes to the standard error")
    .option("--quiet", "print no progress");
}
