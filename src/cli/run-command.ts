import { randomUUID } from "node:crypto";

import { isGraphDrained, MemorySaver } from "@langchain/langgraph";

import { defined } from "../json/json.js";
import type { Outcome } from "../state/outcome.js";
import type { PersonRequests } from "../state/person-requests.js";
import { cancelledStatus, watchCancellation, watchTermination } from "./cancellation.js";
import { type Flags, type GivenFlags, resumeCommand } from "./flags.js";
import type { GraphEntry } from "./graphs.js";
import { type CliIo, exitStatus, outcomeStatus } from "./io.js";
import { type Opened, openGraph, withOpened } from "./open-graph.js";
import { foreignText, readRequests, requestLines } from "./people.js";
import { type Ending, isUnfinished, runSession, type Session } from "./run-session.js";
import { settleStoppedRun } from "./runs.js";
import { oneLine } from "./view/event-lines.js";
import { createPlainView, type View } from "./view/plain-view.js";
import { TerminalView } from "./view/terminal-view.js";

/** Runs one graph and returns the exit status. Throws a `PlangraphError` for unusable flags, files and models. */
export async function runCommand(entry: GraphEntry, flags: Flags, io: CliIo): Promise<number> {
  const cancellation = watchCancellation(io);
  const { signal } = cancellation;
  // Without a place where the run goes on, SIGTERM ends the process at once.
  const termination = flags.given.checkpoint === undefined ? undefined : watchTermination(io);
  const watched = { signal, drain: termination?.drain };
  try {
    return await withOpened(
      flags.given,
      io,
      () => signal.aborted,
      async (opened) =>
        runOrCancel(await openSession(entry, flags, io, { ...opened, ...watched }), io),
    );
  } finally {
    cancellation.stop();
    termination?.stop();
  }
}

async function openSession(
  entry: GraphEntry,
  flags: Flags,
  io: CliIo,
  { signal, drain, ...opened }: Opened & Pick<Session, "signal" | "drain">,
): Promise<Session> {
  const { question, given } = flags;
  const { file } = opened;
  const person = given.json ? undefined : io.person;
  // Without a person or a place to wait, a run ends "needs_input" instead of pausing.
  const saver = file?.saver ?? (person === undefined ? undefined : new MemorySaver());
  const graph = await openGraph(entry, flags, io, { ...opened, saver });
  const thread = given.thread ?? randomUUID();
  const view = chooseView(given, io);
  const shown = { command: entry.name, given, thread, question, person, view };
  const session = { graph, ...shown, signal, drain };
  if (file !== undefined) {
    await settleStoppedRun(session, file.saver);
    await introduce(session, io);
  }
  return session;
}

/** Reports the thread's id if the command does not name it, and an unfinished run that the question replaces. */
export async function introduce(session: Session, io: CliIo): Promise<void> {
  const named = session.given.thread;
  if (named === undefined) io.stderr.write(`Thread: ${session.thread}\n`);
  else if (session.question !== undefined && (await isUnfinished(session))) {
    io.stderr.write(`Thread "${named}" had an unfinished run; this question replaces it.\n`);
  }
}

async function runOrCancel(session: Session, io: CliIo): Promise<number> {
  const { command, given, signal, view, thread } = session;
  try {
    return report(await runSession(session), session, io);
  } catch (error) {
    view.rest();
    if (isGraphDrained(error)) {
      const resume = resumeCommand(command, { ...given, continue: true }, thread);
      io.stderr.write(`Stopped after a step, as SIGTERM asked. To continue: ${resume}\n`);
      return exitStatus.terminated;
    }
    if (!signal.aborted) throw error;
    const status = cancelledStatus(signal);
    if (status === exitStatus.cancelled) {
      const canResume = given.checkpoint !== undefined && (await isUnfinished(session));
      const hint = canResume
        ? ` To continue: ${resumeCommand(command, { ...given, continue: true }, thread)}`
        : "";
      io.stderr.write(`Cancelled.${hint}\n`);
    }
    return status;
  }
}

