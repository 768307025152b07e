import type { StructuredToolInterface } from "@langchain/core/tools";
import type { BaseCheckpointSaver } from "@langchain/langgraph";

import { defined } from "../json/json.js";
import {
  asList,
  type Environment,
  modelFor,
  type ModelRole,
  type Models,
  withOfflineDefault,
} from "../models/model.js";
import type { RunnableGraph } from "../runtime/graph-tool.js";
import { uncheckedPatternsOf } from "../tools/linear-pattern.js";
import type { TraceStore } from "../tracing/index.js";
import { type CheckpointFile, openCheckpoint } from "./checkpoint.js";
import type { Flags, GivenFlags } from "./flags.js";
import type { Closable, GraphEntry } from "./graphs.js";
import type { CliIo } from "./io.js";
import { withMcpTools } from "./mcp.js";
import { openTraces } from "./open-traces.js";
import { toolsFor } from "./tools.js";

/** What a graph of the command line is opened with, besides its flags. */
export type Opened = {
  readonly file: CheckpointFile | undefined;
  readonly traces: TraceStore | undefined;
  /** The tools of MCP servers. */
  readonly ofServers: readonly StructuredToolInterface[];
  /** What is closed at the end. */
  readonly closing: Set<Closable>;
};

/**
 * Opens the files and the servers that the flags name, does the work and closes them. The file of threads stays open
 * until the process ends if `isWriting`: a cancelled run may still be writing.
 */
export async function withOpened<Result>(
  given: GivenFlags,
  { environment }: CliIo,
  isWriting: () => boolean,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const { checkpoint, trace } = given;
  const file = checkpoint === undefined ? undefined : await openCheckpoint(checkpoint);
  const traces = await openTraces(trace);
  const closing = new Set<Closable>();
  try {
    return await withMcpTools(given, environment, async (ofServers) =>
      work({ file, traces, ofServers, closing }),
    );
  } finally {
    await closeAll(closing);
    traces?.flush();
    if (!isWriting()) file?.close();
  }
}

/** Closes what graphs hold open, such as the MCP servers of a file. */
export async function closeAll(graphs: Iterable<Closable>): Promise<void> {
  await Promise.all([...graphs].map((graph) => graph.close()));
}

/** Creates the graph with its tools and models. Prints what a user should know about them. */
export async function openGraph(
  entry: GraphEntry,
  { models, limits, given }: Flags,
  io: CliIo,
  {
    traces,
    ofServers,
    closing,
    saver,
  }: Opened & { readonly saver: BaseCheckpointSaver | undefined },
): Promise<RunnableGraph> {
  const tools = await toolsFor(given, io.environment, ofServers);
  const environment = withOfflineDefault(io.environment);
  const graph = await entry.create({
    tools,
    models,
    limits,
    protocol: given.protocol,
    // The caller is the person, so a failure is reported as a failure.
    handOffOn: [],
    environment,
    observers: traces === undefined ? [] : [traces],
    ...reviewsIn(given),
    ...defined({ replanning: given.replanning, checkpointer: saver }),
  });
  const { close } = graph;
  if (close !== undefined) closing.add({ close });
  const told = offlineNotice(entry.roles, models, environment);
  if (told !== undefined) io.stderr.write(`${told}\n`);
  for (const { tool, pattern } of uncheckedPatternsOf(tools)) {
    io.stderr.write(`${tool}: only the service checks the pattern ${pattern}\n`);
  }
  return graph;
}

/** What a person reviews; nothing in a graph without the flag. */
function reviewsIn({ review, reviewAnswer }: GivenFlags) {
  return {
    ...(review ? { reviewPlan: true } : {}),
    ...(reviewAnswer ? { reviewAnswer: true } : {}),
  };
}

const notice =
  "Answers come from a deterministic offline model, not a neural network. For a real model set OPENAI_API_KEY and pass --model openai:NAME (or set PLANGRAPH_MODEL), or pass --model ollama:NAME.";

/** Warns if one of the graph's roles uses no real model. */
export function offlineNotice(
  roles: readonly ModelRole[],
  models: Models | undefined,
  environment: Environment,
): string | undefined {
  const isOffline = (role: ModelRole) =>
    asList(modelFor(role, [models], environment))[0] === "offline";
  return roles.some(isOffline) ? notice : undefined;
}
