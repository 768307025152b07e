import { randomUUID } from "node:crypto";

import { MemorySaver } from "@langchain/langgraph";

import { unfinishedRuns } from "../runtime/threads/unfinished-runs.js";
import { cancelledStatus, watchCancellation } from "./cancellation.js";
import { type Flags, resumeCommand } from "./flags.js";
import type { GraphEntry } from "./graphs.js";
import { type Ask, type CliIo, errorWords, exitStatus, type Person } from "./io.js";
import { type Opened, openGraph, withOpened } from "./open-graph.js";
import { chooseView, introduce, report } from "./run-command.js";
import { isUnfinished, runSession, type Session } from "./run-session.js";
import { settleStoppedRun } from "./runs.js";
import { printable } from "./view/event-lines.js";

/** What all turns of a conversation share. */
type Chat = Omit<Session, "question" | "view" | "signal" | "person"> & {
  readonly io: CliIo;
  readonly person: Person;
};

/** How a turn ended: the conversation goes on, or ends with this status. */
type TurnEnd = { readonly status: number | undefined; readonly isCancelled: boolean };

/**
 * A conversation with a graph on one thread: every line is a message, until the input ends. Returns the exit status.
 * Throws a `PlangraphError` for unusable flags, files and models; an error in a turn is printed.
 */
export async function chatCommand(entry: GraphEntry, flags: Flags, io: CliIo): Promise<number> {
  let isWriting = false;
  const cancellation = watchCancellation(io);
  const { signal } = cancellation;
  try {
    return await withOpened(
      flags.given,
      io,
      () => isWriting,
      async (opened) => {
        const chat = await openChat(entry, flags, io, opened);
        const isResumed = await resumesFirst(chat, opened, signal);
        if (signal.aborted) return cancelledStatus(signal);
        cancellation.stop();
        return conversation(chat, isResumed, () => (isWriting = true));
      },
    );
  } finally {
    cancellation.stop();
  }
}

async function openChat(entry: GraphEntry, flags: Flags, io: CliIo, opened: Opened): Promise<Chat> {
  const { given } = flags;
  const saver = opened.file?.saver ?? new MemorySaver();
  const graph = await openGraph(entry, flags, io, { ...opened, saver });
  const thread = given.thread ?? randomUUID();
  const person = io.person ?? { ask: createLineAsker(io.lines()), out: io.stderr };
  return { graph, command: `chat ${entry.name}`, given, thread, person, io };
}

/** Whether the thread's last run goes on before the first message: it waits for a person, or `--continue` says so. */
async function resumesFirst(chat: Chat, { file }: Opened, signal: AbortSignal): Promise<boolean> {
  const { given, thread, io } = chat;
  if (file === undefined) return false;
  const view = chooseView(given, io);
  // Only a person at a terminal is asked about a run that stopped: a line of a pipe is a message.
  const session: Session = { ...chat, person: io.person, question: undefined, view, signal };
  await introduce(session, io);
  if (given.newRun) return false;
  if (given.continue) return isUnfinished(session);
  const [run] = await unfinishedRuns(file.saver, { threadIds: [thread] });
  if (run?.status === "paused") return true;
  await settleStoppedRun({ ...session, question: "" }, file.saver);
  return false;
}

/** Runs a turn for each message. Returns the exit status. */
async function conversation(
  chat: Chat,
  isResumed: boolean,
  cancelled: () => void,
): Promise<number> {
  const { given, io, person } = chat;
  if (io.person !== undefined && !given.quiet) person.out.write(`${welcome}\n`);
  let question: string | undefined;
  for (let isFirst = isResumed; ; isFirst = false) {
    if (!isFirst) {
      const asked = await nextMessage(chat);
      if (asked.message === undefined) return ended(chat, asked.status);
      question = asked.message;
    }
    const { status, isCancelled } = await turn(chat, question);
    if (isCancelled) cancelled();
    if (status !== undefined) return ended(chat, status);
  }
}

const welcome =
  "Each line is a message. Ctrl-C stops an answer, /exit or Ctrl-D ends the conversation.";

/** The next line that is not empty; without one, the exit status. */
async function nextMessage({ person, io }: Chat) {
  const { signal, stop } = watchCancellation(io);
  try {
    for (;;) {
      const typed = await person.ask("you> ", { signal, isMessage: true });
      if (signal.aborted) return { message: undefined, status: cancelledStatus(signal) };
      const message = typed?.trim();
      if (message === undefined || message === "/exit") {
        return { message: undefined, status: exitStatus.answered };
      }
      if (message !== "") return { message };
    }
  } finally {
    stop();
  }
}

/** One run, to its end. Prints its answer or its error. */
async function turn(chat: Chat, question: string | undefined): Promise<TurnEnd> {
  const { given, io, person } = chat;
  const { signal, stop } = watchCancellation(io);
  const view = chooseView(given, io);
  const session: Session = { ...chat, question, view, signal };
  try {
    const ending = await runSession(session);
    // The person left in place of an answer.
    if (ending.pauses.length > 0) return { status: exitStatus.answered, isCancelled: false };
    report(ending, session, { ...io, person });
  } catch (error) {
    view.rest();
    if (signal.aborted) return stopped(io, signal);
    io.stderr.write(`plangraph: ${printable(errorWords(error))}\n`);
  } finally {
    stop();
  }
  return { status: undefined, isCancelled: false };
}

/** Ctrl-C stops the turn alone; an output that was closed ends the conversation. */
function stopped({ stderr }: CliIo, signal: AbortSignal): TurnEnd {
  const status = cancelledStatus(signal);
  if (status !== exitStatus.cancelled) return { status, isCancelled: true };
  stderr.write("Stopped.\n");
  return { status: undefined, isCancelled: true };
}

/** Reports how a conversation in a file goes on. */
function ended({ command, given, thread, io }: Chat, status: number): number {
  if (given.checkpoint !== undefined && !given.quiet && status !== exitStatus.closed) {
    const flags = { ...given, continue: false };
    io.stderr.write(`To continue: ${resumeCommand(command, flags, thread)}\n`);
  }
  return status;
}

/** Takes what is asked for from the lines of a pipe. A line that comes after the signal is kept for the next question. */
function createLineAsker(lines: AsyncIterator<string, unknown>): Ask {
  let next: Promise<IteratorResult<string, unknown>> | undefined;
  return async (_, { signal }) => {
    next ??= lines.next();
    const line = await Promise.race([next, aborted(signal)]);
    if (line === undefined) return undefined;
    next = undefined;
    return line.done === true ? undefined : line.value;
  };
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
