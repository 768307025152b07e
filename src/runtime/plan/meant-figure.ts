import { isStop } from "../../evidence/stop-words.js";
import { stemmed } from "../../evidence/words.js";
import { isJsonObject, type Json, type JsonObject } from "../../json/json.js";
import { figurePlaces, figuresIn } from "../../plan/figures.js";

/** A result, and what it was asked for. */
export type AskedResult = {
  /** The purpose of its step in words: "The height of the Bell Tower". */
  readonly purpose: string;
  readonly args: Json;
  readonly content: string;
  readonly value?: Json | undefined;
};

/**
 * The figure that a result was asked for, where that needs no judgement: the result is one figure with its unit, one of
 * its fields has the name that was asked for, or exactly one of its figures stands beside the words of the purpose.
 * Otherwise undefined: a model has to choose. What was searched for says too little: a search for "fields" may be for
 * the orchards among them. A figure from the call itself is never meant.
 */
export function meantFigure({ purpose, args, content, value }: AskedResult): number | undefined {
  if (typeof value === "number") return value;
  const given = figuresOfCall(args);
  const only = bareFigure(content);
  if (only !== undefined) return given.has(only) ? undefined : only;
  const names = namesIn([purpose, textOf(args), content]);
  const figures = labelledFigures(content, value, names).filter(({ figure }) => !given.has(figure));
  return bestOf(figures, contentWords(purpose, names));
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

/** A figure with the words that say what it is. */
type Labelled = { readonly figure: number; readonly label: ReadonlySet<string> };

/** The only figure with the most of the wanted words in its label. */
function bestOf(figures: readonly Labelled[], wanted: ReadonlySet<string>): number | undefined {
  const scored = figures.map(({ figure, label }) => ({
    figure,
    label,
    hits: [...wanted].filter((word) => label.has(word)).length,
  }));
  const most = Math.max(0, ...scored.map(({ hits }) => hits));
  const [best, ...others] = scored.filter(({ hits }) => hits === most);
  if (best === undefined || most === 0 || others.length > 0) return undefined;
  const isAnother = [...wanted].some((word) => derived.has(word) && !best.label.has(word));
  return isAnother ? undefined : best.figure;
}

/** What is calculated from a figure is another figure: the growth of a population is not the population. */
const derived = new Set(
  "growth change share rate ratio average mean median percentage percent increase decrease rise fall difference density"
    .split(" ")
    .map((word) => stemmed(word)),
);

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
): Labelled[] {
  return isJsonObject(value)
    ? fieldFigures(value, [])
    : clausesOf(content).flatMap((clause) => inClause(clause, names));
}

/** The numbers of an object, labelled with their field; lists are left out: their items look alike. */
function fieldFigures(value: JsonObject, path: readonly string[]): Labelled[] {
  return Object.entries(value).flatMap(([field, inner]): Labelled[] => {
    const here = [...path, field];
    const figure = typeof inner === "string" ? bareFigure(inner) : inner;
    if (typeof figure === "number") return [{ figure, label: contentWords(here.join(" ")) }];
    return isJsonObject(inner) ? fieldFigures(inner, here) : [];
  });
}

function clausesOf(text: string): string[] {
  return text.split(/[,;.!?|]\s|\n|\s(?:and|but|while)\s/i);
}

/** The figures of a clause. Words between two of them belong to the nearer one, with a preposition as the border. */
function inClause(clause: string, names: ReadonlySet<string>): Labelled[] {
  const places = figurePlaces(clause);
  return places.flatMap(({ values: [figure, ...others], start, end }, at): Labelled[] => {
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

/** The words of texts that are names: with a capital, and not at the beginning of a sentence. */
function namesIn(texts: readonly string[]): ReadonlySet<string> {
  const inside = /(?<=[^\s.:!?"{]["']?\s)\p{Lu}\p{L}*/gu;
  return new Set(texts.flatMap((text) => text.match(inside) ?? []));
}

function textOf(value: Json): string {
  if (typeof value === "string") return value;
  if (value === null) return "";
  if (typeof value !== "object") return JSON.stringify(value);
  return Object.values(value)
    .map((item) => textOf(item))
    .join(". ");
}

/** What measures are called beside their own names. */
const sameMeasure: readonly (readonly string[])[] = [
  ["length", "long"],
  ["height", "high", "tall", "altitude"],
  ["depth", "deep"],
  ["width", "wide", "breadth"],
  ["weight", "weighs", "heavy", "mass"],
  ["price", "cost", "costs"],
  ["population", "people", "inhabitants", "residents"],
  ["area", "covers", "hectares", "acres", "square"],
  ["age", "old"],
  ["speed", "fast"],
  ["duration", "takes", "minutes", "hours", "lasts"],
  ["birth", "born"],
  ["founding", "founded"],
];

const measures = new Map(
  sameMeasure.flatMap((words) => {
    const [measure = ""] = words;
    return words.map((word) => [stemmed(word), stemmed(measure)] as const);
  }),
);

/** The words of a text that say something, without names and endings; words of one measure are one. */
function contentWords(text: string, names: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  const words = text.match(/\p{L}+/gu) ?? [];
  return new Set(
    words
      .filter((word) => !names.has(word))
      .map((word) => word.toLowerCase())
      .filter((word) => word.length > 1 && !isStop(word))
      .map((word) => stemmed(word))
      .map((word) => measures.get(word) ?? word),
  );
}
