import type { Observation } from "../state/observation.js";
import { contentWords, hasAny, textOf } from "./plan/result-labels.js";

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

/** Whether a result has a word of the question that its call has not: it tells something that is asked about. */
export function isTelling({ ok, args, content }: Observation, question: string): boolean {
  if (!ok) return false;
  const called = contentWords(textOf(args));
  const asked = [...contentWords(askedWords(question).join(" "))];
  return hasAny(contentWords(content), new Set(asked.filter((word) => !called.has(word))));
}
