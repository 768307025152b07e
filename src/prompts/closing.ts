import type { LimitName } from "../state/outcome.js";

/** What each limit is on, as a sentence names it. */
export const limitWords: { readonly [Name in LimitName]: string } = {
  modelCalls: "the number of model calls",
  toolCalls: "the number of tool calls",
  replans: "the number of plan changes",
  planSteps: "the number of plan steps",
  seconds: "the time",
  tokens: "the number of tokens",
  costUsd: "the cost",
  repeatedCalls: "repeated calls without progress",
};

/** Asks for the best answer that is possible without another step; `results` are those that the conversation does not show. */
export function closingPrompt(limit: LimitName, results: readonly string[] = []): string {
  const known = results.length === 0 ? "" : `Results so far:\n${results.join("\n")}\n\n`;
  return (
    `${known}Stop here: the limit on ${limitWords[limit]} was reached and no tool can be called any more. ` +
    "Answer now: first what the results so far tell about the question, then what is still missing " +
    "for a full answer. Do not make anything up."
  );
}

/** What is to be decided of a run that repeats itself, for the request that asks for it. */
export const evidenceTask =
  'Write {"thought": "…", "action": "finish", "answer": "…"} if the results answer the question, or ' +
  '{"thought": "…", "action": "replan", "feedback": "…"} if something is missing, and say what.';

/** Asks whether the results answer the question, where the run only repeats calls. */
export function evidencePrompt(question: string, results: readonly string[]): string {
  return [
    `All results:\n${results.join("\n")}`,
    `The question: ${question}`,
    "No tool can be called any more, because calls were repeated without progress. Put the results together: " +
      "if the answer follows from them, finish with it, in one or two sentences, with their figures and units " +
      "and nothing else.",
  ].join("\n\n");
}

/** What is said at a limit when no model is asked: the limit and the results so far. */
export function stoppedSentence(limit: LimitName, results: readonly string[]): string {
  const stopped = `I had to stop before I was done: the limit on ${limitWords[limit]} was reached.`;
  return results.length === 0
    ? `${stopped} There are no results yet.`
    : `${stopped} Results so far:\n${results.join("\n")}`;
}

/** What is said when the run failed: why, and the results so far. */
export function failedSentence(reason: string, results: readonly string[]): string {
  const failed = `I could not finish: ${reason}`;
  return results.length === 0 ? failed : `${failed}\nResults so far:\n${results.join("\n")}`;
}
