import { stat, writeFile } from "node:fs/promises";
import { extname } from "node:path";

import { PlangraphError } from "../errors.js";
import {
  type Case,
  type Cell,
  changesSince,
  evaluate,
  type Evaluation,
  htmlReport,
  markdownReport,
  type PageParts,
  type Progress,
  readCases,
  readResults,
  summarize,
  textReport,
} from "../evaluation/index.js";
import { defined } from "../json/json.js";
import { withOfflineDefault } from "../models/model.js";
import { sha256 } from "../platform.js";
import { invalidOption } from "../run/check-names.js";
import { cancelledStatus, watchCancellation } from "./cancellation.js";
import { type EvalFlags, readEvalFlags } from "./eval-flags.js";
import { scorersFor, subjectsFor } from "./eval-subjects.js";
import type { Closable } from "./graphs.js";
import { type CliIo, exitStatus } from "./io.js";
import { withMcpTools } from "./mcp.js";
import { closeAll } from "./open-graph.js";
import { openTraces } from "./open-traces.js";
import { duration, printable } from "./view/event-lines.js";

/** Evaluates graphs and models on cases. Returns the exit status. Throws for unusable flags, cases and subjects. */
export async function evalCommand(file: string, options: unknown, io: CliIo): Promise<number> {
  const flags = readEvalFlags(options);
  const cases = chosenCases(await readCases(file), flags);
  const baseline = await baselineOf(flags);
  const cancellation = watchCancellation(io);
  try {
    const evaluation = await withMcpTools(flags, io.environment, async (ofServers) =>
      evaluated(cases, flags, io, { ofServers, signal: cancellation.signal }),
    );
    const summary = summarize(evaluation);
    const { cells } = evaluation;
    const changes = baseline === undefined ? undefined : changesSince(cells, baseline);
    const parts: PageParts = {
      summary,
      cells,
      cases: evaluation.cases,
      changes,
      ...(await tracesOf(evaluation, flags)),
      title: file,
    };
    for (const report of flags.report) await write(report, parts);
    const text = flags.json
      ? JSON.stringify({ ...summary, ...defined({ changes }) }, null, 2)
      : printable(textReport(parts));
    io.stdout.write(`${text}\n`);
    return statusOf(evaluation, summary.subjects, flags, cancellation.signal);
  } finally {
    cancellation.stop();
  }
}

/** The results that `--baseline` names. Throws for a file that is not there, or has none. */
async function baselineOf({ baseline: file }: EvalFlags): Promise<readonly Cell[] | undefined> {
  if (file === undefined) return undefined;
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) {
    throw new PlangraphError("unreadable_file", `--baseline ${file}: there is no such file.`);
  }
  const results = await readResults(file);
  if (results.length > 0) return results;
  throw invalidOption(`--baseline ${file}: there are no results in it.`);
}

type Around = Pick<Parameters<typeof subjectsFor>[2], "ofServers"> & {
  readonly signal: AbortSignal;
};

async function evaluated(
  cases: readonly Case[],
  flags: ReturnType<typeof readEvalFlags>,
  io: CliIo,
  { ofServers, signal }: Around,
): Promise<Evaluation> {
  const { trace, prices, repeat, concurrency, seed, out, judge, budgetUsd, budgetMinutes } = flags;
  const traces = await openTraces(trace);
  const closing = new Set<Closable>();
  try {
    const subjects = await subjectsFor(flags, io, { ofServers, closing });
    return await evaluate({
      cases,
      subjects,
      scorers: await scorersFor(flags),
      prices,
      environment: withOfflineDefault(io.environment),
      allowWrites: flags.allowWrites,
      signal,
      observers: traces === undefined ? [] : [traces],
      ...defined({ repeat, concurrency, seed, out, judge, budgetUsd }),
      ...(budgetMinutes === undefined ? {} : { budgetSeconds: budgetMinutes * 60 }),
      ...(flags.quiet ? {} : { onProgress: progressTo(io) }),
    });
  } finally {
    await closeAll(closing);
    traces?.close();
  }
}

/** Which runs are in the file of traces: those of earlier calls may be in another. */
async function tracesOf(
  { cells }: Evaluation,
  { trace }: EvalFlags,
): Promise<Pick<PageParts, "trace" | "tracedRuns">> {
  if (trace === undefined) return {};
  const { TraceFile } = await import("../tracing/index.js");
  const file = await TraceFile.open(trace);
  const tracedRuns = new Set(file.ids());
  file.close();
  const isAny = cells.some(({ run }) => run?.runIds.some((id) => tracedRuns.has(id)));
  return isAny ? { trace, tracedRuns } : {};
}

/** The cases with one of the tags, and in the half that is asked for. */
function chosenCases(cases: readonly Case[], { tag, half }: EvalFlags): readonly Case[] {
  const chosen = cases.filter(
    ({ id, tags }) =>
      (tag.length === 0 || tags.some((own) => tag.includes(own))) &&
      (half === undefined || halfOf(id) === half),
  );
  if (chosen.length > 0) return chosen;
  const tags = [...new Set(cases.flatMap((one) => one.tags))].join(", ");
  throw invalidOption(
    `No case is left: of ${cases.length} none has the tags or is in the half that was asked for. The tags are ${tags || "none"}.`,
  );
}

/** The half of a case, by the hash of its id: it stays in its half, whatever other cases come. */
function halfOf(id: string): NonNullable<EvalFlags["half"]> {
  return Number.parseInt(sha256(id).slice(0, 8), 16) % 2 === 0 ? "tuning" : "held-out";
}

/** Shows how far it is: on a terminal in one line, in a pipe now and then. */
function progressTo({ stderr }: CliIo): (progress: Progress) => void {
  let toldAt = 0;
  return ({ done, of, notMeasured, costUsd, msLeft, last }) => {
    const now = Date.now();
    const isLast = done === of;
    const isLive = stderr.isTTY === true;
    if (!isLast && now - toldAt < (isLive ? 100 : 10_000)) return;
    toldAt = now;
    const parts = [
      `${done} of ${of}`,
      ...(notMeasured === 0 ? [] : [`${notMeasured} not measured`]),
      ...(costUsd === 0 ? [] : [`$${costUsd.toPrecision(2)}`]),
      ...(isLast ? [] : [`${duration(msLeft)} left`, `${last.case}, ${last.subject}`]),
    ];
    const line = printable(parts.join(" · "));
    stderr.write(isLive ? `\r\u001B[2K${line}${isLast ? "\n" : ""}` : `${line}\n`);
  };
}

async function write(file: string, parts: PageParts): Promise<void> {
  const isPage = extname(file).toLowerCase() === ".html";
  await writeFile(file, isPage ? htmlReport(parts) : markdownReport(parts));
}

function statusOf(
  { cells, open }: Evaluation,
  subjects: readonly { readonly share: { readonly share: number } }[],
  { min }: EvalFlags,
  signal: AbortSignal,
): number {
  if (signal.aborted) return cancelledStatus(signal);
  if (open > 0 || cells.some(({ right }) => right === undefined)) return exitStatus.failed;
  const isBelow = min !== undefined && subjects.some(({ share }) => share.share < min);
  return isBelow ? exitStatus.belowBar : exitStatus.answered;
}
