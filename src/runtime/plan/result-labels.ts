import { isStop } from "../../evidence/stop-words.js";
import { stemmed } from "../../evidence/words.js";
import type { Json } from "../../json/json.js";

/** A part of a result with the words that say what it is. */
type Labelled = { readonly label: ReadonlySet<string> };

/** The only part with the most of the first words in its label; among several, with the most of the next ones. */
export function onlyOf<Part extends Labelled>(
  parts: readonly Part[],
  ...wanted: readonly ReadonlySet<string>[]
): Part | undefined {
  const [best, ...others] = wanted.reduce(bestOf, parts);
  if (best === undefined || others.length > 0) return undefined;
  return wanted.some((words) => hasAny(best.label, words)) ? best : undefined;
}

/** Whether a label has any of the words. */
export function hasAny(label: ReadonlySet<string>, words: ReadonlySet<string>): boolean {
  return [...words].some((word) => label.has(word));
}

/** The parts with the most of the wanted words in their labels; all where none has any. */
function bestOf<Part extends Labelled>(
  parts: readonly Part[],
  wanted: ReadonlySet<string>,
): readonly Part[] {
  const hitsOf = ({ label }: Labelled) => [...wanted].filter((word) => label.has(word)).length;
  const most = Math.max(0, ...parts.map(hitsOf));
  return parts.filter((one) => hitsOf(one) === most);
}

/** The parts of a text that say one thing each. */
export function clausesOf(text: string): string[] {
  return text.split(/[,;.!?|]\s|\n|\s(?:and|but|while)\s/i);
}

/** The words of a text that say more than what it is about: in "The Corvo lamp costs 26 crowns" a lamp says nothing of which. */
export function wordsBeside(
  subject: ReadonlySet<string>,
  text: string,
  names?: ReadonlySet<string>,
): ReadonlySet<string> {
  return new Set([...contentWords(text, names)].filter((word) => !subject.has(word)));
}

/** The words of texts that are names: with a capital, and not at the beginning of a sentence. */
export function namesIn(texts: readonly string[]): ReadonlySet<string> {
  const inside = /(?<=[^\s.:!?"{]["']?\s)\p{Lu}\p{L}*/gu;
  return new Set(texts.flatMap((text) => text.match(inside) ?? []));
}

/** All texts and figures of a value, one after the other. */
export function textOf(value: Json): string {
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
  ["age", "old", "older", "oldest", "young", "younger", "youngest"],
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

/** The measures themselves. */
export const measureNames: ReadonlySet<string> = new Set(measures.values());

/** The words of a text that say something, without names and endings; words of one measure are one. */
export function contentWords(
  text: string,
  names: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
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
