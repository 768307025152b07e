import { isRecord } from "../json/json.js";
import type { Emit } from "../observe/emit.js";
import type { ParentCall } from "../observe/events.js";
import type { RunWatch } from "../observe/watch.js";
import type { Observation, RunOfCall } from "../state/observation.js";
import type { OwnKeys } from "../state/own-state.js";
import type { Continuation, SubRun, SubRunState } from "../state/pending.js";
import type { AnswerChat } from "./answer-chat.js";
import { Budget } from "./budget.js";
import type { Clock } from "./clock.js";
import type { ContextSettings } from "./context-fields.js";
import type { RunMemory } from "./memory.js";

/** What everything in a run needs: its identity, budget, time and event stream. */
export type RunScope = {
  readonly runId: string;
  readonly budget: Budget;
  readonly clock: Clock;
  /** IANA zone of "today"; default: the machine's. */
  readonly timeZone?: string | undefined;
  /** BCP 47 tag of how dates are written. */
  readonly locale?: string | undefined;
  readonly emit: Emit;
  /** Who sees the run besides the stream of its events; absent: nobody. */
  readonly watch?: RunWatch | undefined;
  /** The state keys that users added to the graph. */
  readonly ownKeys?: OwnKeys | undefined;
  /** The run is a node of a graph that is not of plangraph. */
  readonly hasHost?: boolean;
  /** What the application knows; absent: nothing. */
  readonly memory?: RunMemory | undefined;
  /** The untrusted tool whose text the calling run had read when it asked for this run; absent: none. */
  readonly untrusted?: string | undefined;
};

/** The time of a run. */
export type RunTime = Pick<RunScope, "clock" | "timeZone" | "locale">;

/** What a run passes to the graphs it calls: where they record usage, and whether they may pause. */
export type ParentRun = {
  readonly budget: Budget;
  /** The call runs inside a task of a run with a checkpointer, where nothing may pause. */
  readonly inTask: boolean;
  /** The run that gives the final answer at its limits, or wants none: its sub-runs do not ask a model for their own. */
  readonly finalAnswerOwner?: Budget | undefined;
  /** The time of the calling run, for its tools. */
  readonly time?: RunTime;
  /** The call that the graph runs for; absent where a node calls it. */
  readonly of?: ParentCall;
  /** The chat of the calling run, if its answer is what the graph answers. */
  readonly chat?: AnswerChat | undefined;
  /** The task that the graph carries out; absent: it answers the last question of its messages. */
  readonly task?: GivenTask | undefined;
  /** The answer of the calling run must pass a check: nothing of what the graph says reaches chat. */
  readonly holdsChat?: boolean;
  /** For a graph that is the tool of a call, and for a tool that asks people: the call asks for it. */
  readonly call?: CallOfRun;
  /** Who sees the calling run: it sees what happens inside it, too. */
  readonly watch?: RunWatch | undefined;
  /** Emits events of the calling run, for a tool that tells how it works. */
  readonly emit?: Emit;
  /** The context of the calling run. */
  readonly context?: unknown;
  /** What that context sets, for a graph that works for the run; absent for a graph that is a tool. */
  readonly set?: ContextSettings | undefined;
  /** The files of the calling run's results, for its tools. */
  readonly files?: () => readonly NamedFile[];
  /** The memory of the calling run, whose providers its graphs inherit. */
  readonly memory?: RunMemory | undefined;
  /** The untrusted tool whose text may have asked for what its graphs do; absent: none. */
  readonly untrusted?: string | undefined;
};

/** A task of a plan. */
export type GivenTask = {
  /** What it asks for, without the results that its messages tell. */
  readonly question: string;
  /** Whether that names all that it is about, and not "the head of the firm". */
  readonly namesAll: boolean;
  /** The calls of the tasks before it. */
  readonly calls: readonly Observation[];
};

/** A call and its sub-run. */
type CallOfRun = {
  /** What the sub-run resumes from; `undefined` for a new one. */
  readonly continues: Continuation | undefined;
  /** Texts of the user and of trusted tools, when a model makes the call: its question for the sub-run is neither. */
  readonly known?: () => readonly string[];
  /** Reports how the sub-run ended; the model reads the tool's result. */
  readonly report: (end: SubRunEnd) => void;
};

/** How a sub-run ended, as the calling run needs it. */
export type SubRunEnd =
  | {
      readonly kind: "waits";
      readonly state: SubRunState;
      readonly requests: SubRun["requests"];
    }
  | {
      readonly kind: "ended";
      readonly run: RunOfCall;
      /** Why the calling run is handed off with it; absent where it continues. */
      readonly handsOff?: string;
    };

/** A file of a result: its name in the run, its type, and its data in base64. */
export type NamedFile = {
  readonly name: string;
  readonly mimeType: string;
  readonly data: string;
};

const parentKey = "__plangraph_parent";

/** The part of a LangChain config that is passed down to all calls. */
type Configured = { readonly configurable?: Record<string, unknown> };

/** A copy of `config` that makes graphs called with it sub-runs of `parent`. */
export function withParentRun<C extends Configured>(config: C, parent: ParentRun): C {
  return {
    ...config,
    configurable: { ...config.configurable, [parentKey]: parent },
  };
}

/** The calling run, if any. */
export function parentRunOf(config: Configured | undefined): ParentRun | undefined {
  const parent: unknown = config?.configurable?.[parentKey];
  return isParentRun(parent) ? parent : undefined;
}

/** The configurable fields without those of LangGraph and ours. */
export function withoutMarks(
  configurable: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(configurable).filter(([name]) => !name.startsWith("__")),
  );
}

function isParentRun(value: unknown): value is ParentRun {
  return isRecord(value) && value["budget"] instanceof Budget;
}

/** The run as hooks of LangChain's middleware see it. */
export type HookRuntime = {
  readonly context?: unknown;
  readonly configurable?: Record<string, unknown>;
  readonly store?: unknown;
  readonly writer?: unknown;
  readonly signal?: AbortSignal;
  readonly interrupt?: unknown;
};