/** Prints the result of a run, each part to its stream. Returns the exit status. */
export function report(ending: Ending, session: Session, io: CliIo): number {
  const { command, given, view } = session;
  const { usage, ms } = ending.result;
  const outcome = outcomeOf(ending);
  const answer = ending.result.answer ?? outcome.reason ?? null;
  if (given.json) {
    const object = { graph: command, ...jsonOf(ending.result, answer, outcome) };
    io.stdout.write(`${JSON.stringify(object, null, 2)}\n`);
  } else if (outcome.status === "needs_input") {
    // The person at the terminal has already seen it.
    if (io.person === undefined) view.answer(askedLines(ending, outcome).join("\n"));
  } else if (outcome.status !== "failed" && answer !== null) {
    view.answer(answer);
  }
  view.summary(outcome, usage, ms);
  const note = outcome.status === "needs_input" ? howToAnswer(session) : noteOn(outcome);
  if (note !== undefined) io.stderr.write(`plangraph: ${note}\n`);
  return outcomeStatus[outcome.status];
}

/** The parts of a result that `--json` prints. */
function jsonOf(
  { usage, observations, steps, route }: Ending["result"],
  answer: string | null,
  outcome: Outcome,
) {
  const plan = steps.length === 0 ? {} : { steps };
  return { ...defined({ route }), answer, outcome, usage, ...plan, observations };
}

/** The outcome of a run; a paused one gets the form of a run that ends with "needs_input". */
function outcomeOf({ result, pauses }: Ending): Outcome {
  if (pauses.length === 0) {
    return result.outcome ?? { status: "failed", reason: "The run ended without an outcome." };
  }
  const asked = pauses.flatMap(({ value }) => readRequests(value)?.asked ?? []);
  const requests: PersonRequests = {
    action_requests: asked.map(({ action }) => action),
    review_configs: asked.map(({ action, allowed }) => ({
      action_name: action.name,
      allowed_decisions: allowed,
    })),
  };
  const reason = pauses.flatMap(({ value }) => descriptions(value)).join("\n");
  return { status: "needs_input", reason, requests };
}

function descriptions(value: unknown): readonly string[] {
  return readRequests(value)?.asked.map(({ action }) => action.description) ?? [foreignText(value)];
}

/** The open requests of a run, in lines for a person. */
function askedLines({ pauses }: Ending, { requests }: Outcome): readonly string[] {
  const values = pauses.length > 0 ? pauses.map(({ value }) => value) : [requests];
  return values.flatMap(
    (value) => readRequests(value)?.asked.flatMap(requestLines) ?? [`? ${foreignText(value)}`],
  );
}

/** Why there is no plain answer, in one sentence. */
function noteOn({ status, limit, reason = "for an unknown reason." }: Outcome): string | undefined {
  if (status === "limit") return `stopped at a limit: ${limit}.`;
  if (status === "handed_off") return "handed off to a person.";
  if (status === "refused") return `refused: ${oneLine(reason, 600)}`;
  return status === "failed" ? `the run failed: ${oneLine(reason, 600)}` : undefined;
}

function howToAnswer({ command, given, thread }: Session): string {
  if (given.checkpoint === undefined) {
    return "input is needed. Run this in a terminal without --json to be asked, or add --checkpoint FILE.db --thread ID to answer later.";
  }
  const answering = resumeCommand(command, { ...given, json: false }, thread);
  return `input is needed. To answer, run this in a terminal: ${answering}`;
}

/**
 * Chooses the view of a run: live on a terminal, otherwise plain lines. A standard output that is no terminal has the
 * answer alone, or what `--json` prints: progress goes to the standard error.
 */
export function chooseView(
  { json, quiet }: Pick<GivenFlags, "json" | "quiet">,
  { stdout, stderr, environment }: CliIo,
): View {
  const out = json || stdout.isTTY !== true ? stderr : stdout;
  const answer = json ? undefined : stdout;
  if (quiet) return createPlainView({ progress: undefined, answer });
  const isLive = out.isTTY === true && (json || out === stdout);
  if (!isLive || environment["TERM"] === "dumb") return createPlainView({ progress: out, answer });
  const colour = (environment["NO_COLOR"] ?? "") === "";
  return new TerminalView(out, { colour, answers: !json });
}
