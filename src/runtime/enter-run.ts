import type { BaseCheckpointSaver, LangGraphRunnableConfig } from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { callModel } from "../models/call-model.js";
import type { ModelReply, ModelRequest } from "../models/model-request.js";
import type { ModelRole } from "../models/model.js";
import {
  type OutputSchema,
  type StructuredReply,
  structuredReply,
} from "../models/structured-output.js";
import { createEmitter } from "../observe/emit.js";
import type { ParentCall } from "../observe/events.js";
import type { RunWatch } from "../observe/watch.js";
import { dateLine } from "../prompts/date-line.js";
import { type AnswerChat, openAnswerChat } from "../run/answer-chat.js";
import type { Budget } from "../run/budget.js";
import type { RunMemory } from "../run/memory.js";
import type { GivenTask, RunScope } from "../run/scope.js";
import type { Conversation } from "../state/conversation.js";
import type { OwnKeys } from "../state/own-state.js";
import type { RunRecord } from "../state/pending.js";
import { narrowed, type Toolbox } from "../tools/toolbox.js";
import { lastQuestion } from "./messages.js";
import { runStarted } from "./run-started.js";
import type { RunSettings } from "./settings.js";

/** What a run keeps in memory while its graph streams; `compileGraph` opens it, nodes find it in their config. */
export type RunFrame = {
  /** The graph's name. */
  readonly graph: string;
  readonly budget: Budget;
  readonly settings: RunSettings;
  /** Whether LangGraph's custom stream, which carries events, has a reader. */
  readonly isHeard: boolean;
  /** Who sees the run besides. */
  readonly watch: RunWatch;
  /** The state keys that users added to the graph. */
  readonly ownKeys: OwnKeys | undefined;
  /** The run is a node of a graph that is not of plangraph. */
  readonly hasHost: boolean;
  /** Writes that this stream has committed; a new stream after a crash knows of none. */
  readonly committed: Set<string>;
  /** Its requests go to the call that it is the tool of; it never pauses by itself. */
  readonly delegatesInterrupts: boolean;
  /** The parent run that gives the final answer at its limits, or wants none. */
  readonly finalAnswerOwner: Budget | undefined;
  /** What the graph was called with. */
  readonly input: unknown;
  /** Texts that ground arguments, from the calling run; its model wrote this run's question. */
  readonly known: (() => readonly string[]) | undefined;
  /** The call that the run works for, if any. */
  readonly parent: ParentCall | undefined;
  /** The answer of the calling run must pass a check: nothing reaches chat. */
  readonly holdsChat: boolean;
  /** The chat of the calling run, if its answer is this run's. */
  readonly parentChat: AnswerChat | undefined;
  /** The task of the calling run's plan that the run carries out; none: it answers the last question. */
  readonly task: GivenTask | undefined;
  /** What the application knows about the person and the case. */
  readonly memory: RunMemory;
  /** The untrusted tool whose text the calling run had read. */
  readonly untrusted: string | undefined;
};

const frameKey = "__plangraph_run";
const frames = new WeakSet<object>();

/** A config in which the graph's nodes find their frame. */
export function withFrame(configurable: Record<string, unknown>, frame: RunFrame) {
  frames.add(frame);
  return { ...configurable, [frameKey]: frame };
}

/** The frame of the running graph. Throws `not_a_plangraph` in a graph that `compileGraph` did not compile. */
export function frameOf(config: Pick<LangGraphRunnableConfig, "configurable">): RunFrame {
  const frame: unknown = config.configurable?.[frameKey];
  if (isFrame(frame)) return frame;
  throw new PlangraphError(
    "not_a_plangraph",
    "A node of plangraph runs in a graph that was compiled by itself. Compile it with compileGraph(…).",
  );
}

function isFrame(value: unknown): value is RunFrame {
  return isRecord(value) && frames.has(value);
}

/** Whether results are recorded: LangGraph passes a checkpointer to every node under this key. */
export function hasCheckpointer(config: Pick<LangGraphRunnableConfig, "configurable">): boolean {
  return config.configurable?.["__pregel_checkpointer"] !== undefined;
}

/** The part of a checkpointer that is used. */
export type Saver = Pick<BaseCheckpointSaver, "getTuple" | "list">;

/** The checkpointer of the running graph. The dev server's has a class of its own. */
export function checkpointerOf({
  configurable = {},
}: Pick<LangGraphRunnableConfig, "configurable">): Saver | undefined {
  const saver: unknown = configurable["__pregel_checkpointer"];
  return isSaver(saver) ? saver : undefined;
}

function isSaver(value: unknown): value is Saver {
  return ["getTuple", "list"].every((name) => isRecord(value) && typeof value[name] === "function");
}

/** The id of the message with a run's answer. */
export function answerId(runId: string): string {
  return `answer:${runId}`;
}

