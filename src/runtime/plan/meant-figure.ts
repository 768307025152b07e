import { stemmed } from "../../evidence/words.js";
import { isJsonObject, type Json, jsonCopy, type JsonObject, parsedJson } from "../../json/json.js";
import { askedRatio } from "../../plan/asked-ratio.js";
import { figurePlaces, figuresIn } from "../../plan/figures.js";
import { takesName } from "../../tools/argument-schema.js";
import {
  clausesOf,
  contentWords,
  hasAny,
  measureNames,
  namesIn,
  onlyOf,
  textOf,
  wordsBeside,
} from "./result-labels.js";

/** A result, and what it was asked for. */
export type AskedResult = {
  /** The purpose of its step in words: "The height of the Bell Tower". */
  readonly purpose: string;
  /** The purpose of the step that takes it, in words. */
  readonly aim?: string;
  /** The question that the plan answers: the unit that it names tells figures apart that nothing else does. */
  readonly question?: string;
  readonly args: Json;
  readonly content: string;
  readonly value?: Json | undefined;
};

/** A result as it is known, whatever it was asked for. */
type KnownResult = Pick<AskedResult, "args" | "content" | "value">;

/**
 * The figure that a result was asked for, where that needs no judgement: the result is one figure with its unit, one of
 * its fields has the name that was asked for, or exactly one of its figures stands beside the words of the purpose,
 * of the step that takes it, or of the unit in the question. Where no figure of it stands beside the words of the purpose,
 * one of the `others` about the same thing may. Otherwise undefined: a model has to choose. What was searched for says too
 * little: a search for "fields" may be for the orchards among them. A figure from the call itself is never meant.
 */
export function meantFigure(
  result: AskedResult,
  others: readonly KnownResult[] = [],
): number | undefined {
  const { args, content, value } = result;
  if (typeof value === "number") return value;
  const only = bareFigure(content);
  if (only !== undefined) return figuresOfCall(args).has(only) ? undefined : only;
  const read = askedFigures(result);
  return figureElsewhere(result, read, others) ?? figureBesideWords(result, read);
}

/** The only figure of a result that stands beside the words of what it is for. */
function figureBesideWords(
  { aim = "", question = "" }: AskedResult,
  { figures, asked, about }: AskedFigures,
): number | undefined {
  const best = onlyOf(figures, asked, about(aim), askedIn(question));
  if (best === undefined) return undefined;
  const isAnother = [...asked].some((word) => isOwnFigure(word) && !best.label.has(word));
  return isAnother ? undefined : best.figure;
}

/** "The cost of a ticket" is not among the visitors of a museum, but in what else was found of it. */
function figureElsewhere(
  result: AskedResult,
  { figures: own, asked }: AskedFigures,
  others: readonly KnownResult[],
): number | undefined {
  if (own.some(({ label }) => hasAny(label, asked))) return undefined;
  const about = others.filter(({ args }) => isWithin(args, result, asked));
  const told = about.flatMap(({ args, content, value }) => {
    const { figures } = askedFigures({ ...result, args, content, value });
    const [best, ...more] = figures.filter(({ label }) => hasAny(label, asked));
    return best === undefined || more.length > 0 ? [] : [best.figure];
  });
  const [only, ...more] = new Set(told);
  return more.length === 0 ? only : undefined;
}

/**
 * Whether a call was about the same thing: it had the same name, at most with what was asked for ("Weavers School teachers"),
 * and else nothing that the other call did not have or say.
 */
function isWithin(args: Json, { args: asked, purpose }: AskedResult, wanted: ReadonlySet<string>) {
  if (!isJsonObject(args)) return false;
  const [name, subject] = [args, asked].map((each) => contentWords(textOf(namedIn(each))));
  if (name === undefined || subject === undefined || subject.size === 0) return false;
  const isSame =
    [...subject].every((word) => name.has(word)) &&
    [...name].every((word) => subject.has(word) || wanted.has(word));
  const said = new Set(`${textOf(asked)} ${purpose}`.match(/[\p{L}\p{N}]+/gu));
  const others = Object.entries(args).filter(([field]) => !takesName(field));
  return isSame && others.every(([, value]) => said.has(textOf(value)));
}

/** The figures of a result that stand beside any of these words; it may be data as text. */
export function figuresBeside(
  { content, value = jsonCopy(parsedJson(content)) }: KnownResult,
  words: ReadonlySet<string>,
): number[] {
  const figures = withAge(labelledFigures(content, value, new Set()));
  return figures.filter(({ label }) => hasAny(label, words)).map(({ figure }) => figure);
}

type AskedFigures = ReturnType<typeof askedFigures>;

/** The figures of a result with their labels, and what was asked for. */
function askedFigures({ purpose, aim = "", args, content, value }: AskedResult) {
  const given = figuresOfCall(args);
  const names = namesIn([purpose, aim, textOf(args), content]);
  const figures = withAge(
    labelledFigures(content, value, names).filter(({ figure }) => !given.has(figure)),
  );
  // What is asked about says nothing of which of its figures: "The Corvo lamp costs 26 crowns and weighs 2 kg."
  const subject = contentWords(textOf(namedIn(args)));
  const about = (text: string) => wordsBeside(subject, text, names);
  return { figures, asked: about(purpose), about };
}

