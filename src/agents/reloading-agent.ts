import { resolve } from "node:path";

import { plainName } from "../files/file-names.js";
import { createReloadingGraph, type ReloadingGraph } from "../graphs/reloading.js";
import { defined } from "../json/json.js";
import { type AgentOptions, inside } from "./make/create-agent.js";
import { type FileVersion, keptFiles, type RecordedFiles, recordFiles } from "./file-version.js";
import { type Closable, checkPath, closable, graphFrom } from "./load-agent.js";
import { type McpShare, McpServers } from "./make/mcp-servers.js";

/** What the program gives an agent whose files may change. */
export type ReloadingAgentOptions = AgentOptions & {
  /** The name of the graph, also in the store, where names must differ; default: that of the file. */
  readonly name?: string;
};

/**
 * The graph of an agent or workflow file that may change while the program runs, as a reloading graph: a run that begins
 * has the file as it is now, with the agents, workflows and services that it names; one that has begun keeps them as they
 * were, also after a restart if there is a `store`. While the files cannot be used, new runs have the last that could: a
 * warning and the event `reload_failed` say so. Modules with tools are loaded once. MCP servers run on while the newest
 * version or a run at work has them; `close` stops all of them.
 *
 * The file is first read when a run begins. Throws `invalid_option` for options that cannot work; a first run on a broken
 * file throws `invalid_agent`.
 */
export function reloadingAgent(
  file: string,
  options: ReloadingAgentOptions = {},
): ReloadingGraph & Closable {
  checkPath("reloadingAgent", file);
  const { name = plainName(file), models: _models, ...outer } = options;
  const { close, ...versions } = versionsOf(resolve(file), inside(options));
  const graph = createReloadingGraph<FileVersion>({ ...defined(outer), name, ...versions });
  return closable(graph, close);
}

/** Reads the versions of a file, and makes their graphs. */
function versionsOf(file: string, options: AgentOptions) {
  const servers = new McpServers();
  const shares = new WeakMap<object, McpShare>();
  // What was just read is not read again to make its graph.
  let made: (Awaited<ReturnType<typeof graphFrom>> & { readonly version: FileVersion }) | undefined;
  let last: (Pick<RecordedFiles, "isUnchanged"> & { readonly version: FileVersion }) | undefined;
  let reading: Promise<FileVersion> | undefined;

  const readNow = async () => {
    const { source, version: now, isUnchanged } = recordFiles(file);
    const next = await graphFrom(file, options, { source, servers });
    const version = now();
    // A version that there was before has its graph already.
    await made?.share.close();
    made = { ...next, version };
    last = { version, isUnchanged };
    return version;
  };
  return {
    read: async () => {
      // Runs that begin side by side read a changed file once.
      if (reading !== undefined) await reading;
      if (last !== undefined && (await last.isUnchanged())) return last.version;
      reading ??= readNow().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    create: async (version: FileVersion) => {
      const ready = made?.version === version ? made : undefined;
      if (ready !== undefined) made = undefined;
      const source = keptFiles(file, version);
      const { graph, share } = ready ?? (await graphFrom(file, options, { source, servers }));
      shares.set(graph, share);
      return graph;
    },
    release: async (graph: object) => shares.get(graph)?.rest(),
    close: async () => servers.close(),
  };
}
