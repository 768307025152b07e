import { oncePerObject } from "../models/once-per-object.js";
import { maxAskedChars } from "../plan/asked-figures.js";
import { expressionOf } from "../plan/asked-ratio.js";
import { figurePlaces } from "../plan/figures.js";
import type { ToolsByWork } from "../roles/tools-by-work.js";
import type { Observation } from "../state/observation.js";
import { isKnown } from "./messages.js";
import { contentWords, textOf } from "./plan/result-labels.js";

/** The calls for a question, as its names are in them. */
export type CallsSoFar = {
  readonly question: string;
  /** The names in the question. */
  readonly names: readonly string[];
  /** Whether these are all that it is about; one name may be the beginning of a chain. */
  readonly isNamed: boolean;
  readonly all: readonly Observation[];
  /** The calls that found something out, and the names of the question that they are about. */
  readonly reads: readonly { readonly call: Observation; readonly about: readonly string[] }[];
  readonly tools: ToolsByWork;
  /** The figures of the question, and of what else the model was given, such as its instructions; absent where nobody knows. */
  readonly said?: (() => readonly number[]) | undefined;
};

/** Reads the calls for a question; `namesAll`: one name is all that it is about, too. */
export function readCalls(
  question: string,
  all: readonly Observation[],
  tools: ToolsByWork,
  namesAll = false,
): CallsSoFar {
  const names = namesIn(question.slice(0, maxAskedChars));
  const reads = all.filter(({ tool }) => tools.lookUps.includes(tool));
  return {
    question,
    names,
    isNamed: names.length > (namesAll ? 0 : 1),
    all,
    reads: reads.map((call) => ({ call, about: namesOf(call, names) })),
    tools,
  };
}

/** The expressions that were calculated; "" for a calculator of another form. */
export function expressionsOf({ all, tools }: CallsSoFar): string[] {
  return all
    .filter(({ ok, tool }) => ok && tools.calculators.includes(tool))
    .map(({ args }) => expressionOf(args));
}

/** The comparisons that succeeded. */
export function comparisonsIn({ all, tools }: Pick<CallsSoFar, "all" | "tools">): Observation[] {
  return all.filter(({ ok, tool }) => ok && tools.comparisons.includes(tool));
}

/** Those of the tools that need no number, where the question has none: a model would make one up. All where none is left. */
export function fillable(
  of: readonly string[],
  { question, tools }: Pick<CallsSoFar, "question" | "tools">,
): readonly string[] {
  if (figurePlaces(question).length > 0) return of;
  const left = of.filter((name) => !tools.numbered.includes(name));
  return left.length > 0 ? left : of;
}

/** The result of a call, where it is a number. */
export function numberIn(call: Observation | undefined): string | undefined {
  const content = call?.content ?? "";
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(content) ? content : undefined;
}

const maxFactChars = 500;

/** Whether a call succeeded with a fact of a trusted tool. */
export function tellsFact(call: Observation): boolean {
  return call.ok && isKnown(call) && isFact(call);
}

/** Whether a call takes results as references, of whose figures nothing can be said. */
export function hasReference({ args }: Observation): boolean {
  return textOf(args).includes("{{");
}

/** Whether a result says what was asked for: a longer one is a passage that has all kinds of words. */
export function isFact({ content }: Observation): boolean {
  return content.length <= maxFactChars;
}

/** Words with a capital in a row, but not at the beginning of a sentence. */
const capitals =
  /(?<=[^\s.:!?"{]["'“‘]?\s["'“‘]?)\p{Lu}[\p{L}\p{N}’'-]+(?:\s\p{Lu}[\p{L}\p{N}’'-]+)*/gu;

/** The names in a text, told by their capitals, each once. The steps of a plan are none. */
export function namesIn(text: string): string[] {
  return [...new Set(text.match(capitals) ?? [])].filter((name) => !/^S\d+$/.test(name));
}

/**
 * The names that a call is about. Of several only those that its result has, since a tool may take but one; also where the call
 * has a name more, as "Sebb lamp by Vane Shipyard" has, and the result tells of that.
 */
function namesOf(call: Observation, names: readonly string[]): readonly string[] {
  const given = argumentText(call);
  const about = namesWithin(given, names);
  const told = namesWithin(call.content, about);
  const others = namesIn(given).filter((name) => !about.some((one) => one.includes(name)));
  const isOfOthers = others.some((name) => call.content.includes(name));
  return about.length > 1 || isOfOthers ? told : about;
}

/** Those of the names that a text has, whatever their capitals. */
export function namesWithin(text: string, names: readonly string[]): readonly string[] {
  const plain = text.toLowerCase();
  return names.filter((name) => plain.includes(name.toLowerCase()));
}

/** Whether a call asks about something of this name. */
export function isAbout(call: Observation, name: string): boolean {
  return argumentText(call).includes(name);
}

const argumentText = oncePerObject(({ args }: Observation) => textOf(args));

/** Names in a sentence: "A" and "B". */
export function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(" and ");
}

/** A name as the question says it: "the Rill lamp", where it also says "the Sebb lamp". */
export function asSaid(name: string, { question, names }: CallsSoFar): string {
  const noun = nounBehind(name, question);
  const isShared = names.some((other) => other !== name && nounBehind(other, question) === noun);
  return noun !== undefined && isShared ? `${name} ${noun}` : name;
}

function nounBehind(name: string, question: string): string | undefined {
  const at = question.indexOf(`the ${name} `);
  const behind = at < 0 ? "" : question.slice(at + `the ${name} `.length);
  const word = /^\p{Ll}{3,20}(?!\p{L})/u.exec(behind)?.[0] ?? "";
  // "And" between two names is none.
  return contentWords(word).size === 0 ? undefined : word;
}
