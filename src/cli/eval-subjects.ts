import type { StructuredToolInterface } from "@langchain/core/tools";

import type { Scorer, Scorers, Subject } from "../evaluation/index.js";
import { defined, isRecord } from "../json/json.js";
import { type Models, withOfflineDefault } from "../models/model.js";
import type { Prices } from "../models/usage.js";
import { hintAt, invalidOption, shown } from "../run/check-names.js";
import { clockFrom } from "../run/clock.js";
import type { EvalFlags } from "./eval-flags.js";
import { readLimits } from "./flags.js";
import { type Closable, graphs, type GraphEntry } from "./graphs.js";
import { plainName } from "../files/file-names.js";
import type { CliIo } from "./io.js";
import { loadExports, namedExports } from "../files/load-exports.js";
import { offlineNotice } from "./open-graph.js";
import { toolsFor } from "./tools.js";

/** The graphs that are evaluated unless flags name others. */
const usual = ["react", "rewoo", "plan-execute", "llm-compiler"];

/** What subjects need: the tools of MCP servers, and what is closed after the last run. */
type Around = {
  readonly ofServers: readonly StructuredToolInterface[];
  readonly closing: Set<Closable>;
};

/** The subjects that the flags name: every graph with every model, or those of modules. */
export async function subjectsFor(
  flags: EvalFlags & { readonly prices: Prices },
  io: CliIo,
  { ofServers, closing }: Around,
): Promise<Subject[]> {
  if (flags.subjects.length > 0) return loadSubjects(flags.subjects);
  const tools = await toolsFor(flags, io.environment, ofServers);
  const environment = withOfflineDefault(io.environment);
  const limits = readLimits(flags.limit);
  const entries = entriesOf(flags);
  const all = modelsOf(flags);
  const agents = agentSubjects(flags, all, { ...io, closing });
  const notice = entries.map(({ roles }) => offlineNotice(roles, all[0]?.models, environment));
  const [told] = notice.filter((text) => text !== undefined);
  if (told !== undefined) io.stderr.write(`${told}\n`);
  const day = dayOf(flags);
  const ofGraphs = entries.flatMap((entry) =>
    all.map(({ name, models }): Subject => ({
      name: [entry.name, ...(all.length > 1 ? [name] : [])].join(", "),
      ...day.asked,
      graph: async () =>
        entry.create({
          tools,
          models,
          limits,
          prices: flags.prices,
          handOffOn: [],
          environment,
          ...day.own,
          ...defined({ protocol: flags.protocol }),
        }),
    })),
  );
  return [...ofGraphs, ...agents];
}

/** The agents of files, each with its own models or with every model that the flags name. */
function agentSubjects(
  flags: EvalFlags & { readonly prices: Prices },
  all: readonly NamedModels[],
  { environment, closing }: Pick<CliIo, "environment"> & Pick<Around, "closing">,
): Subject[] {
  const { agent: files, prices } = flags;
  const day = dayOf(flags);
  const load = async (file: string, models: Models | undefined) => {
    const { loadAgent } = await import("../agents/index.js");
    const graph = await loadAgent(file, {
      environment,
      prices,
      ...day.own,
      ...defined({ models }),
    });
    closing.add(graph);
    return graph;
  };
  return files.flatMap((file) =>
    all.map(({ name, models }): Subject => {
      // Its MCP servers are started once, not for each case.
      let loaded: ReturnType<typeof load> | undefined;
      return {
        name: [plainName(file), ...(all.length > 1 ? [name] : [])].join(", "),
        ...day.asked,
        graph: async () => (loaded ??= load(file, models)),
      };
    }),
  );
}

/** The day of the prompts: the clock of a graph, and the part of a subject that tells runs of two days apart. */
function dayOf({ date }: EvalFlags) {
  if (date === undefined) return { own: {}, asked: {} };
  return { own: { clock: clockFrom(new Date(`${date}T12:00:00Z`)) }, asked: { version: date } };
}

function entriesOf({ graph: names, agent }: EvalFlags): readonly GraphEntry[] {
  const wanted = names.length + agent.length === 0 ? usual : names;
  return wanted.map((name) => {
    const entry = graphs.find((one) => one.name === name);
    if (entry !== undefined) return entry;
    const known = graphs.map((one) => one.name);
    throw invalidOption(
      `--graph ${name}: there is no such graph.${hintAt(name, known)} There is ${known.join(", ")}.`,
    );
  });
}

type NamedModels = { readonly name: string; readonly models: Models | undefined };

/** Each model, each pair of planner and executor, or what the environment names. */
function modelsOf({ model, planner, executor }: EvalFlags): readonly NamedModels[] {
  if (model.length > 0) return model.map((spec) => ({ name: spec, models: spec }));
  const planners: readonly (string | undefined)[] = planner.length > 0 ? planner : [undefined];
  const executors: readonly (string | undefined)[] = executor.length > 0 ? executor : [undefined];
  return planners.flatMap((plans) =>
    executors.map((executes): NamedModels => {
      const models = defined({ planner: plans, executor: executes });
      const parts = Object.entries(models).map(([role, spec]) => `${role} ${spec}`);
      return parts.length === 0
        ? { name: "", models: undefined }
        : { name: parts.join(", "), models };
    }),
  );
}

async function loadSubjects(files: readonly string[]): Promise<Subject[]> {
  return loadExports(files, {
    flag: "--subjects",
    thing: "subject",
    kind: "subjects",
    isThing: isSubject,
    invalid: invalidOption,
  });
}

/**
 * The scorers that the modules of `--subjects` export under this name. Throws `invalid_option` for an export that is
 * something else, and for two scorers of one name.
 */
export async function scorersFor({ subjects }: EvalFlags): Promise<Scorers> {
  const all = new Map<string, Scorer>();
  for (const file of subjects) {
    const where = `--subjects ${file}`;
    const { scorers } = await namedExports("--subjects", file);
    for (const [name, scorer] of scorersIn(scorers, where)) {
      const other = all.get(name);
      if (other !== undefined && other !== scorer) {
        throw invalidOption(`${where}: scorers.${name}: another module has a scorer of this name.`);
      }
      all.set(name, scorer);
    }
  }
  return Object.fromEntries(all);
}

function scorersIn(exported: unknown, where: string): (readonly [string, Scorer])[] {
  if (exported === undefined) return [];
  if (!isRecord(exported)) {
    throw invalidOption(
      `${where}: scorers: expected an object of functions, got ${shown(exported)}.`,
    );
  }
  return Object.entries(exported).map(([name, scorer]) => {
    if (isScorer(scorer)) return [name, scorer];
    throw invalidOption(
      `${where}: scorers.${name}: expected a function, or { score, atLeast, version }, got ${shown(scorer)}.`,
    );
  });
}

function isScorer(value: unknown): value is Scorer {
  return typeof value === "function" || (isRecord(value) && typeof value["score"] === "function");
}

function isSubject(value: unknown): value is Subject {
  return isRecord(value) && typeof value["name"] === "string" && "graph" in value;
}
