import {
  type BaseChannel,
  type BaseCheckpointSaver,
  type BaseStore,
  type CompiledStateGraph,
  type LangGraphRunnableConfig,
  type StateDefinition,
  type StateDefinitionInit,
  type StateType,
  type StreamTransformer,
  type ToStateDefinition,
  type UpdateType,
} from "@langchain/langgraph";
import type { z } from "zod";

import { defined, type Json } from "../json/json.js";
import type { ResponseFormat } from "../models/response-format.js";
import type { AgentEvent } from "../observe/events.js";
import { settableIn } from "../run/context-fields.js";
import { openRunSignal } from "../run/signals.js";
import { noKeys, type OwnKeys } from "../state/own-state.js";
import type { GraphEffects } from "../tools/policy.js";
import {
  abortableRun,
  hideKeys,
  cancellableStream,
  showSchemas,
  withBoundContext,
  showSubgraphs,
  withNoDecisions,
} from "./langgraph.js";
import { openRun } from "./open-run.js";
import { checkCheckpointer, checkOptions } from "./options.js";
import type { ContextInput, OwnContext } from "./own-context.js";
import type { CheckedSetup, ModelCache, RunSetup } from "./settings.js";
import { boundResume } from "./threads/bound-resume.js";
import { checkResume, enterThread } from "./threads/thread-of-run.js";

/** How a graph is compiled. */
export type CompileOptions = {
  /** The graph's name in LangGraph, in events and in errors. */
  readonly name: string;
  readonly checkpointer?: BaseCheckpointSaver | boolean | undefined;
  readonly store?: BaseStore | undefined;
  readonly run: RunSetup;
  /** The state keys that users added to it; default none. */
  readonly ownKeys?: OwnKeys;
  /** The graphs that run inside its nodes, by the node's name. */
  readonly subgraphs?: { readonly [node: string]: object };
  /** Its middleware has nodes, which may pause at any point; default false. */
  readonly hasHooks?: boolean;
  /** The effects of its tools; default none. A `write` must be committed before it runs. */
  readonly effects?: GraphEffects;
};

/** The part of a state graph that compiling needs. */
type Compilable<G> = {
  compile(options: {
    name: string;
    checkpointer?: BaseCheckpointSaver | boolean;
    store?: BaseStore;
  }): G;
};

/** The part of a compiled graph that wrapping needs. */
type Streamable = {
  // LangGraph types these by the graph's state; the wrapper passes everything on unread.
  stream: (input: never, options?: never) => Promise<unknown>;
  streamEvents: (input: never, config: never) => unknown;
  withConfig: (config: never) => unknown;
};

type EventsConfig = LangGraphRunnableConfig & { readonly version: "v1" | "v2" | "v3" };

/** The channels of a `stateSchema`; none where the options do not say which. */
type OwnSpec<State> = StateDefinitionInit extends State
  ? unknown
  : State extends StateDefinitionInit
    ? ToStateDefinition<State>
    : unknown;

/** The type of an answer in a `responseFormat`; any JSON where the options do not say which. */
type ResponseOf<Response> = ResponseFormat extends Response
  ? Json
  : Response extends z.ZodType
    ? z.output<Response>
    : Response extends { readonly _schemaType?: infer Value }
      ? Value
      : Json;

/** The channel of `structuredResponse`, by `responseFormat`. */
type ResponseSpec<Response> = {
  readonly structuredResponse: BaseChannel<ResponseOf<Response> | undefined>;
};

type SpecOf<Spec extends StateDefinition, State, Response> = Omit<Spec, "structuredResponse"> &
  ResponseSpec<Response> &
  OwnSpec<State>;

/** The schema of a run's context; any fields where the options do not say which. */
type ContextOf<Context> = OwnContext extends Context
  ? StateDefinition
  : Context extends OwnContext
    ? ContextInput<Context>
    : StateDefinition;

/** A compiled graph with the channels `Spec`, those of a `stateSchema`, a `responseFormat` and a `contextSchema`. */
export type GraphOf<
  Spec extends StateDefinition,
  State = unknown,
  Response = unknown,
  Context = unknown,
