import type { BaseMessage } from "@langchain/core/messages";
import { Annotation, type Messages, messagesStateReducer } from "@langchain/langgraph";

import type { Json, JsonObject } from "../json/json.js";
import type { Observation } from "./observation.js";
import type { Outcome } from "./outcome.js";
import type { Decision, DecisionRecord, PersonRequests } from "./person.js";
import { addUsage, noUsage, type Usage } from "./usage.js";

/**
 * Merges observations by call id. A newer one replaces the earlier one and moves to the end, so that a turn written in
 * call order ends up in call order. Idempotent.
 */
export function mergeObservations(
  current: readonly Observation[],
  next: readonly Observation[],
): Observation[] {
  const merged = new Map(current.map((observation) => [observation.callId, observation]));
  for (const observation of next) {
    merged.delete(observation.callId);
    merged.set(observation.callId, observation);
  }
  return [...merged.values()];
}

/** Adds up the usages of a run; `intake` resets them with `Overwrite`. */
export function sumUsage(current: Usage, next: Usage): Usage {
  return addUsage(current, next);
}

/** The identity of a run and its working time. */
export type RunRecord = {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds of work, without the time that people took. */
  readonly activeMs: number;
  /** The graph that began it; no other kind can resume it. */
  readonly graph: string;
  /** When each unanswered request was first asked, in milliseconds since the epoch, by request id. */
  readonly asked?: { readonly [requestId: string]: number };
};

/** A call that runs in a superstep of its own. It is committed before it starts, unless it still waits for its turn. */
export type IsolatedCall = {
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** It writes, it pauses by itself, or a person decided on it before its turn had come. */
  readonly reason: "write" | "pause" | "decided";
  /** It has not begun: an earlier call has no result yet. */
  readonly waits?: true;
  /** The decision on it; without one the repetition guard still judges the call. */
  readonly decided?: "approve" | "edit";
  /** The records of decisions so far. */
  readonly decisions?: readonly DecisionRecord[];
  /** An earlier attempt may have taken effect before a crash; a person wants it repeated. */
  readonly maybeDuplicate?: true;
};

/** A call of a graph as a tool whose run waits: for people, or for a place where it may pause. */
export type SubRun = {
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** It is a step of a plan: people know it by its id. */
  readonly isStep?: true;
  /** The decision on the call before it began. */
  readonly decided?: "approve" | "edit";
  readonly decisions?: readonly DecisionRecord[];
  /** How many parts of the call are done. */
  readonly parts: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds of work in these parts. */
  readonly ms: number;
  /** The usage of these parts, without the call itself. */
  readonly usage: Usage;
  /** The requests to people; none when the run pauses by itself. */
  readonly requests: PersonRequests;
  /** The sub-run's state as it ended. With decisions it is the input to resume it. */
  readonly state: SubRunState;
};

/** The calls of a turn, or the steps of a plan, that a resumed run continues with. */
export type Pending = {
  /** Calls that run isolated, in call order; the first that does not wait may have started. */
  readonly calls: readonly IsolatedCall[];
  /** Waiting sub-runs, by call id. */
  readonly subRuns: { readonly [callId: string]: SubRun };
};

/** What is pending after a complete turn. */
export const nothingPending: Pending = { calls: [], subRuns: {} };

/** The known part of any sub-run's state. */
export type SubRunState = {
  readonly [key: string]: unknown;
  readonly run?: RunRecord | undefined;
  readonly usage: Usage;
};

/** The state of every graph: a conversation, and the run for its last question. */
export const ConversationState = Annotation.Root({
  messages: Annotation<BaseMessage[], Messages>({
    reducer: messagesStateReducer,
    default: () => [],
  }),
  /** The run's answer. */
  answer: Annotation<string | undefined>(),
  /** The answer in the caller's `responseFormat`. */
  structuredResponse: Annotation<Json | undefined>(),
  /** How the run ended. */
  outcome: Annotation<Outcome | undefined>(),
  usage: Annotation<Usage>({ reducer: sumUsage, default: () => noUsage }),
  /** All tool calls and steps of this run, in call order. */
  observations: Annotation<Observation[]>({
    reducer: mergeObservations,
    default: () => [],
  }),
  run: Annotation<RunRecord | undefined>(),
  /** Pending tool calls; `undefined` once the turn is complete. */
  pending: Annotation<Pending | undefined>(),
  /**
   * Input only: answers to the requests of a run that ended "needs_input"; an empty list resumes a run that was handed
   * off.
   */
  decisions: Annotation<(Decision | string)[] | undefined>(),
});

/** The state as nodes read it. */
export type Conversation = typeof ConversationState.State;

/**
 * The keys that a node writes: `Promise<Writes<typeof ConversationState, "messages">>`. A mistyped key is a compile
 * error.
 */
export type Writes<S extends { readonly Update: object }, K extends keyof S["Update"]> = Pick<
  S["Update"],
  K
>;