/** The arguments of a call that are names. */
function namedIn(args: Json): Json {
  if (!isJsonObject(args)) return {};
  return Object.fromEntries(Object.entries(args).filter(([field]) => takesName(field)));
}

/**
 * The units in which a question wants its answer ("how many metres", "in crowns"), what it is counted for ("for each room"),
 * and the only measure that it names.
 */
function askedIn(question: string): ReadonlySet<string> {
  const named = question.matchAll(
    /\b(?:how many|in)\s(?:(?:thousand|million|billion)\s)?(\p{Ll}+)/giu,
  );
  const each = askedRatio(question)?.each ?? "";
  const units = contentWords([...named].map(([, unit = ""]) => unit).join(" ") + ` ${each}`);
  const words = contentWords(question, namesIn([question]));
  const measures = [...words].filter((word) => measureNames.has(word));
  return new Set([...units, ...(measures.length === 1 ? measures : [])]);
}

/** The figures in the arguments of a call. */
function figuresOfCall(args: Json): ReadonlySet<number> {
  return new Set(figuresIn(textOf(args)));
}

/** The figures of a result, without those of the call itself ("Nothing found for Lake 7"). */
export function resultFigures({ args, content, value }: Omit<AskedResult, "purpose">): number[] {
  if (typeof value === "number") return [value];
  const asked = figuresOfCall(args);
  // In JSON text a figure follows a colon, as in a time.
  const isData = typeof value === "object" && value !== null;
  return figuresIn(isData ? textOf(value) : content).filter((figure) => !asked.has(figure));
}

/** What is calculated from a figure is another figure: the growth of a population is not the population. */
const derived = new Set(
  "growth change share rate ratio average mean median percentage percent increase decrease rise fall difference density"
    .split(" ")
    .map((word) => stemmed(word)),
);

/** Whether a word names a figure, which another one is not. */
function isOwnFigure(word: string): boolean {
  return derived.has(word) || measureNames.has(word);
}

/** A figure with the words that say what it is. */
type LabelledFigure = { readonly figure: number; readonly label: ReadonlySet<string> };

const beginnings = contentWords("born founded built opened");

/** The figures, where the only one that says when something began says how old it is, too. */
function withAge(figures: readonly LabelledFigure[]): readonly LabelledFigure[] {
  const [only, ...others] = figures.filter(({ label }) => hasAny(label, beginnings));
  if (only === undefined || others.length > 0) return figures;
  const aged = { ...only, label: new Set([...only.label, ...contentWords("age")]) };
  return figures.map((one) => (one === only ? aged : one));
}

/** The figure of a text that is nothing but a figure with its unit: "412 km". */
function bareFigure(text: string): number | undefined {
  const [found, ...others] = figurePlaces(text);
  if (found === undefined || others.length > 0 || found.values.length > 1) return undefined;
  const isAlone =
    /^[$€£¥]?$/.test(text.slice(0, found.start).trim()) &&
    /^[\s\p{L}²³/°]{0,20}\.?$/u.test(text.slice(found.end).trim());
  return isAlone ? found.values[0] : undefined;
}

function labelledFigures(
  content: string,
  value: Json | undefined,
  names: ReadonlySet<string>,
): LabelledFigure[] {
  return isJsonObject(value)
    ? fieldFigures(value, [])
    : clausesOf(content).flatMap((clause) => inClause(clause, names));
}

/** The numbers of an object, labelled with their field; lists are left out: their items look alike. */
function fieldFigures(value: JsonObject, path: readonly string[]): LabelledFigure[] {
  return Object.entries(value).flatMap(([field, inner]): LabelledFigure[] => {
    const here = [...path, field];
    const figure = typeof inner === "string" ? bareFigure(inner) : inner;
    if (typeof figure === "number") return [{ figure, label: contentWords(here.join(" ")) }];
    return isJsonObject(inner) ? fieldFigures(inner, here) : [];
  });
}

/** The figures of a clause. Words between two of them belong to the nearer one, with a preposition as the border. */
function inClause(clause: string, names: ReadonlySet<string>): LabelledFigure[] {
  const places = figurePlaces(clause);
  return places.flatMap(({ values: [figure, ...others], start, end }, at): LabelledFigure[] => {
    // 30 % may be meant as 30 or as 0.3.
    if (figure === undefined || others.length > 0) return [];
    const before = clause.slice(places[at - 1]?.end ?? 0, start);
    const behind = clause.slice(end, places[at + 1]?.start);
    const own = [
      at === 0 ? before : rightOf(before),
      at === places.length - 1 ? behind : leftOf(behind),
    ];
    return [{ figure, label: contentWords(own.join(" "), names) }];
  });
}

const border = /\s(?:on|in|of|for|with|to|at|by|from|per|plus)\s/i;

function leftOf(text: string): string {
  return text.split(border)[0] ?? "";
}

function rightOf(text: string): string {
  const at = text.search(border);
  return at === -1 ? text : text.slice(at);
}
