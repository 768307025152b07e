import { stemmed } from "../evidence/words.js";
import type { Observation } from "../state/observation.js";
import type { OpenPoint } from "../state/plan.js";
import { type CallsSoFar, isFact } from "./calls-so-far.js";
import { isKnown } from "./messages.js";
import {
  isCalculating,
  namesWithFields,
  toLookUp,
  untriedBehind,
  untriedNames,
  wordsLeft,
  wordsOf,
} from "./next-link.js";
import { contentWords, textOf } from "./plan/result-labels.js";

/** What a question asks about by way of something else: "the head of the firm that built the Tanner Bridge". */
const linked =
  /\bthe (?:\p{Ll}+ )?(?<noun>\p{Ll}{3,40}) (?:of|where|whose)\b|\bthe (?<place>\p{Ll}{3,40}) (?:\p{Ll}+ ){0,3}in which\b|\b(?:the (?<doer>\p{Ll}{3,40}) )?(?:that|which|who) (?<verb>\p{Ll}{3,40})\b/gu;

/** The question asks for the very thing: "Who is the elder of Copperfield?" */
const askedItself =
  /\b(?:[Ww]ho|[Ww]hat|[Ww]hich) (?:is|are|was|were) the (?:\p{Ll}+ )?(\p{Ll}{3,40})\b/gu;

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

/** The words by which a question asks about something by way of something else. */
function linkingWords(question: string): string[] {
  const itself = new Set([...question.matchAll(askedItself)].map(([, word = ""]) => word));
  const words = [...question.matchAll(linked)].flatMap(({ groups = {} }) =>
    [groups["noun"], groups["place"], groups["doer"], groups["verb"]].filter(
      (word) => word !== undefined,
    ),
  );
  return [...new Set(words)].filter((word) => !itself.has(word));
}

/**
 * The names that results have told and calls have asked about, without those whose results led on to others; none where the
 * question asks about nothing by way of something else.
 */
export function chainEnds({ question, reads }: CallsSoFar): string[] {
  if (linkingWords(question).length === 0) return [];
  const found = reads.map(({ call }) => call).filter(({ ok }) => ok);
  const named = new Set(found.filter(isKnown).flatMap(({ content }) => namesWithFields(content)));
  const resultsOf = (name: string) => found.filter((call) => isAbout(call, name));
  const asked = [...named].filter((name) => !question.includes(name) && resultsOf(name).length > 0);
  // A sentence that begins with a name leaves its end: "Brewery".
  const whole = asked.filter((name) => !isPartOfAny(name, asked));
  return whole.filter((name) => {
    const others = whole.filter((other) => other !== name);
    return !resultsOf(name).some(({ content }) => others.some((other) => content.includes(other)));
  });
}

function isPartOfAny(name: string, all: readonly string[]): boolean {
  return all.some((other) => other !== name && other.includes(name));
}

/** Whether a call asks about something of this name. */
export function isAbout({ args }: Observation, name: string): boolean {
  return textOf(args).includes(name);
}

/** What one end of a chain was asked, the others are asked, too. */
export function otherEnd(seen: CallsSoFar): OpenPoint | undefined {
  const ends = chainEnds(seen);
  const calls = seen.reads.map(({ call }) => call);
  const last = calls.findLast((call) => ends.some((name) => isAbout(call, name)))?.tool;
  const other = ends.find(
    (name) => !calls.some((call) => call.tool === last && isAbout(call, name)),
  );
  return last === undefined || other === undefined
    ? undefined
    : { told: `${last} was not called about "${other}" yet.`, of: [last] };
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
