import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { invalidOption } from "../run/check-names.js";
import { type UnfinishedRun, unfinishedRuns } from "../runtime/threads/unfinished-runs.js";
import { openThreads } from "./checkpoint.js";
import { resumeCommand } from "./flags.js";
import type { CliIo } from "./io.js";
import type { Session } from "./run-session.js";
import { oneLine } from "./view/event-lines.js";

const Given = z.object({ checkpoint: z.string().optional(), json: z.boolean().default(false) });

/** Prints the unfinished runs in a file of threads. Throws a `PlangraphError` for a file that cannot be used. */
export async function runsCommand(options: unknown, { stdout }: CliIo): Promise<void> {
  const { checkpoint: file, json } = Given.parse(options);
  if (file === undefined) {
    throw invalidOption("runs needs --checkpoint FILE.db.");
  }
  const { saver, close } = await openThreads(file);
  try {
    const runs = await unfinishedRuns(saver);
    const text = runs.length === 0 ? "No unfinished runs." : runs.map(runText).join("\n\n");
    stdout.write(`${json ? JSON.stringify(runs, null, 2) : text}\n`);
  } finally {
    close();
  }
}

/**
 * Allows a command to use a thread whose last run stopped only if a flag or the person at the terminal says so. Throws
 * `unfinished_run` with the run's details and the possible commands. A run that waits for people is resumed.
 */
export async function settleStoppedRun(
  session: Session,
  saver: BaseCheckpointSaver,
): Promise<void> {
  const { thread, question, given, person, signal } = session;
  const isSettled = question === undefined ? given.continue : given.newRun;
  if (isSettled) return;
  const [run] = await unfinishedRuns(saver, { threadIds: [thread] });
  if (run?.status !== "stopped") return;
  const text = runText(run);
  if (person === undefined) throw unfinished([text, ...choices(run, session)]);
  const asks = question === undefined ? "Continue it?" : "Leave it and ask the new question?";
  person.out.write(`${text}\n${asks} y = yes, anything else = no\n`);
  const typed = await person.ask("> ", { signal });
  if (!/^y(?:es)?$/i.test(typed?.trim() ?? "")) {
    throw unfinished([`Thread "${thread}" is unchanged.`, ...choices(run, session)]);
  }
}

function unfinished(lines: readonly string[]): PlangraphError {
  return new PlangraphError("unfinished_run", lines.join("\n"));
}

/** Describes a run by its last checkpoint. */
function runText(run: UnfinishedRun): string {
  const { threadId, graph, lastCheckpointAt, inFlight, nodes, status } = run;
  const whose = graph === undefined ? "" : ` of ${graph}`;
  const calls = inFlight.map(({ callId, tool, isWrite }) =>
    oneLine(`${tool} (${callId}${isWrite ? ", a write: it may have taken effect" : ""})`, 200),
  );
  const what = calls.length === 0 ? `no call; next: ${nodes.join(", ")}` : calls.join(", ");
  return [
    `Thread "${threadId}" has an unfinished run${whose}. Last checkpoint: ${new Date(lastCheckpointAt).toISOString()}.`,
    ...(status === "paused"
      ? ["It waits for a person."]
      : [
          `In flight: ${what}.`,
          "It crashed or was cancelled, or it is still running in another process; then wait for its end.",
        ]),
  ].join("\n");
}

function choices({ graph }: UnfinishedRun, { command, given, thread, question }: Session) {
  const flags = { ...given, continue: true };
  return [
    `To continue it: ${resumeCommand(graph ?? command, flags, thread)}`,
    ...(question === undefined ? [] : ["To ask the question anyway: add --new-run."]),
  ];
}
