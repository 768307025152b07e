import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import { defined, type Json, jsonCopy, type JsonObject } from "../json/json.js";
import { toolEvents } from "../observe/emit.js";
import type { Continuation, RunScope } from "../run/scope.js";
import type { IsolatedCall, SubRun } from "../state/conversation.js";
import type { ErrorKind, Observation } from "../state/observation.js";
import type {
  ActionRequest,
  AllowedDecision,
  DecisionRecord,
  TakenDecision,
} from "../state/person.js";
import type { Usage } from "../state/usage.js";
import type { HandedOver } from "./builtin/people.js";
import { toolErrorText } from "./error-text.js";
import { keptOf } from "./kept-result.js";
import type { Toolbox } from "./toolbox.js";
import type { WrappedState, WrapToolCall } from "./wrap-tool-call.js";

/** A call as a model asked for it. */
export type ToolCall = {
  readonly id: string;
  readonly name: string;
  /** An object, or the text that should be one. */
  readonly args: unknown;
};

/** A call whose arguments have been read. */
export type ReadCall = ToolCall & { readonly args: JsonObject };

/** A call that waits for a person. */
export type PersonRequest = {
  readonly callId: string;
  readonly action: ActionRequest;
  readonly allowed: readonly AllowedDecision[];
  /** Milliseconds after which a decision comes too late. */
  readonly expiresAfter?: number;
};

/** What became of a call. JSON data, so that a task can record it. */
export type ToolCallResult =
  | {
      readonly kind: "observed";
      readonly observation: Observation;
      readonly ends?: CallEnd;
      /** What the call hands to a person, when it ends so. */
      readonly handedOver?: HandedOver;
      /** The result as a person reads it, of a call that may end the run with it. */
      readonly direct?: string;
      /** What the last part of the call used, where parts before it are counted already. */
      readonly used?: Usage;
    }
  /** The call waits for a person; the request may show more than its arguments. */
  | {
      readonly kind: "asks";
      readonly request: PersonRequest;
      readonly calledWith: JsonObject;
      /** What was used before the call came to ask. */
      readonly used?: Usage;
    }
  /** The call is a sub-run that waits; `used` is what this part of it used. */
  | { readonly kind: "waits"; readonly subRun: SubRun; readonly used: Usage }
  | {
      readonly kind: "isolated";
      readonly call: IsolatedCall;
      /** What was used before the call came to wait for its turn. */
      readonly used?: Usage;
    };

/** Why a run ends after a call. */
export type CallEnd = "repeated" | "handed_off" | "limit";

type Execution = {
  /** Inside a task nothing may pause. */
  readonly place: "task" | "node";
  /** Its start is recorded: a write may run. */
  readonly isCommitted: boolean;
};

/** What a call needs from the run it belongs to. */
export type ToolCallContext = {
  readonly toolbox: Toolbox;
  readonly run: RunScope;
  /** Passed on to the tool. */
  readonly config: LangGraphRunnableConfig;
  /** The run's earlier observations: the repetition guard's memory. */
  readonly observations: readonly Observation[];
  /** What the user wrote, for `grounded` parameters. */
  readonly texts: () => readonly string[];
  /** Where the call runs. */
  readonly execution: Execution;
  /** A person's answer to what this call asked. */
  readonly decision?: TakenDecision | undefined;
  /** The sub-run that this call resumes. */
  readonly continues?: Continuation | undefined;
  /** What people decided of the call before, in a process that may have stopped. */
  readonly decisions?: readonly DecisionRecord[] | undefined;
  /** The call was planned beside others, and not thought of after their results. */
  readonly isPlanned?: true;
  /** Hooks around the tool, the first outermost. */
  readonly wrappers: readonly WrapToolCall[];
  /** The state that hooks are shown. */
  readonly state: WrappedState;
};

/** A call's observation as its result; `ends` where the run ends after it. */
export function observed(observation: Observation, ends?: CallEnd): ToolCallResult {
  // Half a surrogate pair, left by a cut, is no text to a server: it refuses the whole request.
  const content = observation.content.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
  const whole = { ...observation, content };
  return { kind: "observed", observation: whole, ...defined({ ends }) };
}

/** The observation of a call that was not carried out. */
export function refused(
  call: ToolCall,
  kind: ErrorKind,
  message: string,
  { run }: Pick<ToolCallContext, "run">,
): Observation {
  return {
    callId: call.id,
    tool: call.name,
    args: jsonArgs(call.args),
    ok: false,
    content: toolErrorText(kind, message),
    error: { kind, message },
    attempts: 0,
    startedAt: run.clock.now(),
    ms: 0,
  };
}

/** The observation of a call that an earlier, identical one answers. */
export function recalled(
  call: ToolCall,
  earlier: Observation,
  { run }: Pick<ToolCallContext, "run">,
): Observation {
  const nudge =
    "(You already made this very call. This is its result from memory; use it, or do something else.)";
  // Not what the earlier call used: that is counted with it.
  const { tool, args, ok, render, error, trust } = earlier;
  return {
    tool,
    args,
    ok,
    ...keptOf(earlier),
    ...defined({ render, trust, error }),
    callId: call.id,
    content: `${earlier.content}\n${nudge}`,
    attempts: 0,
    startedAt: run.clock.now(),
    ms: 0,
  };
}

/** Arguments that could not be read, as far as JSON can hold them. */
export function jsonArgs(args: unknown): Json {
  const copy = jsonCopy(args);
  return copy === undefined ? {} : copy;
}

/** Emits the end of a call, and its start unless a tool that ran has: every call is seen as both. */
export function emitToolEvents(
  observation: Observation,
  hasStarted: boolean,
  { emit }: RunScope,
): void {
  const [started, finished] = toolEvents(observation);
  if (!hasStarted) emit(started);
  emit(finished);
}