/** A run as nodes see it. */
export type Run = RunScope &
  RunFrame & {
    /** The state that the node received. */
    readonly state: Readonly<Record<string, unknown>>;
    /** Whether the run may pause by itself. */
    readonly mayPause: boolean;
    /** When each open request was first asked, by request id. */
    readonly asked: Map<string, number>;
    /** The run's record with its working time up to now; every node writes it. */
    readonly record: () => RunRecord;
    /** The config that the node received. */
    readonly config: LangGraphRunnableConfig;
    /** The tools that the run may use. */
    readonly allowed: (toolbox: Toolbox) => Toolbox;
    /** Whether the run may use a tool with this name. */
    readonly mayUse: (tool: string) => boolean;
    /** The answer must pass a check or a person before anybody reads it. */
    readonly holdsAnswer: boolean;
    /** Today's date in the run's time zone, as a line for prompts. */
    readonly dateLine: () => string;
    /** A request to a role's models under the run's settings. Throws where a model cannot be opened. */
    readonly request: (role: ModelRole, asked: Asked) => Promise<ModelRequest>;
    /** Opens the chat of the run's answer, if anybody listens to it. */
    readonly openChat: (mayBe?: (beginning: string) => boolean) => AnswerChat | undefined;
    /** Asks a role's models. */
    readonly ask: (role: ModelRole, asked: Asked) => Promise<ModelReply>;
    /** Asks a role's models for a value. */
    readonly askFor: AskFor;
  };

/** The part of a request that a node sets. */
type Asked = Pick<ModelRequest, "messages"> & Partial<ModelRequest>;

type AskFor = <T>(
  role: ModelRole,
  wanted: {
    readonly output: OutputSchema<T>;
    /** What the model should write, in one sentence. */
    readonly task: string;
    /** How often a reply that does not fit is sent back; default 2. */
    readonly mayRepair?: number;
  },
  asked: Asked,
) => Promise<StructuredReply<T>>;

/** The part of the state that says where a run is. */
type RunState = Pick<Conversation, "run" | "usage" | "messages"> &
  Readonly<Record<string, unknown>>;

/** Finds the run of a node, and seeds its budget from the state. */
export function enterRun(state: RunState, config: LangGraphRunnableConfig, node: string): Run {
  const frame = frameOf(config);
  const { graph, budget, settings } = frame;
  const { clock, timeZone, locale, holdsAnswer = false } = settings;
  const begun: RunRecord = state.run ?? { id: "", startedAt: clock.now(), activeMs: 0, graph };
  const { id } = begun;
  budget.seed(id, state.usage, begun.activeMs);
  budget.follow(config.signal);
  frame.memory.seed(id, begun);
  frame.memory.hear({ question: () => lastQuestion(state.messages) });
  const emit = createEmitter({
    write: frame.isHeard ? config.writer : undefined,
    watch: frame.watch,
    runId: id,
    parent: frame.parent,
    node,
    now: clock.now,
  });
  // A stream that does not begin at the intake continues a run.
  const isResumed = frame.watch.begin(id) && node !== "intake";
  if (isResumed) emit(runStarted(frame, state.messages, config, true));
  const isSilent = holdsAnswer || frame.holdsChat;
  const held = isSilent ? { streamToUser: false } : {};
  const waiting = new Map(Object.entries(begun.asked ?? {}));
  const run: Run = {
    ...frame,
    runId: id,
    clock,
    timeZone,
    locale,
    emit,
    memory: frame.memory.at({ signal: () => budget.signal(), clock, emit, store: config.store }),
    state,
    asked: waiting,
    record: () => recordNow(begun, frame, waiting),
    mayPause: hasCheckpointer(config) && !frame.delegatesInterrupts,
    config,
    allowed: (toolbox) => narrowed(toolbox, settings.set.tools),
    mayUse: (tool) => settings.set.tools?.includes(tool) ?? true,
    dateLine: () => dateLine(clock.now(), timeZone),
    holdsAnswer,
    request: async (role, asked) => ({ ...(await requestOf(run, role)), ...asked, ...held }),
    openChat: (mayBe) =>
      isSilent ? undefined : (frame.parentChat ?? openAnswerChat(config, answerId(id), mayBe)),
    ask: async (role, asked) => callModel(await run.request(role, asked)),
    askFor: async (role, { output, task, mayRepair }, asked) =>
      structuredReply(await run.request(role, asked), output, task, mayRepair),
  };
  return run;
}

/** A run's record with what has changed since the node entered it. */
function recordNow(
  { id, startedAt }: RunRecord,
  { budget, graph, memory }: RunFrame,
  asked: ReadonlyMap<string, number>,
): RunRecord {
  const open = asked.size === 0 ? {} : { asked: Object.fromEntries(asked) };
  return { id, startedAt, activeMs: budget.activeMs(), graph, ...open, ...memory.record() };
}

/** The part of a model request that follows from the run's settings. */
async function requestOf(run: Run, role: ModelRole): Promise<Omit<ModelRequest, "messages">> {
  const {
    models,
    prices,
    contextTokens,
    modelIdleMs,
    protocol,
    wrapModelCall,
    systemPrompt,
    handOffOn,
  } = run.settings;
  return {
    role,
    models: await models(role),
    protocol,
    wrap: wrapModelCall,
    systemPrompt,
    state: run.state,
    run,
    config: run.config,
    prices,
    contextTokens,
    idleMs: modelIdleMs,
    resultsMustBeRead: handOffOn.includes("unsupported_input"),
  };
}
