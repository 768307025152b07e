import { randomUUID } from "node:crypto";

import { MemorySaver } from "@langchain/langgraph";

import { withOfflineDefault } from "../models/model.js";
import { uncheckedPatternsOf } from "../tools/linear-pattern.js";
import { Cancelled, watchCancellation } from "./cancellation.js";
import { type CheckpointFile, openCheckpoint } from "./checkpoint.js";
import { chooseView } from "./choose-view.js";
import { toolsFor } from "./cli-tools.js";
import { exitStatus } from "./exit-status.js";
import type { Flags } from "./flags.js";
import type { GraphEntry } from "./graphs.js";
import type { CliIo } from "./io.js";
import { offlineNotice } from "./offline-notice.js";
import { report } from "./report.js";
import { resumeCommand } from "./resume-command.js";
import { isUnfinished, runSession, type Session } from "./run-session.js";
import { settleStoppedRun } from "./stopped-run.js";

/**
 * Runs one graph as its command line asks. Returns the exit status; throws a `PlangraphError` for
 * flags, files and models that cannot be used.
 */
export async function runCommand(entry: GraphEntry, flags: Flags, io: CliIo): Promise<number> {
  const { given } = flags;
  const file = given.checkpoint === undefined ? undefined : await openCheckpoint(given.checkpoint);
  const cancellation = watchCancellation(io);
  const { signal } = cancellation;
  try {
    const session = await openSession(entry, flags, io, file, signal);
    return await runOrCancel(entry, flags, io, session);
  } finally {
    cancellation.stop();
    // What was called off may still be writing; the end of the process closes the file.
    if (!signal.aborted) file?.close();
  }
}

async function openSession(
  entry: GraphEntry,
  { question, models, limits, given }: Flags,
  io: CliIo,
  file: CheckpointFile | undefined,
  signal: AbortSignal,
): Promise<Session> {
  const tools = await toolsFor(given, io.environment);
  const environment = withOfflineDefault(io.environment);
  const person = given.json ? undefined : io.person;
  // With nobody to ask and nowhere to wait, a run ends "needs_input" rather than pauses.
  const saver = file?.saver ?? (person === undefined ? undefined : new MemorySaver());
  const graph = entry.create({
    tools,
    models,
    limits,
    protocol: given.protocol,
    replanning: given.replanning,
    reviewPlan: given.review,
    // Whoever runs it is the person: a failure is told as what it is.
    handOffOn: [],
    environment,
    ...(saver === undefined ? {} : { checkpointer: saver }),
  });
  const notice = offlineNotice(entry.roles, models, environment);
  if (notice !== undefined) io.stderr.write(`${notice}\n`);
  for (const { tool, pattern } of uncheckedPatternsOf(tools)) {
    io.stderr.write(`${tool}: only the service checks the pattern ${pattern}\n`);
  }
  const thread = given.thread ?? randomUUID();
  const session = { graph, thread, question, person, view: chooseView(given, io), signal };
  if (file !== undefined) {
    const { saver: kept } = file;
    await settleStoppedRun({ ...session, saver: kept, graph: entry.name, given });
    await introduce(session, given.thread, io);
  }
  return session;
}

/** Says which thread this is where the person could not know, and what becomes of a run that is left there. */
async function introduce(session: Session, named: string | undefined, io: CliIo): Promise<void> {
  if (named === undefined) io.stderr.write(`Thread: ${session.thread}\n`);
  else if (session.question !== undefined && (await isUnfinished(session))) {
    io.stderr.write(`Thread "${named}" had an unfinished run; this question takes its place.\n`);
  }
}

async function runOrCancel(
  { name }: GraphEntry,
  { given }: Flags,
  io: CliIo,
  session: Session,
): Promise<number> {
  const { signal, view, thread } = session;
  try {
    const ending = await runSession(session);
    return report({ graph: name, thread, given, ending, view, io });
  } catch (error) {
    view.rest();
    if (!signal.aborted) throw error;
    const status = statusOf(signal);
    if (status === exitStatus.cancelled) {
      const goesOn = given.checkpoint !== undefined && (await isUnfinished(session));
      const hint = goesOn
        ? ` To continue: ${resumeCommand(name, { ...given, continue: true }, thread)}`
        : "";
      io.stderr.write(`Cancelled.${hint}\n`);
    }
    return status;
  }
}

function statusOf({ reason }: AbortSignal): number {
  return reason instanceof Cancelled ? reason.status : exitStatus.cancelled;
}
