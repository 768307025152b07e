import { basename, resolve } from "node:path";

import { PlangraphError } from "../../errors.js";
import { type PlacedData, readPlacedData } from "../../files/data-places.js";
import { isWorkflowFile, plainName } from "../../files/file-names.js";
import type { FileSource } from "../../files/file-source.js";
import type { Environment } from "../../models/model.js";
import type { StepForm } from "../../graphs/workflow/form.js";
import { defined } from "../../json/json.js";
import { freeName } from "../../run/check-names.js";
import type { AgentFile } from "../fields/agent-fields.js";
import { type Around, pathFrom, shownPath } from "./around.js";
import { checkExamples } from "./check-examples.js";
import { checkSteps, isLosing } from "./check-steps.js";
import { actingName, checkAssistant } from "../make/create-assistant.js";
import { checkExecutorPolicies, executorsIn, toolNamesOf } from "./executor-files.js";
import { readFields, readWorkflowFields } from "../fields/field-problems.js";
import { checkApprovals, checkToolNames, toolsIn } from "./named-tools.js";
import { type McpShare, McpServers } from "../make/mcp-servers.js";
import { memoryIn } from "./read-memory.js";
import { type Problem, Problems } from "./problems.js";
import type { ReadAgent, ReadFile, ReadWorkflow } from "./read-types.js";
import { SharedTools } from "./shared-tools.js";
import type { WorkflowFile } from "../fields/workflow-fields.js";

/** What agent files are read with. */
type Reading = {
  readonly environment: Environment;
  /** The files that this one is read for, the outermost first. */
  readonly within: readonly string[];
  /** Where all problems are collected. */
  readonly problems: Problem[];
  /** Where the files are read from; default: the disk. */
  readonly source?: FileSource | undefined;
  /** The MCP servers of the graph for which they are read. */
  readonly mcp: McpShare;
  /** The tools that they have in common. */
  readonly shared: SharedTools;
};

/** Where files are read from, and with which servers. */
export type ReadOptions = Pick<Reading, "environment" | "source"> & {
  /** The servers that the program has open; default: none. */
  readonly servers?: McpServers;
};

/** A file that was read, or its problems. Its MCP servers are open until the share is closed. */
export type ReadMain = {
  readonly problems: readonly Problem[];
  readonly read: ReadFile | undefined;
  readonly share: McpShare;
};

/** Reads a file and all that it names. No server stays open for one that cannot be used. */
export async function readMain(
  file: string,
  { environment, source, servers = new McpServers() }: ReadOptions,
): Promise<ReadMain> {
  const problems: Problem[] = [];
  const share = servers.share();
  const shared = new SharedTools();
  const reading = { environment, source, within: [], problems, mcp: share, shared };
  let read: ReadFile | undefined;
  try {
    read = await readFile(file, reading);
    return { problems, read, share };
  } finally {
    if (read === undefined) await share.close();
  }
}

/**
 * Reads an agent file, or a workflow file (`.workflow.yaml`), and what it names. What is wrong is added to the problems;
 * undefined if it cannot be used.
 */
async function readFile(path: string, reading: Reading): Promise<ReadFile | undefined> {
  const file = resolve(path);
  const data = await dataOf(path, reading);
  if (data === undefined) return undefined;
  const problems = new Problems(shownPath(file), data.placeOf);
  const { environment, source, mcp, shared } = reading;
  const inside = { ...reading, within: [...reading.within, file] };
  const open = { file, problems, environment, source, mcp, shared, reading: inside };
  const read = isWorkflowFile(file)
    ? await workflowIn(data.value, open)
    : await agentIn(data.value, open);
  reading.problems.push(...problems.all);
  return problems.all.length === 0 ? read : undefined;
}

async function dataOf(
  path: string,
  { problems, source }: Reading,
): Promise<PlacedData | undefined> {
  try {
    return await readPlacedData(path, source);
  } catch (error) {
    if (!(error instanceof PlangraphError)) throw error;
    const file = shownPath(resolve(path));
    // The error names the file itself, and says in words where it stands.
    const [, message = "", line, column] =
      placedMessage.exec(error.message.replace(`${path}: `, "")) ?? [];
    const place = line === undefined ? undefined : { line: Number(line), column: Number(column) };
    problems.push({ file, path: [], message, place });
    return undefined;
  }
}

/** A message that ends with the place in the text that it is about. */
const placedMessage = /^(.*?)(?:, at line (\d+), column (\d+)\.)?$/s;

/** A file that is being read. */
type Open = Around & { readonly reading: Reading };

async function agentIn(value: unknown, open: Open): Promise<ReadAgent | undefined> {
  const fields = readFields(value, open.problems);
  if (fields === undefined) return undefined;
  const brought = await toolsIn(fields, open);
  const agents = await othersIn("agents", fields.agents, open);
  const routes = await othersIn("routes", fields.routes, open);
  const acting =
    fields.agent === undefined ? undefined : await otherIn(["agent"], fields.agent, open);
  if (acting !== undefined) routes.set(actingName, acting);
  const others = await othersIn("executors", fields.executors, open);
  const executors = executorsIn(others, open.problems);
  const memory = await memoryIn(fields, open);
  const agent = { fields, ...brought, agents, routes, executors, memory };
  checkAgent(agent, open.problems);
  return { kind: "agent", ...commonOf(fields, open), ...agent };
}

