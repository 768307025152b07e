import type { BaseMessage } from "@langchain/core/messages";
import { Annotation, type Messages, messagesStateReducer } from "@langchain/langgraph";

import type { Json } from "../json/json.js";
import type { Observation } from "./observation.js";
import type { Outcome } from "./outcome.js";
import type { Pending, RunRecord } from "./pending.js";
import type { Decision } from "./person-requests.js";
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

/** An answer before it goes out. */
export type Draft = {
  readonly answer: string;
  /** How the run would end with it. */
  readonly outcome?: Outcome;
  readonly structuredResponse?: Json | undefined;
  /** The call whose result it is, word for word. */
  readonly result?: string;
};

/** What stands in place of the beginning of a conversation, before its last `rounds` rounds. */
export type HistorySummary = {
  readonly rounds: number;
  /** The id of the last message that it tells. */
  readonly upTo: string;
  readonly text: string;
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
  /** An answer that must pass a check or a person before it goes out. */
  draft: Annotation<Draft | undefined>(),
  /** The summaries of what models no longer read, where `history` asks for them. */
  summaries: Annotation<readonly HistorySummary[] | undefined>(),
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
