import {
  type AgentSummary,
  checkAgents,
  describeAgent,
  loadAgent,
  problemLine,
  type ToolSummary,
} from "../agents/index.js";
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

/** Prints what an agent file comes to: its models, what its tools may do, and which secrets go to which hosts. */
export async function showCommand(
  file: string,
  { json = false }: { readonly json?: boolean },
  { stdout, environment }: CliIo,
): Promise<void> {
  const summary = await describeAgent(file, { environment });
  const text = json ? JSON.stringify(summary, null, 2) : summaryLines(summary).join("\n");
  stdout.write(`${text}\n`);
}

function summaryLines(agent: AgentSummary, as = ""): string[] {
  const { name, graph, description, models, tools, agents, routes } = agent;
  const used = Object.entries(models).map(([role, specs]) => `${role}: ${specs.join(", then ")}`);
  const inside = [
    ...Object.entries(routes).map(([each, one]) => ["route", each, one] as const),
    ...Object.entries(agents).map(([each, one]) => ["tool", each, one] as const),
  ];
  return [
    `${as}${name} (${graph})${description === undefined ? "" : `: ${description}`}`,
    `  models: ${used.length === 0 ? "those of the environment" : used.join("; ")}`,
    ...tools.map(toolLine),
    ...inside.flatMap(([kind, each, one]) =>
      summaryLines(one, `${kind} ${each} → `).map((line) => `  ${line}`),
    ),
  ];
}

const approvals = {
  never: "",
  always: ", asks a person",
  sometimes: ", asks a person where its policy says so",
} as const;

function toolLine({ name, effect, approval, host, secrets = [] }: ToolSummary): string {
  const what = effect === "unknown" ? "effect not stated" : effect;
  const sent = secrets.length === 0 ? "" : ` with ${secrets.join(", ")}`;
  return `  ${name}: ${what}${approvals[approval]}${host === undefined ? "" : `, calls ${host}${sent}`}`;
}
