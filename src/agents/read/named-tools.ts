import { resolve } from "node:path";

import type { StructuredToolInterface } from "@langchain/core/tools";

import { readPlacedData } from "../../files/data-places.js";
import { loadNamedTool, loadToolFiles } from "../../files/load-tools.js";
import { defined } from "../../json/json.js";
import type { Environment } from "../../models/model.js";
import { addressVariable } from "../../run/address-variable.js";
import type { InvalidServices, Service } from "../../services/index.js";
import { approvalParameter } from "../../tools/approval-form.js";
import { argumentSchema, propertiesOf } from "../../tools/argument-schema.js";
import { builtInTools } from "../../tools/builtin/by-name.js";
import { llmToolName } from "../../tools/builtin/llm.js";
import type { AgentFile } from "../fields/agent-fields.js";
import { type Around, pathFrom, shownPath } from "./around.js";
import { nameHint } from "../fields/field-problems.js";
import { knowledgeOf } from "./knowledge-tool.js";
import { mcpIn } from "./read-mcp.js";
import { Problems } from "./problems.js";

/** The fields of a file that name what its steps or its model may call. */
type Naming = Pick<AgentFile, "tools" | "services" | "allowHosts" | "mcp" | "knowledge">;

/** The tools that a file names, the definitions of those that are services, and the MCP servers of others. */
export async function toolsIn(fields: Naming, around: Around) {
  const named = await namedTools(fields, around);
  const { services, made } = await servicesOf(fields, around);
  const { tools: ofServers, servers } = await mcpIn(fields, around);
  const searching = await knowledgeOf(fields.knowledge, around);
  return { tools: [...named, ...made, ...ofServers, ...searching], services, servers };
}

async function namedTools({ tools = [] }: Naming, around: Around) {
  const { problems } = around;
  const made: StructuredToolInterface[] = [];
  for (const [at, name] of tools.entries()) {
    const found = await problems.at(["tools", at], async () => toolsNamed(name, around));
    if (found === undefined) continue;
    if (found.length === 0) {
      const hint = nameHint(name, Object.keys(builtInTools));
      problems.add(
        ["tools", at],
        `there is no built-in tool "${name}".${hint} A module is named with its ending.`,
      );
    }
    made.push(...found);
  }
  return made;
}

const moduleForm = /^(?<path>.*\.(?:[cm]?js|m?ts))(?::(?<name>[\w$]+))?$/;

/** The tools of a name: a built-in one, or those of a module; none for an unknown name. */
export async function toolsNamed(
  name: string,
  { file, shared }: Pick<Around, "file" | "shared">,
): Promise<readonly StructuredToolInterface[]> {
  const { path, name: exported } = moduleForm.exec(name)?.groups ?? {};
  if (path !== undefined) {
    const module = pathFrom(file, path);
    return exported === undefined
      ? loadToolFiles([module], "the module")
      : [await loadNamedTool(module, exported, "the module")];
  }
  const create = Object.hasOwn(builtInTools, name) ? builtInTools[name] : undefined;
  if (create === undefined) return [];
  return (await shared.of({ builtIn: name }, async () => [await create()])) ?? [];
}

async function servicesOf({ services = [], allowHosts }: Naming, around: Around) {
  const made: StructuredToolInterface[] = [];
  const read: Service[] = [];
  for (const [at, path] of services.entries()) {
    const found = await servicesAt(path, { at: ["services", at], allowHosts }, around);
    read.push(...found.services);
    made.push(...found.made);
  }
  return { services: read, made };
}

/** Where a file names services, and the hosts that they may have beside public ones. */
type Named = {
  readonly at: readonly PropertyKey[];
  readonly allowHosts: readonly string[] | undefined;
};

