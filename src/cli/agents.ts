import { checkAgents, loadAgent, problemLine } from "../agents/index.js";
import { defined } from "../json/json.js";
import type { Flags } from "./flags.js";
import type { GraphEntry } from "./graphs.js";
import type { CliIo } from "./io.js";

/** The graph of an agent file, as the command line runs graphs. Without a model its run says that one is missing. */
export function agentEntry(file: string, { models }: Flags, { environment }: CliIo): GraphEntry {
  return {
    name: `run ${file}`,
    summary: "the agent of a file",
    roles: [],
    create: async ({ observers, checkpointer }) =>
      loadAgent(file, { environment, ...defined({ models, observers, checkpointer }) }),
  };
}

/** Checks agent files, and prints their problems. Returns whether there is none. */
export async function checkCommand(
  paths: readonly string[],
  { json = false }: { readonly json?: boolean },
  { stdout, environment }: CliIo,
): Promise<boolean> {
  const { files, problems } = await checkAgents(paths, { environment });
  if (json) {
    stdout.write(`${JSON.stringify({ files, problems }, null, 2)}\n`);
  } else {
    const lines = problems.map(problemLine);
    const count = files.length === 1 ? "1 agent file" : `${files.length} agent files`;
    const end = problems.length === 1 ? "1 problem" : `${problems.length || "no"} problems`;
    stdout.write(`${[...lines, `${count}: ${end}.`].join("\n")}\n`);
  }
  return problems.length === 0;
}
