import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { closeName } from "../plan/nearest.js";
import { invalidOption } from "../run/check-names.js";
import {
  replayTest,
  retain,
  type TracedRun,
  TraceFile,
  type TraceKeep,
  traceStatuses,
  workflowText,
} from "../tracing/index.js";
import type { CliIo } from "./io.js";
import { count } from "./view/event-lines.js";
import { runLine, traceText } from "./view/trace-text.js";

const Given = z.object({
  trace: z.string().optional(),
  limit: z.string().default("20"),
  status: z.string().optional(),
  marked: z.boolean().default(false),
  json: z.boolean().default(false),
  full: z.boolean().default(false),
  keep: z.string().optional(),
  otlp: z.string().optional(),
  test: z.boolean().default(false),
  workflow: z.boolean().default(false),
});

/** Work on an open file of traces. */
type TraceWork = (file: TraceFile, given: z.infer<typeof Given>) => Promise<void> | void;

/** Opens the file that `--trace` names and works on it. Throws `invalid_option`, and the errors of `TraceFile.open`. */
async function withTraces(command: string, options: unknown, work: TraceWork): Promise<void> {
  const given = Given.parse(options);
  const { trace: name } = given;
  if (name === undefined) {
    throw invalidOption(`trace ${command} needs --trace FILE.db, the file that holds the traces.`);
  }
  const file = await TraceFile.open(name);
  try {
    await work(file, given);
  } finally {
    file.close();
  }
}

/** Prints the newest runs. */
export function traceListCommand(options: unknown, { stdout }: CliIo): Promise<void> {
  return withTraces("list", options, (file, { limit, status, marked, json }) => {
    const wanted = traceStatuses.find((each) => each === status);
    if (status !== undefined && wanted === undefined) {
      throw invalidOption(`--status ${status}: expected one of ${traceStatuses.join(", ")}.`);
    }
    const runs = file.runs({
      limit: wholeNumber("--limit", limit),
      marked,
      ...(wanted && { status: wanted }),
    });
    const lines = runs.map((run) => runLine(run, columnsOf(stdout)));
    stdout.write(`${json ? JSON.stringify(runs, null, 2) : lines.join("\n") || "No runs."}\n`);
  });
}

/** Prints what happened in a run. */
export function traceShowCommand(id: string, options: unknown, { stdout }: CliIo): Promise<void> {
  return withTraces("show", options, (file, { full }) => {
    const run = runIn(file, id);
    stdout.write(traceText(run, file.events(run.id), { columns: columnsOf(stdout), full }));
  });
}

/** Keeps an operator's judgement of a run. */
export function traceMarkCommand(
  id: string,
  verdict: string,
  why: unknown,
  options: unknown,
  { stdout }: CliIo,
): Promise<void> {
  return withTraces("mark", options, (file) => {
    const judged = z.enum(["good", "bad", "none"]).safeParse(verdict);
    if (!judged.success)
      throw invalidOption(`trace mark: expected good, bad or none, got "${verdict}".`);
    const run = runIn(file, id);
    const reason = typeof why === "string" && why.trim() !== "" ? { why: why.trim() } : {};
    file.mark(run.id, judged.data === "none" ? undefined : { verdict: judged.data, ...reason });
    stdout.write(`${run.id}: ${judged.data === "none" ? "no judgement" : judged.data}\n`);
  });
}

/** Removes old runs. */
export function tracePruneCommand(options: unknown, { stdout }: CliIo): Promise<void> {
  return withTraces("prune", options, (file, { keep }) => {
    if (keep === undefined) {
      throw invalidOption(
        "trace prune needs --keep: how many days (7d) or megabytes (200mb) stay.",
      );
    }
    const removed = retain(file, keepIn(keep), Date.now());
    stdout.write(`Removed ${count(removed, "run")}; ${count(file.ids().length, "run")} left.\n`);
  });
}

/** Prints a run as JSON, as a test or as a workflow, or sends it to a collector. */
export function traceExportCommand(id: string, options: unknown, { stdout }: CliIo): Promise<void> {
  return withTraces("export", options, async (file, { json, otlp, test, workflow }) => {
    const forms = [json, otlp !== undefined, test, workflow].filter(Boolean).length;
    if (forms !== 1)
      throw invalidOption("trace export needs one of --json, --otlp URL, --test and --workflow.");
    const run = runIn(file, id);
    const events = file.events(run.id);
    if (json) stdout.write(`${JSON.stringify({ run, events }, null, 2)}\n`);
    else if (test) stdout.write(replayTest(run, events));
    else if (workflow) stdout.write(await workflowText(run, events));
    else if (otlp !== undefined) {
      const { sendSpans } = await import("./trace-otlp.js");
      stdout.write(`Sent ${count(await sendSpans(events, otlp), "span")} to ${otlp}.\n`);
    }
  });
}

/** The run with this id or beginning of one; "last" is the newest. Throws `invalid_input` with near ids. */
function runIn(file: TraceFile, id: string): TracedRun {
  const run = id === "last" ? file.runs({ limit: 1 })[0] : file.find(id);
  if (run !== undefined) return run;
  const ids = file.ids();
  const several = ids.filter((one) => one.startsWith(id));
  const near = closeName(id, ids);
  const hint =
    several.length > 1
      ? `${several.length} runs begin so: ${several.slice(0, 3).join(", ")}.`
      : near === undefined
        ? "plangraph trace list names the runs."
        : `Did you mean ${near}?`;
  throw new PlangraphError("invalid_input", `There is no run "${id}" in the file. ${hint}`);
}

function wholeNumber(flag: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw invalidOption(`${flag} ${text}: expected a whole number from 1.`);
  return Number(text);
}

/** `7d` as days, `200mb` as megabytes; the other has no bound. */
function keepIn(text: string): TraceKeep {
  const [, amount = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*(d|mb)$/i.exec(text.trim()) ?? [];
  if (!(Number(amount) > 0))
    throw invalidOption(`--keep ${text}: expected days (7d) or megabytes (200mb).`);
  return unit.toLowerCase() === "d"
    ? { days: Number(amount), megabytes: Infinity }
    : { days: Infinity, megabytes: Number(amount) };
}

function columnsOf({ columns = 0 }: CliIo["stdout"]): number {
  return columns > 0 ? columns : 120;
}