/** Adds what does not fit together in an agent. */
function checkAgent(agent: Omit<ReadAgent, keyof Head>, problems: Problems): void {
  const { fields, tools, services, executors } = agent;
  const made = toolNamesOf(tools, Object.keys(fields.agents ?? {}), executors);
  // Services that cannot be called have their problem already.
  const others = services.map(({ name }) => name).filter((name) => !made.includes(name));
  const names = [...made, ...others];
  checkToolNames(fields, names, problems);
  checkApprovals(fields, tools, problems);
  checkExecutorPolicies(agent, executors, problems);
  checkRules(fields, problems);
  checkAssistant(fields, problems);
  const known = isLosing(problems) ? undefined : names;
  const isPlan = fields.graph === "plan-execute";
  const plan = isPlan ? Object.keys(fields.executors ?? {}) : undefined;
  checkExamples(fields, { tools: known, executors: plan }, problems);
}

/** What a file is called. */
type Head = Pick<ReadAgent, "kind" | "file" | "name" | "description">;

function commonOf({ name, description }: Pick<AgentFile, "name" | "description">, { file }: Open) {
  return { file, name: name ?? plainName(file), description };
}

async function workflowIn(value: unknown, open: Open): Promise<ReadWorkflow | undefined> {
  const { good: fields, broken } = readWorkflowFields(value, open.problems);
  if (fields === undefined) return undefined;
  const { tools, services, servers } = await toolsIn(fields, open);
  const { agents, unread, steps } = await calledIn(fields, broken, open);
  checkToolNames(fields, [...tools.map(({ name }) => name), ...agents.keys()], open.problems);
  checkApprovals(fields, tools, open.problems);
  const { input, output, returns } = fields;
  const form = { steps, ...defined({ input, output, returns }) };
  const read = {
    kind: "workflow",
    ...commonOf(fields, open),
    fields,
    tools,
    services,
    servers,
    agents,
  } as const;
  const workflow = { ...read, form };
  await checkSteps(workflow, { broken, unread }, open.problems);
  return workflow;
}

/** The agents and workflows that the steps of a workflow name, and the steps with the names of their tools. */
async function calledIn(fields: WorkflowFile, broken: ReadonlySet<string>, open: Open) {
  const agents = new Map<string, ReadFile>();
  const names = new Map<string, string>();
  const unread: string[] = [];
  const steps: [string, StepForm][] = [];
  for (const [id, step] of Object.entries(fields.steps)) {
    const kind = step.agent === undefined ? "workflow" : "agent";
    const path = step[kind];
    if (path === undefined || broken.has(id)) {
      steps.push([id, step]);
      continue;
    }
    const file = pathFrom(open.file, path);
    if (!names.has(file)) {
      const read = await otherAt(file, ["steps", id, kind], open);
      const name = freeName(read?.name ?? id, agents);
      names.set(file, name);
      if (read === undefined) unread.push(name);
      else agents.set(name, read);
    }
    steps.push([id, { ...step, [kind]: names.get(file) ?? id }]);
  }
  return { agents, unread, steps: Object.fromEntries(steps) };
}

/** The agents of other files, by their names. */
async function othersIn(
  field: "agents" | "routes" | "executors",
  given: AgentFile["agents"],
  open: Open,
): Promise<Map<string, ReadFile>> {
  const read = new Map<string, ReadFile>();
  for (const [name, one] of Object.entries(given ?? {})) {
    const other = await otherIn([field, name], one, open);
    if (other !== undefined) read.set(name, other);
  }
  return read;
}

/** The agent of another file, whose description says what it is for. */
async function otherIn(
  at: readonly PropertyKey[],
  one: NonNullable<AgentFile["agents"]>[string],
  open: Open,
): Promise<ReadFile | undefined> {
  const isPlain = typeof one === "string";
  const path = isPlain ? at : [...at, "agent"];
  const file = pathFrom(open.file, isPlain ? one : one.agent);
  const other = await otherAt(file, path, open);
  const description = isPlain ? undefined : one.description;
  if (other !== undefined && description === undefined && other.description === undefined) {
    const where = shownPath(file);
    open.problems.add(path, `expected a description, here or in ${where}, got none`);
  }
  return other;
}

/** Another file that this one names at a path. */
async function otherAt(
  file: string,
  path: readonly PropertyKey[],
  { problems, reading }: Open,
): Promise<ReadFile | undefined> {
  const { within } = reading;
  if (within.includes(file)) {
    const round = [...within.slice(within.indexOf(file)), file].map((each) => basename(each));
    problems.add(path, `expected no circle of agents, got ${round.join(" → ")}`);
    return undefined;
  }
  const other = await readFile(file, reading);
  if (other === undefined) problems.add(path, `the agent ${shownPath(file)} cannot be used`);
  return other;
}

function checkRules({ routes = {}, agent }: AgentFile, problems: Problems): void {
  const all = Object.entries(routes).map(([name, route]) => [["routes", name], route] as const);
  const acting = agent === undefined ? [] : [[["agent"], agent] as const];
  for (const [at, route] of [...all, ...acting]) {
    const when = typeof route === "string" ? undefined : route.when;
    if (when === undefined || isRule(when)) continue;
    problems.add([...at, "when"], `expected a regular expression, got ${JSON.stringify(when)}`);
  }
}

function isRule(text: string): boolean {
  try {
    return new RegExp(text, "iu") instanceof RegExp;
  } catch {
    return false;
  }
}
