import { randomUUID } from "node:crypto";

import { MemorySaver } from "@langchain/langgraph";
import type { StructuredToolInterface } from "@langchain/core/tools";

import {
  asList,
  type Environment,
  modelFor,
  type ModelRole,
  type Models,
  withOfflineDefault,
} from "../models/model.js";
import { defined } from "../json/json.js";
import type { ServiceOptions } from "../services/index.js";
import { calculator } from "../tools/builtin/calculator.js";
import { createCurrentDateTool } from "../tools/builtin/date-tools.js";
import { askUser, handOff } from "../tools/builtin/people.js";
import { randomNumber } from "../tools/builtin/random-number.js";
import { uncheckedPatternsOf } from "../tools/linear-pattern.js";
import { type CheckpointFile, openCheckpoint } from "./checkpoint.js";
import { type Flags, type GivenFlags, resumeCommand } from "./flags.js";
import type { GraphEntry } from "./graphs.js";
import { type CliIo, exitStatus } from "./io.js";
import { report } from "./report.js";
import { isUnfinished, runSession, type Session } from "./run-session.js";
import { settleStoppedRun } from "./runs.js";
import { loadToolFiles } from "./tool-files.js";
import { createPlainView, type View } from "./view/plain-view.js";
import { createTerminalView } from "./view/terminal-view.js";

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
    // A cancelled run may still be writing; the end of the process closes the file.
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
  const graph = await entry.create({
    tools,
    models,
    limits,
    protocol: given.protocol,
    // The person runs it: a failure is reported as a failure.
    handOffOn: [],
    environment,
    ...(given.review ? { reviewPlan: true } : {}),
    ...defined({ replanning: given.replanning, checkpointer: saver }),
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

/** Why a run was cancelled; the process ends with its status. */
class Cancelled extends Error {
  readonly status: number;

  constructor(status: number) {
    super("The run was cancelled.");
    this.status = status;
  }
}

/** Cancels a run. */
type Cancellation = { readonly signal: AbortSignal; readonly stop: () => void };

/** Watches for Ctrl-C and for an output that nobody reads: the first cancels the run, a second Ctrl-C ends the process. */
function watchCancellation({ onInterrupt, onClosed, exit }: CliIo): Cancellation {
  const controller = new AbortController();
  const { signal } = controller;
  const stops = [
    onInterrupt(() => {
      if (signal.aborted) exit(exitStatus.cancelled);
      else controller.abort(new Cancelled(exitStatus.cancelled));
    }),
    onClosed(() => {
      if (!signal.aborted) controller.abort(new Cancelled(exitStatus.closed));
    }),
  ];
  return {
    signal,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

const notice =
  "Answers come from a deterministic offline model, no neural network. For a real model set OPENAI_API_KEY and pass --model openai:NAME (or set PLANGRAPH_MODEL), or pass --model ollama:NAME.";

/** Says that no real model answers, where that is so for one of the graph's roles. */
function offlineNotice(
  roles: readonly ModelRole[],
  models: Models | undefined,
  environment: Environment,
): string | undefined {
  const isOffline = (role: ModelRole) =>
    asList(modelFor(role, [models], environment))[0] === "offline";
  return roles.some(isOffline) ? notice : undefined;
}

/** The flags that bring tools. */
type ToolFlags = Pick<GivenFlags, "tools" | "services" | "allowHost" | "wikipedia">;

/** The tools of a run: the built-in ones, and those of `--tools` and `--services`, which take the place of a namesake. */
export async function toolsFor(
  { tools: files, services, allowHost, wikipedia }: ToolFlags,
  environment: Environment,
): Promise<readonly StructuredToolInterface[]> {
  const hosts = allowHost.length === 0 ? {} : { allowHosts: allowHost };
  const loaded = [
    ...(await loadToolFiles(files)),
    ...(await servicesFor(services, { environment, ...hosts })),
  ];
  const names = new Set(loaded.map(({ name }) => name));
  const builtIn: StructuredToolInterface[] = [
    calculator,
    randomNumber,
    createCurrentDateTool(),
    ...(wikipedia ? [await wikipediaTool()] : []),
    askUser,
    handOff,
  ];
  return [...builtIn.filter(({ name }) => !names.has(name)), ...loaded];
}

async function servicesFor(
  files: readonly string[],
  options: ServiceOptions,
): Promise<readonly StructuredToolInterface[]> {
  if (files.length === 0 && options.allowHosts === undefined) return [];
  const { loadServices } = await import("../services/index.js");
  return loadServices(files, options);
}

async function wikipediaTool(): Promise<StructuredToolInterface> {
  const { createWikipediaTool } = await import("../tools/builtin/wikipedia.js");
  return createWikipediaTool();
}

/**
 * How this run is shown: drawn where progress goes to a terminal, in plain lines where it does not.
 * With `--json` the standard output is the object's alone; with `--quiet` only the answer is shown.
 */
export function chooseView(
  { json, quiet }: Pick<GivenFlags, "json" | "quiet">,
  { stdout, stderr, environment }: CliIo,
): View {
  const out = json ? stderr : stdout;
  const answer = json ? undefined : stdout;
  if (quiet) return createPlainView({ progress: undefined, answer });
  if (out.isTTY !== true || environment["TERM"] === "dumb") {
    return createPlainView({ progress: out, answer });
  }
  const colour = (environment["NO_COLOR"] ?? "") === "";
  return createTerminalView(out, { colour, answers: !json });
}
