import {
  type BaseCheckpointSaver,
  GraphInterrupt,
  isGraphDrained,
  isGraphInterrupt,
  type LangGraphRunnableConfig,
  RunControl,
} from "@langchain/langgraph";

import { defined } from "../json/json.js";
import { errorLine } from "../observe/redact.js";
import { observersIn } from "../observe/run-observers.js";
import { RunWatch, type Stop } from "../observe/watch.js";
import { Budget } from "../run/budget.js";
import { memorySources, openMemory, type RunMemory } from "../run/memory.js";
import { type ParentRun, parentRunOf, withoutMarks, withParentRun } from "../run/scope.js";
import { openRunSignal, type RunSignal } from "../run/signals.js";
import type { OwnKeys } from "../state/own-state.js";
import type { GraphEffects } from "../tools/policy.js";
import { hasCheckpointer, type RunFrame, withFrame } from "./enter-run.js";
import {
  allowManyListeners,
  ambientConfig,
  contextOf,
  hasListener,
  inherited,
  interruptAfterNodes,
  type RunOfStream,
} from "./langgraph.js";
import { wholeContext } from "./own-context.js";
import {
  type CheckedSetup,
  type ModelCache,
  resolveSettings,
  type RunSettings,
} from "./settings.js";

/** Our own limits end a run, never LangGraph's count of supersteps. */
const recursionLimit = 1_000_000;

/** Share of the seconds reserved for the final-answer call of early stopping "generate". */
const finalAnswerShare = 0.2;

/** A run that is ready to start. */
export type OpenRun = RunOfStream & {
  readonly config: LangGraphRunnableConfig;
  /** No other run, of ours or of a host's graph, has called it. */
  readonly isRoot: boolean;
  /** The configurable fields without ours. */
  readonly own: Readonly<Record<string, unknown>>;
};

/** The part of a graph's options that a run needs. */
export type RunOfGraph = {
  readonly name: string;
  readonly checkpointer?: BaseCheckpointSaver | boolean | undefined;
  readonly run: CheckedSetup;
  readonly ownKeys?: OwnKeys;
  readonly hasHooks?: boolean;
  readonly effects?: GraphEffects;
};

/** Opens a run: its signal, and its config with the run's frame and without LangGraph's own limits. */
export function openRun(
  given: LangGraphRunnableConfig,
  input: unknown,
  graph: RunOfGraph,
  cache: ModelCache,
): OpenRun {
  const ambient = ambientConfig();
  const configurable = inherited(given, ambient);
  allowManyListeners(configurable);
  const parent = parentRunOf({ configurable });
  const place = placeOfRun(parent, configurable, graph.hasHooks);
  const isForeign = parent === undefined && configurable["__pregel_read"] !== undefined;
  const asked = contextOf(given, ambient, isForeign);
  const context = wholeContext(graph.run.contextSchema, asked, { ambient, given });
  const origin = { context: asked, isInherited: isInherited(given, parent), parent };
  const settings = resolveSettings(graph.run, origin, cache);
  // LangGraph would keep a listener on the caller's own signal after the run has ended.
  const call = openRunSignal(given.signal ?? ambient.signal, Infinity);
  const frame = frameFor({ settings, parent, call, graph, context, configurable }, input, {
    isHeard: hasListener(given, ambient),
    hasHost: isForeign,
    delegatesInterrupts: place.delegatesInterrupts,
  });
  const { budget, watch } = frame;
  const scope = { ...scopeOf(frame), inTask: place.inTask, context };
  const config: LangGraphRunnableConfig = {
    ...given,
    ...interruptAfterNodes(given),
    ...defined({ context }),
    signal: call.signal,
    recursionLimit: Math.max(given.recursionLimit ?? 0, recursionLimit),
    ...(graph.effects === "writes" ? { durability: "sync" } : {}),
    ...(graph.checkpointer === false ? ownControl(configurable) : {}),
    configurable: withFrame(asParent(configurable, scope), frame),
  };
  const close = (error?: unknown) => {
    watch.stop(stopOf(error, call.signal));
    for (const each of [budget, call]) each.close();
  };
  return { ...call, close, config, isRoot: parent === undefined && !isForeign, own: configurable };
}

/** What a run passes to the graphs that its nodes call. */
function scopeOf(frame: RunFrame): Omit<ParentRun, "inTask"> {
  const { settings, budget, watch, memory, finalAnswerOwner, holdsChat, untrusted } = frame;
  const isLast = settings.earlyStopping === "force" || settings.handOffOn.includes("limit");
  return {
    budget,
    finalAnswerOwner: isLast ? budget : finalAnswerOwner,
    watch,
    set: settings.set,
    holdsChat,
    memory,
    untrusted,
  };
}

/** What a run is opened from. */
type Opening = {
  readonly settings: RunSettings;
  readonly parent: ParentRun | undefined;
  readonly call: RunSignal;
  readonly graph: RunOfGraph;
  readonly context: object | undefined;
  readonly configurable: Record<string, unknown>;
};

/** What a run keeps in memory while its graph streams. */
function frameFor(
  opening: Opening,
  input: unknown,
  place: Pick<RunFrame, "isHeard" | "hasHost" | "delegatesInterrupts">,
): RunFrame {
  const { settings, parent, call, graph, configurable } = opening;
  const { events: level, redact } = settings;
  const observers = [...settings.observers, ...observersIn(configurable)];
  return {
    graph: graph.name,
    budget: openBudget(settings, call.signal, parent?.budget),
    settings,
    input,
    watch: new RunWatch({ observers, level, redact, outer: parent?.watch }),
    ownKeys: graph.ownKeys,
    committed: new Set(),
    memory: memoryFor(opening),
    ...place,
    ...fromParent(parent),
  };
}

/** The memory of a run: its graph's providers, and those of the calling run under other names. */
function memoryFor({ settings, parent, context, configurable }: Opening): RunMemory {
  const { memory, memoryTimeoutMs: timeoutMs } = settings;
  if (memory === undefined || memory === null) return openMemory([], parent?.memory);
  const bound = { context, configurable: withoutMarks(configurable), timeoutMs };
  return openMemory(memorySources(memory, bound), parent?.memory);
}

/** How a stream ended, for a run that did not end in it. */
function stopOf(error: unknown, { aborted }: AbortSignal): Stop {
  if (error === undefined || isGraphInterrupt(error)) return { reason: "paused" };
  if (isGraphDrained(error)) return { reason: "drained" };
  return { reason: aborted ? "cancelled" : "error", error: errorLine(error) };
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
  const { finalAnswerOwner, call, watch, chat, task, holdsChat = false, untrusted } = run ?? {};
  const runId = watch?.runId;
  const parent = run?.of ?? (runId === undefined ? undefined : { runId });
  const given = { parentChat: chat, task, holdsChat, untrusted };
  return { finalAnswerOwner, known: call?.known, parent, ...given };
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
