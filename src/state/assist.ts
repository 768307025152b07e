import { Annotation } from "@langchain/langgraph";

import type { ClickedCard } from "./memory.js";
import { noRoute, RoutingState } from "./routing.js";

/** What is asked of a knowledge base: the user's last question, and what it means in the conversation. */
export type Query = {
  readonly asked: string;
  /** The question with what the conversation leaves out; absent where it says all itself. */
  readonly rewritten?: string;
};

/** A passage that the answer may quote. */
export type Passage = {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly source: string;
  /** The line of a text, the row of a sheet, the page of a PDF. */
  readonly line: number;
  /** The first and last day on which it is valid. */
  readonly from?: string;
  readonly until?: string;
};

/** Where an answer comes from: a sentence or row, word for word, and its place. */
export type Source = Pick<Passage, "title" | "source" | "line"> & { readonly quote: string };

/** What became of what the user told: it was kept, or something was forgotten. */
export type Learned = "kept" | "forgotten";

/** A way to an answer. */
export type Way = "knowledge" | "agent";

/** The state of an assistant: a conversation, its route, and the evidence for its answer. */
export const AssistantState = Annotation.Root({
  ...RoutingState.spec,
  query: Annotation<Query | undefined>(),
  /** The card that the user's last message clicked on. */
  clicked: Annotation<ClickedCard | undefined>(),
  learned: Annotation<Learned | undefined>(),
  /** The passages that were found for the question. */
  passages: Annotation<readonly Passage[]>({ reducer: (_, next) => next, default: () => [] }),
  /** The sentences and rows that the answer stands on. */
  sources: Annotation<readonly Source[]>({ reducer: (_, next) => next, default: () => [] }),
  /** The ways that gave no answer. */
  failedWays: Annotation<readonly Way[]>({ reducer: (_, next) => next, default: () => [] }),
});

/** The state as nodes read it. */
export type Assisted = typeof AssistantState.State;

/** The state of a run that has found nothing yet. */
export const nothingFound = {
  ...noRoute,
  query: undefined,
  clicked: undefined,
  learned: undefined,
  passages: [],
  sources: [],
  failedWays: [],
} satisfies Partial<Assisted>;
