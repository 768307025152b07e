import type { LimitName, ReachedLimit } from "../state/outcome.js";

/** What each limit is on, as a sentence names it. */
export const limitWords: { readonly [Name in ReachedLimit]: string } = {
  modelCalls: "the number of model calls",
  toolCalls: "the number of tool calls",
  replans: "the number of plan changes",
  planSteps: "the number of plan steps",
  seconds: "the time",
  tokens: "the number of tokens",
  costUsd: "the cost",
  repeatedCalls: "repeated calls without progress",
  outputTokens: "the length of one reply",
};

/** What a run has come to, a line each. */
export type Known = {
  readonly results?: readonly string[];
  readonly failures?: readonly string[];
  /** Steps of a plan that were not carried out. */
  readonly open?: readonly string[];
};

/** Asks for the rest of a reply that was cut at the provider's limit on its length. */
export const continuePrompt =
  "Your reply was cut off because it became too long. Continue it exactly where it stopped, with the next " +
  "character. Do not repeat what you wrote and add no remark about it.";

/** Asks for the best answer that is possible without another step; `known` is what the conversation does not show. */
export function closingPrompt(limit: LimitName, known: Known = {}): string {
  return [
    ...listed(known).map((list) => `${list}\n\n`),
    `Stop here: the limit on ${limitWords[limit]} was reached and no tool can be called any more. `,
    "Answer now: first what the results so far tell about the question, then what is still missing ",
    "for a full answer. Do not make anything up.",
  ].join("");
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

/** What is said at a limit when no model is asked: the limit, the results so far, what failed and what is open. */
export function stoppedSentence(limit: ReachedLimit, known: Known = {}): string {
  const stopped = `I had to stop before I was done: the limit on ${limitWords[limit]} was reached.`;
  const isEmpty = (known.results ?? []).length === 0;
  const [first, ...rest] = [...(isEmpty ? ["There are no results yet."] : []), ...listed(known)];
  return [`${stopped} ${first}`, ...rest].join("\n");
}

/** What is said when the run failed: why, the results so far, what else failed and what is open. */
export function failedSentence(reason: string, known: Known = {}): string {
  return [`I could not finish: ${reason}`, ...listed(known)].join("\n");
}

/** Lines under their headings, where there are any. */
function listed({ results = [], failures = [], open = [] }: Known): string[] {
  const lists = [
    ["Results so far:", ...results],
    ["What failed:", ...failures],
    ["Not done:", ...open],
  ];
  return lists.filter((list) => list.length > 1).map((list) => list.join("\n"));
}
