import { Annotation } from "@langchain/langgraph";

import type { Step, ToolStep } from "../plan/step.js";
import { ConversationState } from "./conversation.js";
import type { DecisionRecord } from "./person-requests.js";

/** What only planning nodes need to know about the run's plans. A write changes the fields that it names. */
export type PlanningRecord = {
  /** Canonical forms of the plans so far: a replanner may not return one of them again. */
  readonly earlierPlans: readonly string[];
  /** Why the rest of the plan is missing; `undefined` for a whole plan. */
  readonly planningError: string | undefined;
  /** The steps that had ended at the last replan. */
  readonly reviewedStepIds: readonly string[];
  /** Steps removed before they ran: no other step gets their ids. */
  readonly removedStepIds: readonly string[];
  /** A person must review the plan before it continues. */
  readonly awaitsReview: boolean;
  /** What the results of the plan leave open of the question: the next step is for it. */
  readonly open?: OpenPoint | undefined;
  /** What steps were asked for so far because it was open, in words. */
  readonly told?: readonly string[];
};

/** What calls leave open of a question. */
export type OpenPoint = {
  /** In words for the model. */
  readonly told: string;
  /** The beginning of these words, where they go on with what has changed since they were told before. */
  readonly key?: string;
  /** The tools that may settle it. */
  readonly of: readonly string[];
  /** The steps whose results a call of them has to take. */
  readonly takes?: readonly string[];
  /** The calls that settle it, where no model has to write them. */
  readonly calls?: readonly KnownCall[];
};

/** A call before it is a step. */
export type KnownCall = Pick<ToolStep, "tool" | "args">;

const nothingPlanned: PlanningRecord = {
  earlierPlans: [],
  planningError: undefined,
  reviewedStepIds: [],
  removedStepIds: [],
  awaitsReview: false,
  open: undefined,
  told: [],
};

/** The state of graphs that plan: a conversation, and the plan for its last question. */
export const PlanState = Annotation.Root({
  ...ConversationState.spec,
  /** What the plan is for: the user's last question. */
  objective: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  /** The current plan, after the steps of earlier plans. A step's observation has its id as `callId`. */
  steps: Annotation<readonly Step[]>({ reducer: (_, next) => next, default: () => [] }),
  /** How often the plan was replaced. */
  replans: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
  /** Why the plan must be replaced; `undefined` while it stays. */
  feedback: Annotation<string | undefined>(),
  planning: Annotation<PlanningRecord, Partial<PlanningRecord>>({
    reducer: (record, changed) => ({ ...record, ...changed }),
    default: () => nothingPlanned,
  }),
  /** The records of decisions on the run's plans, in order. */
  reviews: Annotation<readonly DecisionRecord[]>({ reducer: (_, next) => next, default: () => [] }),
});

/** The state as nodes read it. */
export type Planning = typeof PlanState.State;

/** The state of a run without a plan. */
export const noPlan = {
  objective: "",
  steps: [],
  replans: 0,
  feedback: undefined,
  planning: nothingPlanned,
  reviews: [],
} satisfies Partial<Planning>;
