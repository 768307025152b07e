import { PlangraphError } from "../errors.js";
import { defined } from "../json/json.js";
import { addressVariable } from "../run/address-variable.js";
import type { Service } from "../services/index.js";
import type { ToolPolicy } from "../tools/policy.js";
import { createToolbox, type ToolEntry } from "../tools/toolbox.js";
import { readPlacedData } from "../files/data-places.js";
import type { AgentFile } from "./fields/agent-fields.js";
import { readWorkflowFields } from "./fields/field-problems.js";
import { drawWorkflow } from "../graphs/workflow/drawing.js";
import { fieldSchema, typeWord } from "../graphs/workflow/types.js";
import type { Environment } from "../models/model.js";
import { type AgentOptions, createAgent } from "./make/create-agent.js";
import { policiesFor } from "./make/policies.js";
import type { ServerPlace } from "./read/mcp-server.js";
import { policiesOf } from "./read/executor-files.js";
import { shownPath } from "./read/around.js";
import { invalidAgent, Problems } from "./read/problems.js";
import { readMain } from "./read/read-agent.js";
import type { ReadAgent, ReadFile, ReadWorkflow } from "./read/read-types.js";

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
  /** Of an MCP server: its name. */
  readonly server?: string;
};

/** An MCP server of an agent. */
export type ServerSummary = ServerPlace & {
  /** The tools that the agent has of it. */
  readonly tools: readonly string[];
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
  /** Its MCP servers, by name. */
  readonly servers: { readonly [name: string]: ServerSummary };
  /** What is asked before every model call, by its name in the memory; only what calls a service or a tool. */
  readonly memory: { readonly [name: string]: ToolSummary };
  /** The agents that are tools, and the routes of a router, by their names; the agent of an assistant as `agent`. */
  readonly agents: { readonly [name: string]: AgentSummary };
  readonly routes: { readonly [name: string]: AgentSummary };
  /** The executors of a plan, by their names. */
  readonly executors: { readonly [name: string]: AgentSummary };
};

/**
 * Says what an agent file comes to, without making a graph: its models, its tools with their effects and approvals, and
 * which secrets go to which hosts. Throws `invalid_agent` with all problems.
 */
export async function describeAgent(
  file: string,
  { environment = process.env }: Pick<AgentOptions, "environment"> = {},
): Promise<AgentSummary> {
  return ofWholeFile(file, environment, (agent) => summaryOf(agent));
}

/**
 * Draws what a file comes to as a Mermaid flowchart: the steps of a workflow, or the nodes of an agent's graph. Throws
 * `invalid_agent` with all problems.
 */
export async function drawAgent(
  file: string,
  { environment = process.env }: Pick<AgentOptions, "environment"> = {},
): Promise<string> {
  return ofWholeFile(file, environment, async (read) => {
    if (read.kind === "workflow") return drawWorkflow(read.form);
    const graph = createAgent(read, { environment });
    return (await graph.getGraphAsync()).drawMermaid();
  });
}

/** The result of work on a file, whose servers are open meanwhile; what it throws is a problem of the file. */
async function ofWholeFile<Result>(
  file: string,
  environment: Environment,
  work: (read: ReadFile) => Result | Promise<Result>,
): Promise<Result> {
  const { read, problems, share } = await readMain(file, { environment });
  if (read === undefined) throw invalidAgent(problems);
  try {
    return await work(read);
  } catch (error) {
    if (!(error instanceof PlangraphError)) throw error;
    throw invalidAgent([{ file: shownPath(read.file), path: [], message: error.message }]);
  } finally {
    await share.close();
  }
}

function summaryOf(agent: ReadFile, policies = agent.fields.policies): AgentSummary {
  const { file, name, description, fields, services, servers } = agent;
  const { model } = fields;
  const { graph, models } = agent.kind === "agent" ? agent.fields : workflowFields;
  const toolbox = createToolbox(agent.tools, policiesFor(agent.tools, policies));
  const byName = new Map(services.map((one) => [one.name, one]));
  const all = model === undefined ? {} : { all: [model].flat() };
  const byRole = Object.entries(models ?? {}).map(([role, one]) => [role, [one].flat()] as const);
  return {
    file: shownPath(file),
    name,
    graph,
    ...defined({ description }),
    ...(agent.kind === "agent" ? {} : { input: inputWords(agent.form.input) }),
    models: { ...all, ...Object.fromEntries(byRole) },
    tools: [...toolbox].map(([tool, entry]) => ({
      ...toolSummary(tool, entry, byName.get(tool)),
      ...defined({ server: serverOf(servers, tool) }),
    })),
    servers: Object.fromEntries(servers),
    memory: memoryOf(agent),
    agents: summariesOf(agent.agents),
    routes: summariesOf(agent.kind === "agent" ? agent.routes : new Map()),
    executors: agent.kind === "agent" ? executorsOf(agent) : {},
  };
}

function serverOf(servers: ReadFile["servers"], tool: string): string | undefined {
  return [...servers].find(([, { tools }]) => tools.includes(tool))?.[0];
}

/** The executors of a plan; a policy in its file is theirs, too. */
function executorsOf(plan: ReadAgent) {
  const policies = policiesOf(plan);
  const all = [...plan.executors].map(([name, each]) => [name, summaryOf(each, policies)] as const);
  return Object.fromEntries(all);
}

/** What stands in the place of fields that only agents have. */
const workflowFields = { graph: "workflow", models: undefined } as const;

/**
 * The types of a workflow's input, by name, as its file states them. Nothing else of the file is read: what is wrong with
 * it is said when it is loaded.
 */
export async function workflowInput(file: string): Promise<{ readonly [name: string]: string }> {
  const data = await readPlacedData(file);
  const { good } = readWorkflowFields(data.value, new Problems(file, data.placeOf));
  return inputWords(good?.input);
}

function inputWords(input: ReadWorkflow["form"]["input"] = {}) {
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
  const variable = addressVariable(url);
  const host =
    variable === undefined ? new URL(url.replaceAll(/\{[^{}]*\}/g, "x")).host : `\${${variable}}`;
  return { host, secrets: [auth ?? []].flat().map(({ env }) => env) };
}
