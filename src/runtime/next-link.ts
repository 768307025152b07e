import { oncePerObject } from "../models/once-per-object.js";
import { calculationWord } from "../plan/asked-figures.js";
import type { Observation } from "../state/observation.js";
import type { OpenPoint } from "../state/plan.js";
import { askedWords } from "./asked-words.js";
import { type CallsSoFar, fillable, isAbout, isFact, namesIn, quoted } from "./calls-so-far.js";
import { doersIn, thingsAskedFor } from "./linking-words.js";
import { isKnown } from "./messages.js";
import { contentWords, textOf } from "./plan/result-labels.js";

/**
 * The next link of a chain, "the head of the firm that built the bridge": words of the question that no result has, where
 * the results name something else.
 */
export function nextLink(seen: CallsSoFar): OpenPoint | undefined {
  const calls = seen.reads.map(({ call }) => call);
  if (isCalculating(seen) || !calls.every(isFact)) return undefined;
  const words = askedWords(seen.question);
  const known = new Set([...calls.flatMap((call) => [...wordsOf(call)]), ...doersKnown(seen)]);
  const left = words.filter((word) => [...contentWords(word)].some((each) => !known.has(each)));
  const next = untriedNames(seen);
  if (left.length === 0 || next.length === 0 || isTold(seen.question, words, calls)) {
    return undefined;
  }
  return wordsLeft(left, next);
}

/** What the question calls those whose names were looked up: the firm, once "built by Tarn Glass" led to Tarn Glass. */
export function doersKnown({ question, reads }: CallsSoFar): readonly string[] {
  const doers = doersIn(question);
  if (doers.length === 0) return [];
  const calls = reads.map(({ call }) => call);
  const followed = trustedResults(calls).flatMap((text) =>
    namesIn(text)
      .filter((name) => calls.some((call) => call.ok && isAbout(call, name)))
      .flatMap((name) => linkWords(name, text)),
  );
  return doers
    .filter(({ verb }) => [...contentWords(verb)].some((word) => followed.includes(word)))
    .flatMap(({ doer }) => [...contentWords(doer)]);
}

/** Whether something is calculated, or asked for that is. */
export function isCalculating({ question, all, tools }: CallsSoFar): boolean {
  return (
    calculationWord(question) !== undefined ||
    all.some(({ ok, tool }) => ok && tools.calculating.has(tool))
  );
}

/** The words of a look-up and, where it found something, of its result. */
export const wordsOf = oncePerObject(({ args, ok, content }: Observation) =>
  contentWords(`${textOf(args)}\n${ok ? content : ""}`),
);

/**
 * Whether the last look-up told what is asked at the end of the chain: a word of the question that leads to no other name,
 * "has written 17 books" and not "is headed by Greta Voss", if it does not ask for the head itself.
 */
function isTold(
  question: string,
  words: readonly string[],
  calls: readonly Observation[],
): boolean {
  const found = calls.filter(({ ok }) => ok);
  const last = found.at(-1);
  if (last === undefined) return false;
  const { args, content } = last;
  const before = found.slice(0, -1).flatMap((call) => [...wordsOf(call)]);
  const itself = contentWords([...thingsAskedFor(question)].join(" "));
  const links = namesIn(content)
    .flatMap((name) => linkWords(name, content))
    .filter((word) => !itself.has(word));
  const old = new Set([...before, ...links, ...contentWords(textOf(args))]);
  const asked = new Set(words.flatMap((word) => [...contentWords(word)]));
  return [...contentWords(content)].some((word) => asked.has(word) && !old.has(word));
}

/** The most names that are told, and the longest: what a result says is not to speak for the user. */
const maxNames = 4;
export const maxNameChars = 40;

/** A name of which no call has told anything yet, with the tools that may. */
type Untried = { readonly name: string; readonly of: readonly string[] };

/**
 * The names in trusted results of which no call has told anything yet. Those that stand behind a word of the question come
 * first: "headed by Greta Voss" for "the head of the firm".
 */
export function untriedNames(seen: CallsSoFar): readonly Untried[] {
  const { question, reads } = seen;
  const calls = reads.map(({ call }) => call);
  const texts = trustedResults(calls);
  const names = texts.flatMap(namesWithFields);
  const meant = namesBehind(contentWords(question), names, texts);
  return untried([...meant, ...names], seen);
}

/** Those of them that stand behind this word, the values of fields among them. */
export function untriedBehind(word: string, seen: CallsSoFar): readonly Untried[] {
  const calls = seen.reads.map(({ call }) => call);
  const texts = trustedResults(calls);
  const meant = namesBehind(contentWords(word), texts.flatMap(namesWithFields), texts);
  return untried(meant, seen);
}

function trustedResults(calls: readonly Observation[]): readonly string[] {
  return calls.filter((call) => call.ok && isKnown(call)).map(({ content }) => content);
}

function namesBehind(
  words: ReadonlySet<string>,
  names: readonly string[],
  texts: readonly string[],
): readonly string[] {
  return [...new Set(names)].filter((name) =>
    texts.some((text) => linkWords(name, text).some((word) => words.has(word))),
  );
}

function untried(names: readonly string[], seen: CallsSoFar): readonly Untried[] {
  const { question, reads, tools } = seen;
  const calls = reads.map(({ call }) => call);
  return [...new Set(names)]
    .filter((name) => name.length <= maxNameChars && !question.includes(name))
    .map((name) => {
      const tried = calls.filter((call) => isAbout(call, name));
      const isKnownNow = tried.some(({ ok }) => ok);
      const left = tools.named.filter((tool) => !tried.some((call) => call.tool === tool));
      return { name, of: isKnownNow ? [] : fillable(left, seen) };
    })
    .filter(({ of }) => of.length > 0)
    .slice(0, maxNames);
}

/** What is open where no result has these words: what the results name. */
export function wordsLeft(words: readonly string[], next: readonly Untried[]): OpenPoint {
  const key = `No result says anything of ${quoted(words)} yet.`;
  return { ...toLookUp(next, (names) => `${key} Look up what the results name: ${names}.`), key };
}

/** The look-up of names, told with these. */
export function toLookUp(next: readonly Untried[], told: (names: string) => string): OpenPoint {
  const names = quoted(next.map(({ name }) => name));
  return { told: told(names), of: [...new Set(next.flatMap(({ of }) => of))] };
}

/** A field with a name in it: "district=Harbour End", "elder": "Greta Voss". */
const namedField = /(?:=|":\s?")(\p{Lu}[\p{L}’'-]+(?:\s\p{Lu}[\p{L}’'-]+)*)/gu;

/** The names in a text, and those that are values of its fields. */
export function namesWithFields(text: string): string[] {
  const fields = [...text.matchAll(namedField)].map(([, name = ""]) => name);
  // "End" of "district=Harbour End" is no name of its own.
  return [
    ...fields,
    ...namesIn(text).filter((name) => !fields.some((field) => field.includes(name))),
  ];
}

/** What the three words before a name say, of its clause or field. */
function linkWords(name: string, text: string): string[] {
  const at = text.indexOf(name);
  if (at < 1) return [];
  const [before = ""] = text.slice(0, at).split(/[.;,]/).slice(-1);
  // "A district of Harrowmere": that is not the district.
  if (/\bof (?:the )?$/.test(before)) return [];
  const words = before.split(/\s+/).filter((word) => word !== "");
  return [...contentWords(words.slice(-3).join(" "))];
}
