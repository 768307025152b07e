import { dirname, resolve } from "node:path";

import type { StructuredToolInterface } from "@langchain/core/tools";

import { PlangraphError } from "../errors.js";
import type { FileSource } from "../files/file-source.js";
import { loadNamedTool, loadToolFiles } from "../files/load-tools.js";
import type { Environment } from "../models/model.js";
import type { Service } from "../services/index.js";
import { builtInTools } from "../tools/builtin/by-name.js";
import { llmToolName } from "../tools/builtin/llm.js";
import type { AgentFile } from "./agent-fields.js";
import { nameHint } from "./field-problems.js";
import type { Problems } from "./problems.js";

/** The file that names tools. */
export type Around = {
  readonly file: string;
  readonly problems: Problems;
  readonly environment: Environment;
  /** Where data files are read from; default: the disk. */
  readonly source: FileSource | undefined;
};

/** The fields of a file that name what its steps or its model may call. */
type Naming = Pick<AgentFile, "tools" | "services" | "allowHosts" | "knowledge">;

/** The tools that a file names, and the definitions of those that are services. */
export async function toolsIn(fields: Naming, around: Around) {
  const named = await namedTools(fields, around);
  const { services, made } = await servicesOf(fields, around);
  const tools = [...named, ...made, ...(await knowledgeOf(fields, around))];
  return { tools, services };
}

/** A path in a file is read from the file's folder. */
export function pathFrom(file: string, path: string): string {
  return resolve(dirname(file), path);
}

async function namedTools({ tools = [] }: Naming, { file, problems }: Around) {
  const made: StructuredToolInterface[] = [];
  for (const [at, name] of tools.entries()) {
    const found = await problems.at(["tools", at], async () => toolsNamed(name, file));
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

async function toolsNamed(name: string, file: string): Promise<StructuredToolInterface[]> {
  const { path, name: exported } = moduleForm.exec(name)?.groups ?? {};
  if (path !== undefined) {
    const module = pathFrom(file, path);
    return exported === undefined
      ? loadToolFiles([module], "the module")
      : [await loadNamedTool(module, exported, "the module")];
  }
  const create = Object.hasOwn(builtInTools, name) ? builtInTools[name] : undefined;
  return create === undefined ? [] : [await create()];
}

async function servicesOf({ services = [], allowHosts }: Naming, around: Around) {
  const { file, problems, environment, source } = around;
  const made: StructuredToolInterface[] = [];
  const read: Service[] = [];
  if (services.length === 0) return { services: read, made };
  const { readServices, serviceTools } = await import("../services/index.js");
  const hosts = allowHosts === undefined ? {} : { allowHosts };
  for (const [at, path] of services.entries()) {
    const place = ["services", at];
    const where = pathFrom(file, path);
    const found = await problems.at(place, async () => {
      const all = await readServices([where], source);
      read.push(...all);
      const unset = all.flatMap((one) => unsetOf(one, environment));
      for (const message of unset) problems.add(place, message);
      return unset.length > 0 ? [] : serviceTools(all, { environment, ...hosts });
    });
    made.push(...(found ?? []));
  }
  return { services: read, made };
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

async function knowledgeOf({ knowledge }: Naming, { file, problems, environment }: Around) {
  if (knowledge === undefined) return [];
  const { base, embeddings } =
    typeof knowledge === "string" ? { base: knowledge, embeddings: undefined } : knowledge;
  const found = await problems.at(["knowledge"], async () => {
    const { createSearchKnowledgeTool, openKnowledgeAt } = await import("../knowledge/index.js");
    const place = placeOfBase(base, file, environment);
    return createSearchKnowledgeTool(await openKnowledgeAt(place, { embeddings, environment }));
  });
  return found === undefined ? [] : [found];
}

/** An environment variable holds the address of a server, which may have a password in it. */
function placeOfBase(base: string, file: string, environment: Environment): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(base)) {
    // No more of it: there may be a password in it.
    throw new PlangraphError(
      "invalid_agent",
      "expected a file, or the environment variable with the address of a server, got an address",
    );
  }
  if (!/^[A-Z][A-Z0-9_]*$/.test(base)) return pathFrom(file, base);
  const place = environment[base] ?? "";
  if (place !== "") return place;
  throw new PlangraphError("invalid_agent", `the environment variable ${base} is not set`);
}

/** Two tools of one name, and policies of tools that are not there. */
export function checkToolNames(
  { policies = {} }: Pick<AgentFile, "policies">,
  names: readonly string[],
  problems: Problems,
): void {
  for (const name of new Set(names.filter((each, at) => names.indexOf(each) < at))) {
    problems.add(["tools"], `two tools are named "${name}": names must differ`);
  }
  const known = [...names, "*", llmToolName];
  for (const name of Object.keys(policies)) {
    if (known.includes(name)) continue;
    problems.add(["policies", name], `there is no such tool.${nameHint(name, names)}`);
  }
}
