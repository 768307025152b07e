import { Annotation } from "@langchain/langgraph";

import { ConversationState } from "./conversation.js";

/** A text that somebody wrote, with the headings above it. */
export type Passage = { readonly path: readonly string[]; readonly text: string };

/** The state of a graph that reads passages: the question, and what it made of them. */
export const PassagesState = Annotation.Root({
  ...ConversationState.spec,
  passages: Annotation<readonly Passage[]>(),
  /** How well each passage answers the question, from 0 to 1, in their order; absent if no scores came. */
  scores: Annotation<readonly number[] | undefined>(),
  /** Questions that the passages answer; absent if none came. */
  questions: Annotation<readonly string[] | undefined>(),
  /** The model that replied. */
  model: Annotation<string | undefined>(),
});
