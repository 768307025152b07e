import { Annotation } from "@langchain/langgraph";

import type { Step } from "../plan/step.js";
import { ConversationState } from "./conversation.js";
import type { DecisionRecord } from "./person.js";

/** The state of graphs that plan: a conversation, and the plan for its last question. */
export const PlanState = Annotation.Root({
  ...ConversationState.spec,
  /** What the plan is for: the user's last question. */
  objective: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  /** The current plan, behind the steps of those before it. A step's observation has its id as `callId`. */
  steps: Annotation<readonly Step[]>({ reducer: (_, next) => next, default: () => [] }),
  /** How often the plan was replaced. */
  replans: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
  /** Canonical forms of the plans so far, so that one that changes nothing is noticed. */
  plans: Annotation<readonly string[]>({ reducer: (_, next) => next, default: () => [] }),
  /** Why the plan is to be replaced; nothing while it stands. */
  feedback: Annotation<string | undefined>(),
  /** Why the rest of the plan did not come; nothing where it is whole. */
  unplanned: Annotation<string | undefined>(),
  /** Ids of the steps that had ended when the plan was last looked at. */
  judged: Annotation<readonly string[]>({ reducer: (_, next) => next, default: () => [] }),
  /** Ids of steps that were dropped before they were carried out: no other step gets them. */
  dropped: Annotation<readonly string[]>({ reducer: (_, next) => next, default: () => [] }),
  /** A person is to see the plan before it goes on. */
  awaitsReview: Annotation<boolean>({ reducer: (_, next) => next, default: () => false }),
  /** What people decided of the run's plans, in order. */
  reviews: Annotation<readonly DecisionRecord[]>({ reducer: (_, next) => next, default: () => [] }),
});

/** What a node of such a graph reads. */
export type Planning = typeof PlanState.State;

/** A run that has no plan yet. */
export const noPlan = {
  objective: "",
  steps: [],
  replans: 0,
  plans: [],
  feedback: undefined,
  unplanned: undefined,
  judged: [],
  dropped: [],
  awaitsReview: false,
  reviews: [],
} satisfies Partial<Planning>;
