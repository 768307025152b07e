import { canonicalJson } from "../../json/json.js";
import type { AgentFile } from "../fields/agent-fields.js";
import { shownPath } from "./around.js";
import type { Problems } from "./problems.js";
import type { ReadAgent, ReadFile } from "./read-types.js";

/** The fields of a file that an executor of a plan has; all others are those of the plan's file. */
const usable: ReadonlySet<string> = new Set<keyof AgentFile>([
  "$schema",
  "graph",
  "name",
  "description",
  "model",
  "instructions",
  "prompts",
  "examples",
  "tools",
  "services",
  "allowHosts",
  "mcp",
  "knowledge",
  "agents",
  "policies",
]);

/** The fields that bring tools: without any of them, an executor has those of its plan. */
const bringing = ["tools", "services", "mcp", "knowledge", "agents"] as const;

/** Whether a file says which tools it has. */
export function hasOwnTools({ fields }: ReadAgent): boolean {
  return bringing.some((field) => fields[field] !== undefined);
}

/** The executors among the agents that a file names as such; what cannot be one is a problem. */
export function executorsIn(
  agents: ReadonlyMap<string, ReadFile>,
  problems: Problems,
): ReadonlyMap<string, ReadAgent> {
  const executors = [...agents].flatMap(([name, read]): [string, ReadAgent][] => {
    const problem = problemIn(read);
    if (problem !== undefined) problems.add(["executors", name], problem);
    return problem === undefined && read.kind === "agent" ? [[name, read]] : [];
  });
  return new Map(executors);
}

function problemIn(read: ReadFile): string | undefined {
  const where = shownPath(read.file);
  const graph = read.kind === "agent" ? read.fields.graph : "workflow";
  if (graph !== "react") return `expected an agent of the graph react in ${where}, got ${graph}`;
  const others = Object.keys(read.fields).filter((field) => !usable.has(field));
  if (others.length === 0) return undefined;
  return `expected no ${others.join(", ")} in ${where}: for an executor, the file of its plan says that`;
}

/** The names of the tools of a plan and of its executors, where a tool of several is one. */
export function toolNamesOf(
  own: ReadAgent["tools"],
  agents: readonly string[],
  executors: ReadonlyMap<string, ReadAgent>,
): string[] {
  const all = [...executors.values()];
  const theirs = new Set(all.flatMap(({ tools }) => tools).filter((tool) => !own.includes(tool)));
  const others = all.flatMap((each) => [...each.agents.keys()]);
  return [...[...own, ...theirs].map(({ name }) => name), ...agents, ...others];
}

/** The policies of a plan's tools: its own, and those in the files of its executors. */
export function policiesOf({
  fields,
  executors,
}: Pick<ReadAgent, "fields" | "executors">): AgentFile["policies"] {
  const theirs = [...executors.values()].map((each) => each.fields.policies ?? {});
  const all = Object.assign({}, ...theirs, fields.policies ?? {});
  return Object.keys(all).length === 0 ? undefined : all;
}

/** Adds a problem where two files say another policy for one tool: all that call it are under the same. */
export function checkExecutorPolicies(
  { fields: { policies: own = {} }, tools }: Pick<ReadAgent, "fields" | "tools">,
  executors: ReadonlyMap<string, ReadAgent>,
  problems: Problems,
): void {
  const names = [...tools.map(({ name }) => name), ...Object.keys(own)];
  const stated = new Map(names.map((name) => [name, canonicalJson(own[name] ?? null)]));
  for (const [name, executor] of executors) {
    const { policies = {} } = executor.fields;
    if (policies["*"] !== undefined) {
      problems.add(["executors", name], "expected the policy of all tools (*) in this file alone");
    }
    for (const tool of [...executor.tools.map((each) => each.name), ...executor.agents.keys()]) {
      const policy = canonicalJson(policies[tool] ?? own[tool] ?? null);
      if ((stated.get(tool) ?? policy) !== policy) {
        const what = `expected one policy for ${tool} in all files of this plan`;
        problems.add(["executors", name], `${what}, got another in ${shownPath(executor.file)}`);
      }
      stated.set(tool, policy);
    }
  }
}
