import { oncePerObject } from "../models/once-per-object.js";
import { calculationWord } from "../plan/asked-figures.js";
import type { Observation } from "../state/observation.js";
import type { OpenPoint } from "../state/plan.js";
import { type CallsSoFar, isFact, namesIn, quoted } from "./calls-so-far.js";
import { isKnown } from "./messages.js";
import { contentWords, textOf } from "./plan/result-labels.js";

/**
 * The next link of a chain, "the head of the firm that built the bridge": words of the question that no result has, where
 * the results name something else.
 */
export function nextLink(seen: CallsSoFar): OpenPoint | undefined {
  const { question, reads, tools } = seen;
  const calls = reads.map(({ call }) => call);
  if (isCalculating(seen) || !calls.every(isFact)) return undefined;
  const words = askedWords(question);
  const known = new Set(calls.flatMap((call) => [...wordsOf(call)]));
  const left = words.filter((word) => [...contentWords(word)].some((each) => !known.has(each)));
  const next = untriedNames(question, calls, tools.named);
  if (left.length === 0 || next.length === 0 || isTold(words, calls)) return undefined;
  const names = quoted(next.map(({ name }) => name));
  const key = `No result says anything of ${quoted(left)} yet.`;
  const told = `${key} Look up what the results name: ${names}.`;
  return { key, told, of: [...new Set(next.flatMap(({ of }) => of))] };
}

/** Whether something is calculated, or asked for that is. */
export function isCalculating({ question, all, tools }: CallsSoFar): boolean {
  return (
    calculationWord(question) !== undefined ||
    all.some(({ ok, tool }) => ok && tools.calculating.has(tool))
  );
}

/** Words of questions that a result need not have. */
const general: ReadonlySet<string> = new Set(
  (
    "year years many much number name lies between among during since until within without every each both same " +
    "exactly together else whole"
  ).split(" "),
);

/** The words of a question that results may have: without names, and without short ones. */
function askedWords(question: string): string[] {
  const words = question.match(/(?<![\p{L}\p{N}])\p{Ll}{4,}(?!\p{L})/gu) ?? [];
  return [...new Set(words)].filter((word) => !general.has(word));
}

/** The words of a look-up and, where it found something, of its result. */
export const wordsOf = oncePerObject(({ args, ok, content }: Observation) =>
  contentWords(`${textOf(args)}\n${ok ? content : ""}`),
);

/**
 * Whether the last look-up told what is asked at the end of the chain: a word of the question that leads to no other name,
 * "has written 17 books" and not "is headed by Greta Voss".
 */
function isTold(words: readonly string[], calls: readonly Observation[]): boolean {
  const found = calls.filter(({ ok }) => ok);
  const last = found.at(-1);
  if (last === undefined) return false;
  const { args, content } = last;
  const before = found.slice(0, -1).flatMap((call) => [...wordsOf(call)]);
  const links = namesIn(content).flatMap((name) => linkWords(name, content));
  const old = new Set([...before, ...links, ...contentWords(textOf(args))]);
  const asked = new Set(words.flatMap((word) => [...contentWords(word)]));
  return [...contentWords(content)].some((word) => asked.has(word) && !old.has(word));
}

/** The most names that are told, and the longest: what a result says is not to speak for the user. */
const maxNames = 4;
const maxNameChars = 40;

/**
 * The names in trusted results of which no call has told anything yet, with the tools that may. Those that stand behind a
 * word of the question come first, "headed by Greta Voss" for "the head of the firm"; of `behind` no others come.
 */
export function untriedNames(
  question: string,
  calls: readonly Observation[],
  tools: readonly string[],
  behind?: ReadonlySet<string>,
) {
  const texts = calls.filter((call) => call.ok && isKnown(call)).map(({ content }) => content);
  const asked = behind ?? contentWords(question);
  const found = behind === undefined ? texts.flatMap(namesIn) : texts.flatMap(namesWithFields);
  const names = [...new Set(found)].filter(
    (name) => name.length <= maxNameChars && !question.includes(name),
  );
  const meant = names.filter((name) =>
    texts.some((text) => linkWords(name, text).some((word) => asked.has(word))),
  );
  return [...new Set(behind === undefined ? [...meant, ...names] : meant)]
    .map((name) => {
      const tried = calls.filter(({ args }) => textOf(args).includes(name));
      const isKnownNow = tried.some(({ ok }) => ok);
      const left = tools.filter((tool) => !tried.some((call) => call.tool === tool));
      return { name, of: isKnownNow ? [] : left };
    })
    .filter(({ of }) => of.length > 0)
    .slice(0, maxNames);
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
