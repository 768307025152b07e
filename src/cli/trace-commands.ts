import type { Command } from "commander";

import type { CliIo } from "./io.js";

const run = ["<RUN>", 'the id of a run, or its beginning; "last" is the newest'] as const;

/** Adds the commands for files of traces. Each loads its code when it runs. */
export function addTrace(program: Command, io: CliIo): void {
  const traces = program
    .command("trace")
    .summary("shows the runs in a file of traces")
    .description("Runs that --trace, or a trace store in code, has kept.")
    .helpCommand(false);
  addReading(traces, io);
  addKeeping(traces, io);
}

function add(traces: Command, name: string, summary: string): Command {
  return traces
    .command(name)
    .summary(summary)
    .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
    .option("--trace <FILE.db>", "the SQLite file that holds the traces");
}

function addReading(traces: Command, io: CliIo): void {
  add(traces, "list", "lists the newest runs")
    .option("--limit <N>", "how many (default: 20)")
    .option("--status <STATUS>", "only runs that ended so: failed, limit, answered, …")
    .option("--marked", "only runs with a judgement")
    .option("--json", "print one JSON list")
    .action(async (options: unknown) => {
      const { traceListCommand } = await import("./trace.js");
      await traceListCommand(options, io);
    });
  add(traces, "show", "shows a run: its tree with times, its thoughts and its tools")
    .argument(...run)
    .option("--full", "show long texts whole")
    .action(async (id: string, options: unknown) => {
      const { traceShowCommand } = await import("./trace.js");
      await traceShowCommand(id, options, io);
    });
  add(
    traces,
    "export",
    "prints a run as JSON, as a test or as a workflow, or sends it to a collector",
  )
    .argument(...run)
    .option("--json", "print its events")
    .option("--test", "print a test (JavaScript, vitest) that replays it")
    .option("--workflow", "print its plan as a workflow file, with what the question gave as input")
    .option("--otlp <URL>", "send its spans to this collector of OpenTelemetry")
    .action(async (id: string, options: unknown) => {
      const { traceExportCommand } = await import("./trace.js");
      await traceExportCommand(id, options, io);
    });
}

function addKeeping(traces: Command, io: CliIo): void {
  add(traces, "mark", "keeps a judgement of a run, for evaluation")
    .argument(...run)
    .argument("<VERDICT>", "good, bad or none")
    .argument("[WHY]", "the reason, in quotes")
    .action(async (id: string, verdict: string, why: unknown, options: unknown) => {
      const { traceMarkCommand } = await import("./trace.js");
      await traceMarkCommand(id, verdict, why, options, io);
    });
  add(traces, "prune", "removes old runs; those with a judgement stay")
    .option("--keep <AMOUNT>", "what stays: days (7d) or megabytes (200mb)")
    .action(async (options: unknown) => {
      const { tracePruneCommand } = await import("./trace.js");
      await tracePruneCommand(options, io);
    });
}
