import { PlangraphError } from "../errors.js";
import { defined } from "../json/json.js";
import type { Service } from "../services/index.js";
import type { ToolPolicy } from "../tools/policy.js";
import { createToolbox, type ToolEntry } from "../tools/toolbox.js";
import type { AgentFile } from "./agent-fields.js";
import { drawWorkflow } from "../graphs/workflow/drawing.js";
import { fieldSchema, typeWord } from "../graphs/workflow/types.js";
import type { Environment } from "../models/model.js";
import { type AgentOptions, createAgent } from "./create-agent.js";
import { definedPolicies } from "./policies.js";
import { invalidAgent, type Problem } from "./problems.js";
import { readFile, shownPath } from "./read-agent.js";
import type { ReadFile, ReadWorkflow } from "./read-types.js";

/** What a tool of an agent may do. */
export type ToolSummary = {
  readonly name: string;
  /** Its stated effect; "unknown" where none is stated. */
  readonly effect: NonNullable<ToolPolicy["effect"]> | "unknown";
  /** Whether people approve its calls: none, all, or those for which its policy says so. */
  readonly approval: "never" | "always" | "sometimes";
  /** Of a service: the host that it calls, or the environment variable with its address. */
  readonly host?: string;
  /** Of a service: the environment variables with the secrets that it sends there. */
  readonly secrets?: readonly string[];
};

/** What an agent file comes to: how it works, and what it may do. */
export type AgentSummary = {
  readonly file: string;
  readonly name: string;
  readonly graph: AgentFile["graph"] | "workflow";
  readonly description?: string;
  /** The types of a workflow's input, by name: "text", "number" and the like. */
  readonly input?: { readonly [name: string]: string };
  /** Its models by role; those for every role under "all". Empty: the environment says. */
  readonly models: { readonly [role: string]: readonly string[] };
  readonly tools: readonly ToolSummary[];
  /** What is asked before every model call, by its name in the memory; only what calls a service or a tool. */
  readonly memory: { readonly [name: string]: ToolSummary };
  /** The agents that are tools, and the routes of a router, by their names; the agent of an assistant as `agent`. */
  readonly agents: { readonly [name: string]: AgentSummary };
  readonly routes: { readonly [name: string]: AgentSummary };
};

/**
 * Says what an agent file comes to, without making a graph: its models, its tools with their effects and approvals, and
 * which secrets go to which hosts. Throws `invalid_agent` with all problems.
 */
export async function describeAgent(
  file: string,
  { environment = process.env }: Pick<AgentOptions, "environment"> = {},
): Promise<AgentSummary> {
  const agent = await wholeFile(file, environment);
  return told(agent, () => summaryOf(agent));
}

/**
 * Draws what a file comes to as a Mermaid flowchart: the steps of a workflow, or the nodes of an agent's graph. Throws
 * `invalid_agent` with all problems.
 */
export async function drawAgent(
  file: string,
  { environment = process.env }: Pick<AgentOptions, "environment"> = {},
): Promise<string> {
  const read = await wholeFile(file, environment);
  if (read.kind === "workflow") return drawWorkflow(read.form);
  const graph = told(read, () => createAgent(read, { environment }));
  return (await graph.getGraphAsync()).drawMermaid();
}

async function wholeFile(file: string, environment: Environment): Promise<ReadFile> {
  const problems: Problem[] = [];
  const read = await readFile(file, { environment, within: [], problems });
  if (read === undefined) throw invalidAgent(problems);
  return read;
}

/** The result of work on a file; what it throws is a problem of the file. */
function told<Result>(read: ReadFile, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PlangraphError)) throw error;
    throw invalidAgent([{ file: shownPath(read.file), path: [], message: error.message }]);
  }
}

function summaryOf(agent: ReadFile): AgentSummary {
  const { file, name, description, fields, services } = agent;
  const { model, policies } = fields;
  const { graph, models } = agent.kind === "agent" ? agent.fields : workflowFields;
  const toolbox = createToolbox(agent.tools, definedPolicies(policies));
  const byName = new Map(services.map((one) => [one.name, one]));
  const all = model === undefined ? {} : { all: [model].flat() };
  const byRole = Object.entries(models ?? {}).map(([role, one]) => [role, [one].flat()] as const);
  return {
    file: shownPath(file),
    name,
    graph,
    ...defined({ description }),
    ...(agent.kind === "agent" ? {} : { input: inputWords(agent) }),
    models: { ...all, ...Object.fromEntries(byRole) },
    tools: [...toolbox].map(([tool, entry]) => toolSummary(tool, entry, byName.get(tool))),
    memory: memoryOf(agent),
    agents: summariesOf(agent.agents),
    routes: summariesOf(agent.kind === "agent" ? agent.routes : new Map()),
  };
}

/** What stands in the place of fields that only agents have. */
const workflowFields = { graph: "workflow", models: undefined } as const;

function inputWords({ form: { input = {} } }: ReadWorkflow) {
  const words = Object.entries(input).map(([name, field]) => [name, typeWord(fieldSchema(field))]);
  return Object.fromEntries(words);
}

function summariesOf(agents: ReadonlyMap<string, ReadFile>) {
  return Object.fromEntries([...agents].map(([name, each]) => [name, summaryOf(each)]));
}

function memoryOf(agent: ReadFile) {
  const read = agent.kind === "agent" ? [...agent.memory] : [];
  const called = read.flatMap(([name, { tool, service }]) =>
    [...createToolbox(tool === undefined ? [] : [tool])].map(
      ([own, entry]) => [name, toolSummary(own, entry, service)] as const,
    ),
  );
  return Object.fromEntries(called);
}

function toolSummary(name: string, { policy }: ToolEntry, service?: Service): ToolSummary {
  const { effect, needsApproval = false } = policy;
  const byRule = typeof needsApproval === "function" ? "sometimes" : "always";
  const approval = needsApproval === false ? "never" : byRule;
  // A tool with an approval and no stated effect is run as a write.
  const stated = effect ?? (needsApproval === false ? "unknown" : "write");
  return { name, effect: stated, approval, ...(service === undefined ? {} : placeOf(service)) };
}

function placeOf({ request: { url, auth } }: Service): Pick<ToolSummary, "host" | "secrets"> {
  const [variable] = /^\$\{\w+\}/.exec(url) ?? [];
  const host = variable ?? new URL(url.replaceAll(/\{[^{}]*\}/g, "x")).host;
  return { host, secrets: [auth ?? []].flat().map(({ env }) => env) };
}