> = CompiledStateGraph<
  StateType<SpecOf<Spec, State, Response>>,
  UpdateType<SpecOf<Spec, State, Response>>,
  string,
  SpecOf<Spec, State, Response>,
  SpecOf<Spec, State, Response>,
  ContextOf<Context>,
  unknown,
  unknown,
  (event: AgentEvent) => void,
  readonly (() => StreamTransformer)[]
>;

/** What other graphs need to know about a compiled graph. */
type CompiledGraph = {
  /** The effects of its tools. */
  readonly effects: GraphEffects;
  /** Failed runs are handed off to a person, without a tool call. */
  readonly handsOff: boolean;
  /** It uses the checkpointer of a surrounding graph. */
  readonly isKept: boolean;
  /** The options that it was made with. */
  readonly options: object;
};

const compiledGraphs = new WeakMap<object, CompiledGraph>();

/**
 * Compiles a graph so that it behaves the same in every place: at top level, as a subgraph node, in a chain, in a tool.
 * Each entry opens the run's budget, raises LangGraph's recursion limit, and lets a caller interrupt after a node
 * without losing tasks.
 */
export function compileGraph<G extends Streamable>(
  graph: Compilable<G>,
  options: CompileOptions,
): G {
  const { name, checkpointer, store } = options;
  const run = {
    ...options.run,
    settable: options.run.settable ?? settableIn(options.run.contextFields),
  };
  checkOptions(run);
  checkCheckpointer(checkpointer);
  const keys = [...(options.ownKeys ?? noKeys).keys()];
  const hidden = keys.filter((key) => key.startsWith("_"));
  showSchemas(
    graph,
    keys.filter((key) => !hidden.includes(key)),
  );
  hideKeys(graph, hidden);
  showSubgraphs(graph, options.subgraphs);
  const compiled = graph.compile({
    name,
    ...defined({ checkpointer, store }),
  });
  return embeddable(compiled, { ...options, run }, new Map());
}

/** What is known about a graph that `compileGraph` returned; `undefined` for any other. */
export function compiledGraph(graph: object): CompiledGraph | undefined {
  return compiledGraphs.get(graph);
}

/** Options whose run options are checked. */
type ReadyOptions = CompileOptions & { readonly run: CheckedSetup };

function embeddable<G extends Streamable>(graph: G, options: ReadyOptions, cache: ModelCache): G {
  const stream: unknown = graph.stream.bind(graph);
  const streamEvents: unknown = graph.streamEvents.bind(graph);
  const withConfig: unknown = graph.withConfig.bind(graph);
  if (typeof stream !== "function" || typeof withConfig !== "function") return graph;
  if (typeof streamEvents !== "function") return graph;
  const { effects = "none", checkpointer, run: given } = options;
  const handsOff = (given.handOffOn ?? []).length > 0;
  compiledGraphs.set(graph, { effects, handsOff, isKept: checkpointer !== false, options: given });
  return Object.assign(graph, {
    // All other entries (invoke, streamEvents, batch, a node, a tool) call `stream`.
    stream: async (entered: unknown, as?: LangGraphRunnableConfig): Promise<unknown> => {
      const called = withBoundContext(as, graph);
      const { isRoot, own, ...run } = openRun(called, entered, options, cache);
      const ends = [run.close];
      const close = (error?: unknown) => {
        for (const end of ends) end(error);
      };
      try {
        if (isRoot) ends.push(await enterThread(graph, own, run.signal));
        const { input, config } = await boundResume(entered, run.config, graph);
        if (isRoot) await checkResume(graph, options.name, input, config.configurable);
        return cancellableStream(await stream(withNoDecisions(input), config), { ...run, close });
      } catch (error) {
        close(error);
        throw error;
      }
    },
    streamEvents: (input: unknown, config: EventsConfig, ...rest: unknown[]): unknown => {
      const call = openRunSignal(config.signal, Infinity);
      const events = streamEvents(input, { ...config, signal: call.signal }, ...rest);
      return config.version === "v3" ? abortableRun(events, call) : cancellableStream(events, call);
    },
    // LangGraph would check a host's own context by our schema too; we check ours where we read it.
    _validateContext: async (context: unknown): Promise<unknown> => context,
    // `withConfig` returns a new object with LangGraph's own `stream`.
    withConfig: (config: unknown): unknown => embeddable(withConfig(config), options, cache),
  });
}
