import { stemmed } from "../evidence/words.js";
import type { OpenPoint } from "../state/plan.js";
import { type CallsSoFar, isFact } from "./calls-so-far.js";
import { chainEnds } from "./chain-ends.js";
import { linkingWords } from "./linking-words.js";
import {
  isCalculating,
  toLookUp,
  untriedBehind,
  untriedNames,
  wordsLeft,
  wordsOf,
} from "./next-link.js";
import { contentWords } from "./plan/result-labels.js";

/** What has facts of its own. A price or a height has none: results may tell it by another word. */
const things: ReadonlySet<string> = new Set(
  (
    "head leader elder chief chair director manager owner founder maker builder manufacturer producer publisher author " +
    "writer architect designer inventor composer painter teacher mayor president minister king queen mother father wife " +
    "husband son daughter brother sister firm company business agency bank university school club team band capital " +
    "district city town village county province country region"
  )
    .split(" ")
    .map((word) => stemmed(word)),
);

/**
 * The next link of a chain in a question that asks for something calculated, "the births of the elders": what the results
 * name behind a word of the chain ("its elder is Greta Voss"), or anything that they name, where no result has such a word.
 * A figure was taken from what the results before it say, or would be.
 */
export function askedLink(seen: CallsSoFar): OpenPoint | undefined {
  const words = isCalculating(seen) ? linkingWords(seen.question) : [];
  if (words.length === 0 || !seen.reads.every(({ call }) => isFact(call))) return undefined;
  return nameBehind(words, seen) ?? unnamedThing(words, seen);
}

function nameBehind(words: readonly string[], seen: CallsSoFar): OpenPoint | undefined {
  for (const word of words) {
    const next = untriedBehind(word, seen);
    if (next.length > 0) {
      return toLookUp(next, (names) => `For "${word}" the results name ${names}. Look it up.`);
    }
  }
  return undefined;
}

function unnamedThing(words: readonly string[], seen: CallsSoFar): OpenPoint | undefined {
  const known = new Set(seen.reads.flatMap(({ call }) => [...wordsOf(call)]));
  const stems = words.map((word) => ({ word, stem: [...contentWords(word)].join(" ") }));
  // Once a result has one of the words, or one of its names was looked up, the chain goes on behind a word.
  if (stems.some(({ stem }) => known.has(stem)) || chainEnds(seen).length > 0) return undefined;
  const left = stems.filter(({ stem }) => things.has(stem)).map(({ word }) => word);
  const next = left.length === 0 ? [] : untriedNames(seen);
  return next.length === 0 ? undefined : wordsLeft(left, next);
}
