import { Annotation } from "@langchain/langgraph";

import type { Step } from "../plan/step.js";
import { ConversationState } from "./conversation.js";

/** The state of graphs that plan: a conversation, and the plan for its last question. */
export const PlanState = Annotation.Root({
  ...ConversationState.spec,
  /** What the plan is for: the user's last question. */
  objective: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  /** The current plan. A step's observation has its id as `callId`. */
  steps: Annotation<readonly Step[]>({ reducer: (_, next) => next, default: () => [] }),
});

/** What a node of such a graph reads. */
export type Planning = typeof PlanState.State;
