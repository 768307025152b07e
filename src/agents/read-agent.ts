import { basename, dirname, relative, resolve } from "node:path";

import type { StructuredToolInterface } from "@langchain/core/tools";

import { PlangraphError } from "../errors.js";
import { type PlacedData, readPlacedData } from "../files/data-places.js";
import { loadNamedTool, loadToolFiles } from "../files/load-tools.js";
import type { Environment } from "../models/model.js";
import type { Service } from "../services/index.js";
import { llmToolName } from "../tools/builtin/llm.js";
import { builtInTools } from "../tools/builtin/by-name.js";
import type { AgentFile } from "./agent-fields.js";
import { nameHint, readFields } from "./field-problems.js";
import { type Problem, Problems } from "./problems.js";

/** An agent file with all that it names, read and checked. */
export type ReadAgent = {
  readonly file: string;
  readonly name: string;
  readonly fields: AgentFile;
  readonly tools: readonly StructuredToolInterface[];
  /** The definitions of those tools that are services. */
  readonly services: readonly Service[];
  /** The agents that are tools, and the routes of a router, by their names. */
  readonly agents: ReadonlyMap<string, ReadAgent>;
  readonly routes: ReadonlyMap<string, ReadAgent>;
};

/** What agent files are read with. */
export type Reading = {
  readonly environment: Environment;
  /** The files that this one is read for, the outermost first. */
  readonly within: readonly string[];
  /** Where all problems are collected. */
  readonly problems: Problem[];
};

/** Reads an agent file and what it names. What is wrong is added to the problems; undefined if it cannot be used. */
export async function readAgent(path: string, reading: Reading): Promise<ReadAgent | undefined> {
  const file = resolve(path);
  const data = await dataOf(path, reading);
  if (data === undefined) return undefined;
  const problems = new Problems(shownPath(file), data.placeOf);
  const fields = readFields(data.value, problems);
  const around = { file, problems, reading: { ...reading, within: [...reading.within, file] } };
  const read = fields === undefined ? undefined : await withNamed(fields, around);
  reading.problems.push(...problems.all);
  return problems.all.length === 0 ? read : undefined;
}

/** A file as people read it: from the folder in which they work. */
export function shownPath(file: string): string {
  const short = relative(process.cwd(), file);
  return short.startsWith("..") ? file : short;
}

async function dataOf(path: string, { problems }: Reading): Promise<PlacedData | undefined> {
  try {
    return await readPlacedData(path);
  } catch (error) {
    if (!(error instanceof PlangraphError)) throw error;
    const file = shownPath(resolve(path));
    // The error names the file itself.
    const message = error.message.replace(`${path}: `, "");
    problems.push({ file, path: [], message });
    return undefined;
  }
}

type Around = {
  readonly file: string;
  readonly problems: Problems;
  readonly reading: Reading;
};

async function withNamed(fields: AgentFile, around: Around): Promise<ReadAgent> {
  const { file } = around;
  const named = await namedTools(fields, around);
  const { services, made } = await servicesOf(fields, around);
  const tools = [...named, ...made, ...(await knowledgeOf(fields, around))];
  const agents = await othersIn("agents", fields.agents, around);
  const routes = await othersIn("routes", fields.routes, around);
  checkToolNames(fields, tools, around.problems);
  checkRules(fields, around.problems);
  const name = fields.name ?? basename(file).replace(/(?:\.agent)?\.(?:ya?ml|json)$/i, "");
  return { file, name, fields, tools, services, agents, routes };
}

/** A path in a file is read from the file's folder. */
function pathFrom(file: string, path: string): string {
  return resolve(dirname(file), path);
}

async function namedTools({ tools = [] }: AgentFile, { file, problems }: Around) {
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

async function servicesOf({ services = [], allowHosts }: AgentFile, around: Around) {
  const { file, problems } = around;
  const { environment } = around.reading;
  const made: StructuredToolInterface[] = [];
  const read: Service[] = [];
  if (services.length === 0) return { services: read, made };
  const { readServices, serviceTools } = await import("../services/index.js");
  const hosts = allowHosts === undefined ? {} : { allowHosts };
  for (const [at, path] of services.entries()) {
    const place = ["services", at];
    const where = pathFrom(file, path);
    const found = await problems.at(place, async () => {
      const all = await readServices([where]);
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

async function knowledgeOf({ knowledge }: AgentFile, { file, problems, reading }: Around) {
  if (knowledge === undefined) return [];
  const { environment } = reading;
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

/** The agents of other files, by their names. */
async function othersIn(
  field: "agents" | "routes",
  given: AgentFile["agents"],
  { file, problems, reading }: Around,
): Promise<ReadonlyMap<string, ReadAgent>> {
  const read = new Map<string, ReadAgent>();
  for (const [name, one] of Object.entries(given ?? {})) {
    const isPlain = typeof one === "string";
    const path = [field, name, ...(isPlain ? [] : ["agent"])];
    const other = pathFrom(file, isPlain ? one : one.agent);
    if (reading.within.includes(other)) {
      const round = [...reading.within.slice(reading.within.indexOf(other)), other];
      problems.add(
        path,
        `expected no circle of agents, got ${round.map((each) => basename(each)).join(" → ")}`,
      );
      continue;
    }
    const agent = await readAgent(other, reading);
    if (agent === undefined) {
      problems.add(path, `the agent ${shownPath(other)} cannot be used`);
      continue;
    }
    const description = isPlain ? undefined : one.description;
    if (description === undefined && agent.fields.description === undefined) {
      problems.add(path, `expected a description, here or in ${shownPath(other)}, got none`);
    }
    read.set(name, agent);
  }
  return read;
}

/** Two tools of one name, and policies of tools that are not there. */
function checkToolNames(
  { policies = {}, agents = {} }: AgentFile,
  tools: readonly StructuredToolInterface[],
  problems: Problems,
): void {
  const names = [...tools.map(({ name }) => name), ...Object.keys(agents)];
  for (const name of new Set(names.filter((each, at) => names.indexOf(each) < at))) {
    problems.add(["tools"], `two tools are named "${name}": names must differ`);
  }
  const known = [...names, "*", llmToolName];
  for (const name of Object.keys(policies)) {
    if (known.includes(name)) continue;
    problems.add(["policies", name], `there is no such tool.${nameHint(name, names)}`);
  }
}

function checkRules({ routes = {} }: AgentFile, problems: Problems): void {
  for (const [name, route] of Object.entries(routes)) {
    const when = typeof route === "string" ? undefined : route.when;
    if (when === undefined || isRule(when)) continue;
    problems.add(
      ["routes", name, "when"],
      `expected a regular expression, got ${JSON.stringify(when)}`,
    );
  }
}

function isRule(text: string): boolean {
  try {
    return new RegExp(text, "iu") instanceof RegExp;
  } catch {
    return false;
  }
}
