import {
  type BaseCheckpointSaver,
  type BaseStore,
  END,
  START,
  StateGraph,
} from "@langchain/langgraph";

import { createIntake } from "../nodes/intake.js";
import { createLoader, createVersionedAgent } from "../nodes/loader.js";
import { createRouteFinalizer } from "../nodes/route.js";
import { checkNames, invalidOption, type NamesOf, shown } from "../run/check-names.js";
import { settableIn } from "../run/context-fields.js";
import { unlimited } from "../run/limits.js";
import { questionOf } from "./workflow/input.js";
import { compileGraph, type GraphOf } from "../runtime/compile-graph.js";
import { contextSchema, runOptionNames, type RunOptions } from "../runtime/options.js";
import type { OwnContext } from "../runtime/own-context.js";
import { type Definitions, Versions } from "../runtime/versions.js";
import { noRoute, type Versioned, VersionedState } from "../state/routing.js";

/** Options of a reloading graph; `read` and `create` are required. Its `limits` are by default those of the graph that it makes. */
export type ReloadingOptions<
  Definition = unknown,
  Context extends OwnContext = OwnContext,
> = RunOptions<Context> &
  Definitions<Definition> & {
    /** The graph's name in LangGraph, in events and in the store; default "reloading". */
    readonly name?: string;
    /** Stores runs, so that they can pause and survive a crash. Default: the checkpointer of a surrounding graph. */
    readonly checkpointer?: BaseCheckpointSaver | boolean;
    /** Keeps the definitions of unfinished runs, for a program that is started again. Default: the store of a surrounding graph. */
    readonly store?: BaseStore;
  };

const optionNames: NamesOf<ReloadingOptions> = {
  ...runOptionNames,
  read: true,
  create: true,
  release: true,
  name: true,
  checkpointer: true,
  store: true,
};

/** A compiled reloading graph. */
export type ReloadingGraph<Context = unknown> = GraphOf<
  (typeof VersionedState)["spec"],
  unknown,
  unknown,
  Context
>;

/** A new run has no version yet. */
const reset = { ...noRoute, version: undefined, input: undefined };

function canResume({ version, routing }: Partial<Versioned>): boolean {
  return version !== undefined && routing?.waiting !== undefined;
}

function afterIntake({ routing }: Versioned) {
  return routing.waiting === undefined ? "loader" : "agent";
}

/**
 * A graph whose definitions may change while the program runs: files of services, agents, or whatever `create` makes a
 * graph of. A new run takes the newest definitions. A run that is at work, waits for people or was interrupted keeps
 * those that it began with, also in another process if there is a `store`. While the newest ones cannot be used, new
 * runs take the last that could: a warning and the event `reload_failed` say so.
 *
 *     START → intake → loader → agent → finalizer → END
 *
 * Takes `{ messages }`, or `{ input }` for a workflow, and returns `{ messages, answer, outcome, usage, observations, steps, version }`. Throws a
 * `PlangraphError` immediately for options that cannot work.
 */
export function createReloadingGraph<Definition, Context extends OwnContext = OwnContext>(
  options: ReloadingOptions<Definition, Context>,
): ReloadingGraph<Context>;
export function createReloadingGraph(options: ReloadingOptions): ReloadingGraph {
  const { read, create, release, name = "reloading", checkpointer, store, ...given } = options;
  checkOptions(options);
  const settable = settableIn(options.contextFields);
  const versions = new Versions(name, { read, create, release });
  const graph = new StateGraph(
    VersionedState,
    contextSchema(undefined, options.contextSchema, settable),
  )
    .addNode({
      intake: createIntake({ roles: [], reset, canResume, question: questionOf }),
      loader: createLoader(versions),
      agent: createVersionedAgent(versions),
      finalizer: createRouteFinalizer(),
    })
    .addEdge(START, "intake")
    .addConditionalEdges("intake", afterIntake, ["loader", "agent"])
    .addEdge("loader", "agent")
    .addEdge("agent", "finalizer")
    .addEdge("finalizer", END);
  return compileGraph(graph, {
    name,
    checkpointer,
    store,
    run: { handOffOn: [], ...given, limits: { ...unlimited, ...given.limits }, settable },
    // What the next version does is not known.
    effects: "writes",
  });
}

function none(): void {
  // Nothing is held open.
}

function checkOptions(options: ReloadingOptions): void {
  checkNames("createReloadingGraph", options, optionNames);
  const {
    read,
    create,
    release = none,
  }: { readonly [Name in "read" | "create" | "release"]?: unknown } = options;
  for (const [field, value] of Object.entries({ read, create, release })) {
    if (typeof value === "function") continue;
    throw invalidOption(
      `createReloadingGraph: ${field}: expected a function, got ${shown(value)}.`,
    );
  }
}
