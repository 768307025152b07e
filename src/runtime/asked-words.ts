import { oncePerObject } from "../models/once-per-object.js";
import type { Observation } from "../state/observation.js";
import { tellsFact } from "./calls-so-far.js";
import { contentWords, hasAny, textOf, wordsBeside } from "./plan/result-labels.js";

/** Words of questions that a result need not have. */
const general: ReadonlySet<string> = new Set(
  (
    "year years many much number name lies between among during since until within without every each both same " +
    "exactly together else whole"
  ).split(" "),
);

/** The words of a question that results may have: without names, and without short ones. */
export function askedWords(question: string): string[] {
  const words = question.match(/(?<![\p{L}\p{N}])\p{Ll}{4,}(?!\p{L})/gu) ?? [];
  return [...new Set(words)].filter((word) => !general.has(word));
}

/** The calls whose results have a word of the question that the call has not: they tell something that is asked about. */
export function tellingCalls(
  calls: readonly Observation[],
  question: string,
): ReadonlySet<Observation> {
  const asked = contentWords(askedWords(question).join(" "));
  return new Set(calls.filter((call) => call.ok && hasAny(newWords(call), asked)));
}

/** The last fact that tells something that is asked about, in one line. */
export function lastTelling(calls: readonly Observation[], question: string): string | undefined {
  const facts = calls.filter((call) => tellsFact(call) && !call.content.includes("\n"));
  const telling = tellingCalls(facts, question);
  return facts.findLast((call) => telling.has(call))?.content;
}

/** The words of a result that its call does not have. */
const newWords = oncePerObject(({ args, content }: Observation) =>
  wordsBeside(contentWords(textOf(args)), content),
);
