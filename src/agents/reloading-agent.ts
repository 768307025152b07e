import { resolve } from "node:path";

import { plainName } from "../files/file-names.js";
import { createReloadingGraph, type ReloadingGraph } from "../graphs/reloading.js";
import { defined } from "../json/json.js";
import { type AgentOptions, type FileGraph, inside } from "./create-agent.js";
import { type FileVersion, keptFiles, type RecordedFiles, recordFiles } from "./file-version.js";
import { checkPath, graphFrom } from "./load-agent.js";

/** What the program gives an agent whose files may change. */
export type ReloadingAgentOptions = AgentOptions & {
  /** The name of the graph, also in the store, where names must differ; default: that of the file. */
  readonly name?: string;
};

/**
 * The graph of an agent or workflow file that may change while the program runs, as a reloading graph: a run that begins
 * has the file as it is now, with the agents, workflows and services that it names; one that has begun keeps them as they
 * were, also after a restart if there is a `store`. While the files cannot be used, new runs have the last that could: a
 * warning and the event `reload_failed` say so. Modules with tools are loaded once.
 *
 * The file is first read when a run begins. Throws `invalid_option` for options that cannot work; a first run on a broken
 * file throws `invalid_agent`.
 */
export function reloadingAgent(file: string, options: ReloadingAgentOptions = {}): ReloadingGraph {
  checkPath("reloadingAgent", file);
  const { name = plainName(file), models: _models, ...outer } = options;
  return createReloadingGraph<FileVersion>({
    ...defined(outer),
    name,
    ...versionsOf(resolve(file), inside(options)),
  });
}

/** Reads the versions of a file, and makes their graphs. */
function versionsOf(file: string, options: AgentOptions) {
  // What was just read is not read again to make its graph.
  const graphs = new WeakMap<FileVersion, FileGraph>();
  let last: (Pick<RecordedFiles, "isUnchanged"> & { readonly version: FileVersion }) | undefined;
  return {
    read: async () => {
      if (last !== undefined && (await last.isUnchanged())) return last.version;
      const { source, version: now, isUnchanged } = recordFiles(file);
      const graph = await graphFrom(file, options, source);
      const version = now();
      graphs.set(version, graph);
      last = { version, isUnchanged };
      return version;
    },
    create: (version: FileVersion) =>
      graphs.get(version) ?? graphFrom(file, options, keptFiles(file, version)),
  };
}
