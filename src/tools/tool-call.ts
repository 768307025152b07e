import { isToolMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import { defined, type Json, jsonCopy, type JsonObject } from "../json/json.js";
import { toolEvents } from "../observe/emit.js";
import type { RunScope } from "../run/scope.js";
import type { ErrorKind, Observation } from "../state/observation.js";
import type { Continuation, IsolatedCall, SubRun } from "../state/pending.js";
import type {
  ActionRequest,
  AllowedDecision,
  DecisionRecord,
  TakenDecision,
} from "../state/person-requests.js";
import type { Usage } from "../state/usage.js";
import type { HandedOver } from "./builtin/people.js";
import { toolErrorText } from "./error-text.js";
import { keptOf } from "./kept-result.js";
import type { CommandWrites } from "./read-command.js";
import type { Toolbox } from "./toolbox.js";
import type { WrappedState, WrapToolCall } from "./wrap-tool-call.js";

/** A call as the model requested it. */
export type ToolCall = {
  readonly id: string;
  readonly name: string;
  /** An object, or text that should be one. */
  readonly args: unknown;
};

/** A call whose arguments are parsed. */
export type ReadCall = ToolCall & { readonly args: JsonObject };

/** A call that waits for a person. */
export type PersonRequest = {
  readonly callId: string;
  readonly action: ActionRequest;
  readonly allowed: readonly AllowedDecision[];
  /** Milliseconds after which an approval is too late. */
  readonly expiresAfter?: number;
  /** JSON Schema of the arguments of an edit. */
  readonly form?: JsonObject;
};

/** The result of a call, as JSON data that a task can record. */
export type ToolCallResult =
  | {
      readonly kind: "observed";
      readonly observation: Observation;
      readonly ends?: CallEnd;
      /** The handoff to a person, when the call ends with one. */
      readonly handedOver?: HandedOver;
      /** The result as a person reads it, for a call that may end the run with it. */
      readonly direct?: string;
      /** What the tool's Command adds to the state. */
      readonly writes?: CommandWrites;
      /** The usage of the last part of the call; earlier parts are already counted. */
      readonly used?: Usage;
    }
  /** The call waits for a person; the request may show more than the arguments. */
  | {
      readonly kind: "asks";
      readonly request: PersonRequest;
      readonly calledWith: JsonObject;
      /** The usage before the call paused. */
      readonly used?: Usage;
    }
  /** The call is a sub-run that waits; `used` is the usage of this part. */
  | { readonly kind: "waits"; readonly subRun: SubRun; readonly used: Usage }
  | {
      readonly kind: "isolated";
      readonly call: IsolatedCall;
      /** The usage before the call waited for its turn. */
      readonly used?: Usage;
    };

/** Why a run ends after a call. */
export type CallEnd = "repeated" | "handed_off" | "limit";

type Execution = {
  /** Inside a task nothing can pause. */
  readonly place: "task" | "node";
  /** The start of the call is recorded: a write may run. */
  readonly isCommitted: boolean;
};

/** What a call needs from the run it belongs to. */
export type ToolCallContext = {
  readonly toolbox: Toolbox;
  readonly run: RunScope;
  /** Passed to the tool. */
  readonly config: LangGraphRunnableConfig;
  /** The run's earlier observations: the repetition guard's memory. */
  readonly observations: readonly Observation[];
  /** The user's words, for `grounded` parameters. */
  readonly texts: () => readonly string[];
  /** The place where the call runs. */
  readonly execution: Execution;
  /** A person's decision on this call. */
  readonly decision?: TakenDecision | undefined;
  /** The sub-run that this call resumes. */
  readonly continues?: Continuation | undefined;
  /** Earlier decisions on the call, possibly from another process. */
  readonly decisions?: readonly DecisionRecord[] | undefined;
  /** The call was planned together with others, not chosen after their results. */
  readonly isPlanned?: true;
  /** Hooks around the tool, outermost first. */
  readonly wrappers: readonly WrapToolCall[];
  /** The state that hooks see. */
  readonly state: WrappedState;
};

/** The observation of a call as its result; `ends` where the run ends after it. */
export function observed(observation: Observation, ends?: CallEnd): ToolCallResult {
  // A cut can leave half a surrogate pair: model servers reject the whole request.
  const content = observation.content.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
  const whole = { ...observation, content };
  return { kind: "observed", observation: whole, ...defined({ ends }) };
}

/** The observation of a call that did not run. */
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

/** The observation of a call that is answered with an identical earlier one. */
export function recalled(
  call: ToolCall,
  earlier: Observation,
  { run, state }: Pick<ToolCallContext, "run" | "state">,
): Observation {
  const nudge =
    "(You already made this very call. This is its result from memory; use it, or do something else.)";
  // The earlier call's usage is already counted.
  const { tool, args, ok, render, error, trust } = earlier;
  return {
    tool,
    args,
    ok,
    ...keptOf(earlier),
    ...defined({ render, trust, error, artifact: artifactOf(earlier, state) }),
    callId: call.id,
    content: `${earlier.content}\n${nudge}`,
    attempts: 0,
    startedAt: run.clock.now(),
    ms: 0,
  };
}

/** The artifact of an earlier call of the run, which its message holds. */
function artifactOf({ callId, artifact }: Observation, { messages }: WrappedState) {
  if (artifact !== undefined) return artifact;
  const told = messages.findLast((each) => isToolMessage(each) && each.tool_call_id === callId);
  return isToolMessage(told) ? jsonCopy(told.artifact) : undefined;
}

/** Arguments that could not be parsed, in a form that JSON can hold. */
export function jsonArgs(args: unknown): Json {
  const copy = jsonCopy(args);
  return copy === undefined ? {} : copy;
}

/** Emits the end of a call. Emits its start too, unless its tool ran: every call has both events. */
export function emitToolEvents(
  observation: Observation,
  hasStarted: boolean,
  { emit }: RunScope,
): void {
  const [started, finished] = toolEvents(observation);
  if (!hasStarted) emit(started);
  emit(finished);
}
