import type { GraphNode } from "@langchain/langgraph";

import {
  courtesyReply,
  inLanguageOf,
  learnedSentences,
  sourceLines,
  unknownSentence,
} from "../prompts/courtesy.js";
import { closeRun, type EndWrites } from "../runtime/end-run.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import type { Ending } from "../runtime/hand-off.js";
import { lastQuestion } from "../runtime/messages.js";
import type { Assisted, AssistantState } from "../state/assist.js";
import { noUsage } from "../state/usage.js";
import { endWords } from "./route.js";

type FinalizerOptions = {
  /** The name of the tool that searches the knowledge base. */
  readonly search: string | undefined;
  /** What is said where nothing is known. */
  readonly unknown: string | ((question: string) => string) | undefined;
  /** Whether the answer shows the sentences that it stands on. */
  readonly showSources: boolean;
};

/** Ends an assistant's run: with the answer and its sources, or with the sentence that it does not know. */
export function createAssistantFinalizer(
  options: FinalizerOptions,
): GraphNode<typeof AssistantState> {
  return async function finalizer(state, config): Promise<EndWrites> {
    const run = enterRun(state, config, "finalizer");
    // What was found is for this answer alone: later questions search for themselves.
    const observations = state.observations.filter(({ tool }) => tool !== options.search);
    return closeRun({ ...state, observations }, endingOf(state, options, run), run);
  };
}

function endingOf(state: Assisted, { unknown, showSources }: FinalizerOptions, run: Run): Ending {
  const { answer, outcome = { status: "answered" }, structuredResponse, sources } = state;
  const question = lastQuestion(state.messages);
  const base = { usage: noUsage, structuredResponse };
  if (answer !== undefined) {
    const isShown = showSources && sources.length > 0;
    const told = isShown ? `${answer}\n\n${sourceLines(question, answer, sources)}` : answer;
    return {
      ...base,
      answer: told,
      outcome,
      ...(sources.length === 0 ? {} : { kwargs: { sources } }),
    };
  }
  if (outcome.status !== "answered") return { ...base, answer: endWords(outcome, run), outcome };
  const courtesy = courtesyReply(state.messages);
  if (courtesy !== undefined) return { ...base, answer: courtesy, outcome };
  return { ...base, ...unansweredWords(state.learned, question, unknown) };
}

/** What is said where nothing answers. Who only tells something has asked nothing. */
function unansweredWords(
  learned: Assisted["learned"],
  question: string,
  unknown: FinalizerOptions["unknown"],
): Pick<Ending, "answer" | "outcome"> {
  const noted = learned === undefined ? "" : inLanguageOf(question, learnedSentences[learned]);
  if (noted !== "" && !/[?？]/.test(question)) {
    return { answer: noted, outcome: { status: "answered" } };
  }
  const own = typeof unknown === "function" ? unknown(question) : unknown;
  const sentence = own ?? inLanguageOf(question, unknownSentence);
  const reason = "Nothing that is known answers the question.";
  return {
    answer: noted === "" ? sentence : `${noted} ${sentence}`,
    outcome: { status: "answered", cause: "no_knowledge", reason },
  };
}
