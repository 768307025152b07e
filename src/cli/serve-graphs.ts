import type { StructuredToolInterface } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { z } from "zod";

import { defined } from "../json/json.js";
import type { HttpOptions, ServedGraph } from "../mcp/index.js";
import { type Environment, withOfflineDefault } from "../models/model.js";
import { isDataFile } from "../files/file-names.js";
import { invalidOption } from "../run/check-names.js";
import { type Flags, readServedFlags, tokenIn } from "./flags.js";
import { type Closable, type GraphEntry, graphNamed } from "./graphs.js";
import type { CliIo } from "./io.js";
import { withMcpTools } from "./mcp.js";
import { closeAll } from "./open-graph.js";
import { openTraces } from "./open-traces.js";
import { toolsFor } from "./tools.js";

const Given = z.object({
  http: z.string().optional(),
  host: z.string().optional(),
  tokenEnv: z.string().optional(),
  allowedHost: z.array(z.string()).default([]),
});

/** Serves graphs until the input ends or Ctrl-C. Throws a `PlangraphError` for unusable names, flags and files. */
export async function mcpCommand(
  names: readonly string[],
  options: unknown,
  io: CliIo,
): Promise<void> {
  const words = [...new Set(names)];
  const entries = words.filter((word) => !isDataFile(word)).map(graphNamed);
  const files = words.filter(isDataFile);
  const http = httpIn(Given.parse(options), io.environment);
  const flags = readServedFlags(options);
  const { serveMcp } = await import("../mcp/index.js");
  const traces = await openTraces(flags.given.trace);
  const closing = new Set<Closable>();
  const serve = async (ofServers: readonly StructuredToolInterface[]) => {
    const tools = await toolsFor(flags.given, io.environment, ofServers);
    const observers = traces === undefined ? [] : [traces];
    const made = entries.map((entry) => served(entry, { ...flags, tools, observers }, io));
    const ofFiles = files.map((file) => servedFile(file, { ...flags, observers, closing }, io));
    const server = await serveMcp({
      graphs: byName(await Promise.all([...made, ...ofFiles])),
      ...defined({ http }),
    });
    if (server.url !== undefined) io.stderr.write(`Serving at ${server.url}\n`);
    const stop = io.onInterrupt(() => void server.close());
    await server.closed;
    stop();
    await server.close();
  };
  try {
    await withMcpTools(flags.given, io.environment, serve);
  } finally {
    await closeAll(closing);
  }
  traces?.flush();
}

type Setup = Omit<Flags, "question"> & {
  readonly tools: readonly StructuredToolInterface[];
  readonly observers: Parameters<GraphEntry["create"]>[0]["observers"];
};

async function served(
  entry: GraphEntry,
  { models, limits, tools, observers = [] }: Setup,
  io: CliIo,
) {
  const graph = await entry.create({
    tools,
    models,
    limits,
    // The client is the person, so a failure is reported as a failure.
    handOffOn: [],
    environment: withOfflineDefault(io.environment),
    observers,
    // Runs pause for the client's user; a call's thread is removed when it ends.
    checkpointer: new MemorySaver(),
  });
  const description = `Answers a question or does a task: ${entry.summary}.`;
  return [entry.name, { graph, description }] as const;
}

/** An agent file, which may change while it is served. It must be one that can be used when it begins. */
async function servedFile(
  file: string,
  { models, observers = [], closing }: Omit<Setup, "tools"> & { readonly closing: Set<Closable> },
  { environment }: CliIo,
) {
  const { describeAgent, reloadingAgent } = await import("../agents/index.js");
  const { name, description, input } = await describeAgent(file, { environment });
  const graph = reloadingAgent(file, {
    name,
    environment,
    observers,
    checkpointer: new MemorySaver(),
    ...defined({ models }),
  });
  closing.add(graph);
  const what = description ?? `Answers a question or does a task: ${name}.`;
  return [name, { graph, description: `${what}${inputWords(input)}` }] as const;
}

/** What the question of a workflow is. */
function inputWords(input: { readonly [name: string]: string } = {}): string {
  const fields = Object.entries(input).map(([name, type]) => `${name} (${type})`);
  return fields.length === 0 ? "" : ` The question is a JSON object: ${fields.join(", ")}.`;
}

function byName(all: readonly (readonly [string, ServedGraph])[]): {
  readonly [name: string]: ServedGraph;
} {
  const names = all.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice === undefined) return Object.fromEntries(all);
  throw invalidOption(
    `plangraph mcp: there are two graphs "${twice}": give the agent another name.`,
  );
}

function httpIn(
  { http, host, tokenEnv, allowedHost }: z.infer<typeof Given>,
  environment: Environment,
): HttpOptions | undefined {
  if (http === undefined) {
    if (host === undefined && tokenEnv === undefined && allowedHost.length === 0) return undefined;
    throw invalidOption("--host, --token-env and --allowed-host need --http PORT.");
  }
  if (!/^\d{1,5}$/.test(http)) throw invalidOption(`--http ${http}: expected a port.`);
  const token = tokenEnv === undefined ? undefined : tokenIn(tokenEnv, environment);
  return { port: Number(http), allowedHosts: allowedHost, ...defined({ host, token }) };
}
