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
export function nextLink({ question, all, reads, tools }: CallsSoFar): OpenPoint | undefined {
  const calls = reads.map(({ call }) => call);
  const isCalculated = all.some(({ ok, tool }) => ok && tools.calculating.has(tool));
  if (isCalculated || calculationWord(question) !== undefined) return undefined;
  if (!calls.every(isFact)) return undefined;
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
const wordsOf = oncePerObject(({ args, ok, content }: Observation) =>
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
 * word of the question come first: "headed by Greta Voss" for "the head of the firm".
 */
function untriedNames(question: string, calls: readonly Observation[], tools: readonly string[]) {
  const texts = calls.filter((call) => call.ok && isKnown(call)).map(({ content }) => content);
  const asked = contentWords(question);
  const names = [...new Set(texts.flatMap(namesIn))].filter(
    (name) => name.length <= maxNameChars && !question.includes(name),
  );
  const meant = names.filter((name) =>
    texts.some((text) => linkWords(name, text).some((word) => asked.has(word))),
  );
  return [...new Set([...meant, ...names])]
    .map((name) => {
      const tried = calls.filter(({ args }) => textOf(args).includes(name));
      const isKnownNow = tried.some(({ ok }) => ok);
      const left = tools.filter((tool) => !tried.some((call) => call.tool === tool));
      return { name, of: isKnownNow ? [] : left };
    })
    .filter(({ of }) => of.length > 0)
    .slice(0, maxNames);
}

/** What the three words before a name say. */
function linkWords(name: string, text: string): string[] {
  const at = text.indexOf(name);
  if (at < 1) return [];
  const before = text.slice(0, at).split(/\s+/);
  return [
    ...contentWords(
      before
        .filter((word) => word !== "")
        .slice(-3)
        .join(" "),
    ),
  ];
}
