import type { BaseMessage } from "@langchain/core/messages";
import { Annotation, type Messages, messagesStateReducer } from "@langchain/langgraph";

import type { Json, JsonObject } from "../json/json.js";
import type { Observation } from "./observation.js";
import type { Outcome } from "./outcome.js";
import type { Decision, DecisionRecord, PersonRequests } from "./person.js";
import { addUsage, noUsage, type Usage } from "./usage.js";

/**
 * Observations by call id: one that is reported again takes the place of the earlier one and moves
 * to the end, so that reporting a whole turn in call order puts it in call order. Idempotent.
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

/** Usages of one run add up; `intake` starts anew with `Overwrite`. */
export function sumUsage(current: Usage, next: Usage): Usage {
  return addUsage(current, next);
}

/** Who a run is and how long it has worked. */
export type RunRecord = {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds of work; the time that people take to answer is left out. */
  readonly activeMs: number;
  /** The graph that began it: no other kind can go on with it. */
  readonly graph: string;
  /** When what people have not answered yet was asked first, in milliseconds since the epoch, by the id of the request. */
  readonly asked?: { readonly [requestId: string]: number };
};

/** A call that runs isolated, in a superstep of its own: on record before it starts, unless it still waits for its turn. */
export type IsolatedCall = {
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** It writes, it pauses the run by itself, or a person has decided on it before its turn had come. */
  readonly reason: "write" | "pause" | "decided";
  /** A call before it has no result yet: it has not begun. */
  readonly waits?: true;
  /** What a person decided of it; without one the repetition guard still judges the call. */
  readonly decided?: "approve" | "edit";
  /** What people decided of it so far. */
  readonly decisions?: readonly DecisionRecord[];
  /** An earlier attempt may have taken effect before a crash; a person wants it run again. */
  readonly maybeDuplicate?: true;
};

/** A call of a graph as a tool, whose run waits: for people, or for a place where it may pause by itself. */
export type SubRun = {
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** It is a step of a plan: people know it by its id. */
  readonly isStep?: true;
  /** What a person decided of the call before it began. */
  readonly decided?: "approve" | "edit";
  readonly decisions?: readonly DecisionRecord[];
  /** How many parts of the call are done. */
  readonly parts: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds of work in these parts. */
  readonly ms: number;
  /** What these parts used, the call itself left out. */
  readonly usage: Usage;
  /** What people are asked; nothing when the run pauses by itself. */
  readonly requests: PersonRequests;
  /** The sub-run's state as it ended: handed in again with decisions, it goes on. */
  readonly state: SubRunState;
};

/** The calls of a turn, or the steps of a plan, that have no result yet and that a resumed run goes on with. */
export type Pending = {
  /** Those that run isolated, in call order: the first that does not wait may have started. */
  readonly calls: readonly IsolatedCall[];
  /** Those whose sub-runs wait, by call id. */
  readonly subRuns: { readonly [callId: string]: SubRun };
};

/** Nothing is left of a turn that is complete. */
export const nothingPending: Pending = { calls: [], subRuns: {} };

/** What is known of the state of any sub-run. */
export type SubRunState = {
  readonly [key: string]: unknown;
  readonly run?: RunRecord | undefined;
  readonly usage: Usage;
};

/** The state of every graph: a conversation, and the run that works on its last question. */
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
  /** Every tool call or step of this run, in call order. */
  observations: Annotation<Observation[]>({
    reducer: mergeObservations,
    default: () => [],
  }),
  run: Annotation<RunRecord | undefined>(),
  /** Pending tool calls; `undefined` once the turn is complete. */
  pending: Annotation<Pending | undefined>(),
  /** Input only: a person's answers to the requests of a run that ended "needs_input"; none hand back one that was handed off. */
  decisions: Annotation<(Decision | string)[] | undefined>(),
});

/** What a node reads. */
export type Conversation = typeof ConversationState.State;

/** The keys a node writes: `Promise<Writes<typeof ConversationState, "messages">>`. Makes a mistyped key an error. */
export type Writes<S extends { readonly Update: object }, K extends keyof S["Update"]> = Pick<
  S["Update"],
  K
>;
