import { Annotation } from "@langchain/langgraph";

import type { JsonObject } from "../json/json.js";
import type { Step } from "../plan/step.js";
import { ConversationState } from "./conversation.js";
import type { SubRunState } from "./pending.js";

/** The progress of routing, and what the route waits for. */
export type RoutingProgress = {
  /** How often the user was asked to clarify the question. */
  readonly asked: number;
  /** The clarifying question; absent where nothing is unclear. */
  readonly question?: string;
  /** The id of the route's run, once it has ended. */
  readonly runId?: string;
  /**
   * The state of the route's run if it waits for people or was handed off. With decisions it is the input to resume it.
   */
  readonly waiting?: SubRunState;
};

/** The state of a graph that passes its question to one of several others. */
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

/** The state as nodes read it. */
export type Routed = typeof RoutingState.State;

/** The state of a run without a route. */
export const noRoute = {
  route: undefined,
  routing: { asked: 0 },
  steps: [],
} satisfies Partial<Routed>;

/** The state of a graph whose definitions may change between runs. */
export const VersionedState = Annotation.Root({
  ...RoutingState.spec,
  /** The version of the definitions that the run began with, and keeps. */
  version: Annotation<string | undefined>(),
  /** Input only: the input of a workflow, by its names. Without it, the last message is the question. */
  input: Annotation<JsonObject | undefined>(),
});

/** The state as nodes read it. */
export type Versioned = typeof VersionedState.State;
