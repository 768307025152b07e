import { isRecord } from "../json/json.js";
import type { Emit } from "../observe/emit.js";
import type { ParentCall } from "../observe/events.js";
import type { SubRun, SubRunState } from "../state/conversation.js";
import type { RunOfCall } from "../state/observation.js";
import type { Decision } from "../state/person.js";
import type { Clock } from "./clock.js";
import { Budget } from "./budget.js";

/** What everything that works for a run is handed: its identity, its budget, its time and its event stream. */
export type RunScope = {
  readonly runId: string;
  readonly budget: Budget;
  readonly clock: Clock;
  /** IANA zone of "today"; default: the machine's. */
  readonly timeZone?: string | undefined;
  /** BCP 47 tag of how dates are written. */
  readonly locale?: string | undefined;
  readonly emit: Emit;
};

/** The time as a run tells it. */
export type RunTime = Pick<RunScope, "clock" | "timeZone" | "locale">;

/** What a run hands to a graph that works for it: where usage is booked, and whether the call may pause. */
export type ParentRun = {
  readonly budget: Budget;
  /** The call runs inside a task of a run with a checkpointer, where nothing may pause. */
  readonly inTask: boolean;
  /** The run that has the last words at its limits, or wants none: no run within it asks a model for its own. */
  readonly finalAnswerOwner?: Budget | undefined;
  /** The time as the calling run tells it: its tools know no other. */
  readonly time?: RunTime;
  /** The call that the graph works for; absent where a node calls it. */
  readonly of?: ParentCall;
  /** For a graph that is the tool of a call: the call brings out what its run asks. */
  readonly call?: CallOfRun;
};

/** A call and the sub-run that it consists of. */
type CallOfRun = {
  /** What the sub-run goes on with; nothing when it begins. */
  readonly continues: Continuation | undefined;
  /** What the user wrote and trusted tools returned where a model makes the call: what it asks of the sub-run is neither. */
  readonly known?: () => readonly string[];
  /** Leaves how the sub-run ended with the call; the tool's result is what the model reads of it. */
  readonly report: (end: SubRunEnd) => void;
};

/** A sub-run that waits, and what people answered it. */
export type Continuation = {
  readonly subRun: SubRun;
  readonly decisions: readonly Decision[];
};

/** How a sub-run ended, as far as the calling run has to know. */
export type SubRunEnd =
  | {
      readonly kind: "waits";
      readonly state: SubRunState;
      readonly requests: SubRun["requests"];
    }
  | {
      readonly kind: "ended";
      readonly run: RunOfCall;
      /** Why the calling run ends with it, handed off; nothing where it goes on. */
      readonly handsOff?: string;
    };

const parentKey = "__plangraph_parent";

/** The part of a LangChain config that travels to everything called below. */
type Configured = { readonly configurable?: Record<string, unknown> };

/** A copy of `config` that makes graphs called with it sub-runs of `parent`. */
export function withParentRun<C extends Configured>(config: C, parent: ParentRun): C {
  return {
    ...config,
    configurable: { ...config.configurable, [parentKey]: parent },
  };
}

/** The run that a graph is called by, if any. */
export function parentRunOf(config: Configured | undefined): ParentRun | undefined {
  const parent: unknown = config?.configurable?.[parentKey];
  return isParentRun(parent) ? parent : undefined;
}

function isParentRun(value: unknown): value is ParentRun {
  return isRecord(value) && value["budget"] instanceof Budget;
}

/** What a hook in the shape of LangChain's middleware sees of the run around it. */
export type HookRuntime = {
  readonly context?: unknown;
  readonly configurable?: Record<string, unknown>;
  readonly store?: unknown;
  readonly writer?: unknown;
  readonly signal?: AbortSignal;
};
