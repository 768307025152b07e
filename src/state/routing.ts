import { Annotation } from "@langchain/langgraph";

import type { Step } from "../plan/step.js";
import { ConversationState, type SubRunState } from "./conversation.js";

/** How far a run is with finding its route, and with what its route waits for. */
export type RoutingProgress = {
  /** How often the user was asked what the question is about. */
  readonly asked: number;
  /** What the user is asked now; nothing where nothing is unclear. */
  readonly question?: string;
  /** The id of the route's run, once it ended. */
  readonly runId?: string;
  /** The state of the route's run where it waits for people, or was handed off: handed in again with decisions, it goes on. */
  readonly waiting?: SubRunState;
};

/** The state of a graph that hands its question to one of several others. */
export const RoutingState = Annotation.Root({
  ...ConversationState.spec,
  /** The route that the run took. */
  route: Annotation<string | undefined>(),
  routing: Annotation<RoutingProgress>({
    reducer: (_, next) => next,
    default: () => ({ asked: 0 }),
  }),
  /** The plan of the route's run, in routes that plan. */
  steps: Annotation<readonly Step[]>({ reducer: (_, next) => next, default: () => [] }),
});

/** What a node of such a graph reads. */
export type Routed = typeof RoutingState.State;

/** A run that has no route yet. */
export const noRoute = {
  route: undefined,
  routing: { asked: 0 },
  steps: [],
} satisfies Partial<Routed>;
