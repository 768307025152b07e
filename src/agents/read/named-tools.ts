import type { StructuredToolInterface } from "@langchain/core/tools";

import { loadNamedTool, loadToolFiles } from "../../files/load-tools.js";
import { defined } from "../../json/json.js";
import type { Environment } from "../../models/model.js";
import type { Service } from "../../services/index.js";
import { builtInTools } from "../../tools/builtin/by-name.js";
import { llmToolName } from "../../tools/builtin/llm.js";
import type { AgentFile } from "../fields/agent-fields.js";
import { type Around, pathFrom } from "./around.js";
import { nameHint } from "../fields/field-problems.js";
import { knowledgeOf } from "./knowledge-tool.js";
import { mcpIn } from "./read-mcp.js";
import type { Problems } from "./problems.js";

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
  const { readServices, serviceTools } = await import("../../services/index.js");
  const made = await problems.at(at, async () => {
    const all = await readServices([pathFrom(file, path)], source);
    read.push(...all);
    const unset = all.flatMap((one) => unsetOf(one, environment));
    for (const message of unset) problems.add(at, message);
    if (unset.length > 0) return [];
    return shared.of({ services: all, allowHosts }, async () =>
      serviceTools(all, { environment, ...defined({ allowHosts }) }),
    );
  });
  return { services: read, made: made ?? [] };
}

/** The environment variables that a service needs and that are not set. */
function unsetOf({ name, request }: Service, environment: Environment): string[] {
  const needed = [request.auth ?? []].flat().filter(({ optional }) => optional !== true);
  return needed
    .filter(({ env }) => (environment[env] ?? "") === "")
    .map(
      ({ env }) => `the service ${name} needs the environment variable ${env}, which is not set`,
    );
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
