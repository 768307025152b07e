import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { checkNames, invalidOption, type NamesOf, shown } from "../run/check-names.js";
import { compiledGraph } from "../runtime/compile-graph.js";
import { marksOf } from "../tools/policy.js";
import { fingerprintOf } from "./fingerprint.js";

/** The part of a graph that an evaluation uses. */
export type EvaluatedGraph = {
  // LangGraph types these by the graph's state.
  readonly stream: (input: never, config: never) => Promise<unknown>;
};

/** What is evaluated: a graph with its models and options, under a name. */
export type Subject = {
  readonly name: string;
  /** A graph of plangraph, or a function that makes one anew for each case. */
  readonly graph: EvaluatedGraph | (() => EvaluatedGraph | Promise<EvaluatedGraph>);
  /** What the options of the graph do not show, such as the version of a model's server: other results need another run. */
  readonly version?: string;
};

/** A subject that can run. */
export type ReadySubject = {
  readonly name: string;
  readonly fingerprint: string;
  /** Whether its tools may write. */
  readonly writes: boolean;
  /** The names of its tools; undefined where they are not known. */
  readonly tools: readonly string[] | undefined;
  readonly open: () => Promise<RunnableGraph>;
};

/** A graph as a case runs it. */
export type RunnableGraph = {
  readonly stream: (
    input: unknown,
    config: LangGraphRunnableConfig & { readonly streamMode: readonly string[] },
  ) => Promise<AsyncIterable<unknown>>;
  /** It keeps threads itself. */
  readonly isKept: boolean;
};

const names: NamesOf<Subject> = { name: true, graph: true, version: true };

/** Checks the subjects. Throws `invalid_option` for one that cannot run, and for two of one name. */
export async function readySubjects(subjects: readonly Subject[]): Promise<ReadySubject[]> {
  if (!Array.isArray(subjects) || subjects.length === 0) {
    throw invalidOption(
      `evaluate: subjects: expected at least one { name, graph }, got ${shown(subjects)}.`,
    );
  }
  const ready: ReadySubject[] = [];
  for (const subject of subjects) ready.push(await readySubject(subject));
  const all = ready.map(({ name }) => name);
  const double = all.find((name, at) => all.indexOf(name) < at);
  if (double !== undefined) {
    throw invalidOption(`evaluate: two subjects are named "${double}"; names must differ.`);
  }
  return ready;
}

async function readySubject(subject: Subject): Promise<ReadySubject> {
  checkNames("evaluate: subject", subject, names);
  const { name, graph, version = "" } = subject;
  if (typeof name !== "string" || name.trim() === "") {
    throw invalidOption(`evaluate: subjects: name: expected a text, got ${shown(name)}.`);
  }
  const make = async () => (typeof graph === "function" ? graph() : graph);
  const first = await make();
  const known = compiledGraph(first);
  if (known === undefined) {
    throw new PlangraphError(
      "not_a_plangraph",
      `evaluate: ${name}: expected a graph of plangraph, such as createReactGraph(…) gives, got ${shown(first)}. Another graph can be evaluated as the only route of createRouterGraph(…).`,
    );
  }
  return {
    name,
    fingerprint: `${fingerprintOf(first)}${version}`,
    writes: known.effects === "writes",
    tools: toolNamesIn(known.options),
    open: async () => runnable(await make()),
  };
}

/** The tools that the options name; those of graphs inside are not known. */
function toolNamesIn(options: object): readonly string[] | undefined {
  const tools: unknown = Reflect.get(options, "tools");
  if (!Array.isArray(tools) || tools.some(isGraphTool)) return undefined;
  return tools.map((tool: unknown) => String(Reflect.get(Object(tool), "name")));
}

/** Whether a tool is a graph, which has tools of its own. */
function isGraphTool(tool: unknown): boolean {
  return marksOf(Object(tool)).role === "sub_run";
}

function runnable(graph: EvaluatedGraph): RunnableGraph {
  const checkpointer: unknown = Reflect.get(graph, "checkpointer");
  return {
    stream: async (input, config) => {
      const chunks: unknown = await Reflect.apply(graph.stream, graph, [input, config]);
      return readable(chunks);
    },
    isKept: typeof checkpointer === "object" && checkpointer !== null,
  };
}

function readable(chunks: unknown): AsyncIterable<unknown> {
  if (isIterable(chunks)) return chunks;
  throw new TypeError("The graph's stream cannot be read.");
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
