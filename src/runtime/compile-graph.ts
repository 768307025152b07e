import {
  type BaseChannel,
  type BaseCheckpointSaver,
  type BaseStore,
  type CompiledStateGraph,
  GraphInterrupt,
  type LangGraphRunnableConfig,
  RunControl,
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
import { Budget } from "../run/budget.js";
import { settableIn } from "../run/context-fields.js";
import { type ParentRun, parentRunOf, withParentRun } from "../run/scope.js";
import { openRunSignal } from "../run/signals.js";
import { noKeys, type OwnKeys } from "../state/own-state.js";
import type { GraphEffects } from "../tools/policy.js";
import { hasCheckpointer, withFrame } from "./enter-run.js";
import {
  abortableRun,
  allowManyListeners,
  ambientConfig,
  contextOf,
  hasListener,
  hideKeys,
  inherited,
  cancellableStream,
  type RunOfStream,
  showSchemas,
  withBoundContext,
  showSubgraphs,
  interruptAfterNodes,
  withNoDecisions,
} from "./langgraph.js";
import { checkCheckpointer, checkOptions } from "./options.js";
import { type ContextInput, type OwnContext, wholeContext } from "./own-context.js";
import {
  type ModelCache,
  resolveSettings,
  type RunSettings,
  type CheckedSetup,
  type RunSetup,
} from "./settings.js";
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
};

const compiledGraphs = new WeakMap<object, CompiledGraph>();

/** Our own limits end a run, never LangGraph's count of supersteps. */
const recursionLimit = 1_000_000;

/** Share of the seconds reserved for the final-answer call of early stopping "generate". */
const finalAnswerShare = 0.2;

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
  compiledGraphs.set(graph, { effects, handsOff, isKept: checkpointer !== false });
  return Object.assign(graph, {
    // All other entries (invoke, streamEvents, batch, a node, a tool) call `stream`.
    stream: async (entered: unknown, as?: LangGraphRunnableConfig): Promise<unknown> => {
      const called = withBoundContext(as, graph);
      const { isRoot, own, ...run } = openRun(called, entered, options, cache);
      const ends = [run.close];
      const close = () => {
        for (const end of ends) end();
      };
      try {
        if (isRoot) ends.push(await enterThread(graph, own, run.signal));
        const { input, config } = await boundResume(entered, run.config, graph);
        if (isRoot) await checkResume(graph, options.name, input, config.configurable);
        return cancellableStream(await stream(withNoDecisions(input), config), { ...run, close });
      } catch (error) {
        close();
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

/** A run that is ready to start. */
type OpenRun = RunOfStream & {
  readonly config: LangGraphRunnableConfig;
  /** No other run, of ours or of a host's graph, has called it. */
  readonly isRoot: boolean;
  /** The configurable fields without ours. */
  readonly own: Readonly<Record<string, unknown>>;
};

/** Opens a run: its signal, and its config with the run's frame and without LangGraph's own limits. */
function openRun(
  given: LangGraphRunnableConfig,
  input: unknown,
  { name, run, effects, checkpointer, ownKeys, hasHooks }: ReadyOptions,
  cache: ModelCache,
): OpenRun {
  const ambient = ambientConfig();
  const configurable = inherited(given, ambient);
  allowManyListeners(configurable);
  const parent = parentRunOf({ configurable });
  const { inTask, delegatesInterrupts } = placeOfRun(parent, configurable, hasHooks);
  const isForeign = parent === undefined && configurable["__pregel_read"] !== undefined;
  const asked = contextOf(given, ambient, isForeign);
  const context = wholeContext(run.contextSchema, asked, { ambient, given });
  const origin = { context: asked, isInherited: isInherited(given, parent), parent };
  const settings = resolveSettings(run, origin, cache);
  // LangGraph would keep a listener on the caller's own signal after the run has ended.
  const call = openRunSignal(given.signal ?? ambient.signal, Infinity);
  const budget = openBudget(settings, call.signal, parent?.budget);
  const frame = {
    graph: name,
    budget,
    settings,
    input,
    isHeard: hasListener(given, ambient),
    ownKeys,
    hasHost: isForeign,
    committed: new Set<string>(),
    delegatesInterrupts,
    ...fromParent(parent),
  };
  const finalAnswerOwner = settings.earlyStopping === "force" ? budget : frame.finalAnswerOwner;
  const config: LangGraphRunnableConfig = {
    ...given,
    ...interruptAfterNodes(given),
    ...defined({ context }),
    signal: call.signal,
    recursionLimit: Math.max(given.recursionLimit ?? 0, recursionLimit),
    ...(effects === "writes" ? { durability: "sync" } : {}),
    ...(checkpointer === false ? ownControl(configurable) : {}),
    configurable: withFrame(
      asParent(configurable, { budget, inTask, finalAnswerOwner, context, set: settings.set }),
      frame,
    ),
  };
  const close = () => [budget, call].forEach((each) => each.close());
  return { ...call, close, config, isRoot: parent === undefined && !isForeign, own: configurable };
}

/** Whether a run has the context of the run that calls it, not one of its own. */
function isInherited({ context }: LangGraphRunnableConfig, parent: ParentRun | undefined): boolean {
  return parent !== undefined && (context === undefined || context === parent.context);
}

/**
 * A graph without a checkpointer inside one that has one could not resume after a drain, so it gets its own control and
 * finishes.
 */
function ownControl(configurable: Record<string, unknown>): { readonly control?: RunControl } {
  return hasCheckpointer({ configurable }) ? { control: new RunControl() } : {};
}

/** What a run takes over from its parent. */
function fromParent(run: ParentRun | undefined) {
  const { finalAnswerOwner, call, of, chat } = run ?? {};
  return { finalAnswerOwner, known: call?.known, parent: of, parentChat: chat };
}

function openBudget(
  { limits, clock, earlyStopping }: RunSettings,
  signal: AbortSignal | undefined,
  parent: Budget | undefined,
): Budget {
  const reserve = earlyStopping === "generate" ? finalAnswerShare : 0;
  return new Budget({ limits, clock, signal, parent, reserve });
}

/** Makes every graph called from this run a sub-run of it. */
function asParent(
  configurable: Record<string, unknown>,
  parent: ParentRun,
): Record<string, unknown> {
  return withParentRun({ configurable }, parent).configurable;
}

/**
 * Thrown where a sub-run may not pause; the call is then made again where it may. It is an interrupt without a
 * question, because LangChain's agents catch every other error of a tool.
 */
class RunsAlone extends GraphInterrupt {
  override message =
    "This graph may pause, so its call is made again by itself: let this error pass.";
}

/** Whether a run may pause. */
type PlaceOfRun = {
  /** Inside a task, where nothing may pause. */
  readonly inTask: boolean;
  /** Its requests go to the call that it is the tool of. */
  readonly delegatesInterrupts: boolean;
};

/**
 * Decides whether a run may pause. It may not inside a call of a run with a checkpointer; there a run that is the tool
 * of the call delegates its requests, and any other throws LangGraph's control flow. So does one with hooks: where a hook
 * pauses, the sub-run would begin again and repeat what it did.
 */
function placeOfRun(
  parent: ParentRun | undefined,
  configurable: Record<string, unknown>,
  hasHooks = false,
): PlaceOfRun {
  const isKept = hasCheckpointer({ configurable });
  const inTask = isKept && parent?.inTask === true;
  const delegatesInterrupts = parent?.call !== undefined && (inTask || !isKept);
  if (inTask && (!delegatesInterrupts || hasHooks)) throw new RunsAlone();
  return { inTask, delegatesInterrupts };
}