/** The services at a path that a file names, and their tools; none of services with a problem. */
export async function servicesAt(
  path: string,
  { at, allowHosts }: Named,
  { file, problems, environment, source, shared }: Around,
) {
  const read: Service[] = [];
  const { InvalidServices, readServices, serviceTools } = await import("../../services/index.js");
  const made = await problems.at(at, async () => {
    const all = await readServices([pathFrom(file, path)], source).catch(async (error: unknown) => {
      if (!(error instanceof InvalidServices)) throw error;
      await addServiceProblems(error, problems, source);
      return undefined;
    });
    if (all === undefined) return [];
    read.push(...all);
    const unset = unsetBy(all, environment);
    for (const message of unset) problems.add(at, message);
    if (unset.length > 0) return [];
    return shared.of({ services: all, allowHosts }, async () =>
      serviceTools(all, { environment, ...defined({ allowHosts }) }),
    );
  });
  return { services: read, made: made ?? [] };
}

/** Adds what is wrong with definitions, each at its place in its own file. */
async function addServiceProblems(
  { all }: InvalidServices,
  problems: Problems,
  source: Around["source"],
): Promise<void> {
  for (const { place, problems: found } of all) {
    if (place === undefined) continue;
    const { placeOf } = await readPlacedData(place.file, source);
    const inFile = new Problems(shownPath(resolve(place.file)), placeOf);
    for (const { path, message } of found) inFile.add([...place.path, ...path], message);
    problems.all.push(...inFile.all);
  }
}

/** What is told of each environment variable that services need and that is not set. */
function unsetBy(services: readonly Service[], environment: Environment): string[] {
  const needing = new Map<string, string[]>();
  for (const service of services) {
    for (const variable of new Set(variablesOf(service))) {
      if ((environment[variable] ?? "").trim() !== "") continue;
      needing.set(variable, [...(needing.get(variable) ?? []), service.name]);
    }
  }
  return [...needing].map(([variable, names]) => {
    const [first = "", ...others] = names;
    const verb = others.length === 0 ? "needs" : "need";
    const rest = others.length > 1 ? `${others.length} others` : others[0];
    const who = rest === undefined ? `the service ${first}` : `the services ${first} and ${rest}`;
    return `${who} ${verb} the environment variable ${variable}, which is not set`;
  });
}

/** The environment variables of a service's address, and of the secrets that it must have. */
function variablesOf({ request }: Service): string[] {
  const address = addressVariable(request.url);
  const needed = [request.auth ?? []].flat().filter(({ optional }) => optional !== true);
  return [...(address === undefined ? [] : [address]), ...needed.map(({ env }) => env)];
}

/** Two tools of one name, and policies of tools that are not there. */
export function checkToolNames(
  { policies = {} }: Pick<AgentFile, "policies">,
  names: readonly string[],
  problems: Problems,
): void {
  const isUnknown = problems.all.some(
    ({ path: [field] }) => field === "mcp" || field === "executors",
  );
  for (const name of new Set(names.filter((each, at) => names.indexOf(each) < at))) {
    problems.add(["tools"], `two tools are named "${name}": names must differ`);
  }
  const known = [...names, "*", llmToolName];
  for (const name of Object.keys(policies)) {
    // A server or an executor that cannot be used has its problem already.
    if (known.includes(name) || isUnknown) continue;
    problems.add(["policies", name], `there is no such tool.${nameHint(name, names)}`);
  }
}

/** Approvals that depend on a parameter that the tool does not have. */
export function checkApprovals(
  { policies = {} }: Pick<AgentFile, "policies">,
  tools: readonly StructuredToolInterface[],
  problems: Problems,
): void {
  for (const each of tools) {
    const parameter = approvalParameter(policies[each.name]?.needsApproval);
    const known = Object.keys(propertiesOf(argumentSchema(each)));
    if (parameter === undefined || known.includes(parameter)) continue;
    const at = ["policies", each.name, "needsApproval", "parameter"];
    problems.add(at, `${each.name} has no such parameter.${nameHint(parameter, known)}`);
  }
}
