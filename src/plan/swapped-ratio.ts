import type { Json } from "../json/json.js";
import { referencesIn, type ToolStep, wholeReference } from "./step.js";

/** "How many times as long as A is B": what is measured with, and what is measured. */
const howManyTimes =
  /\bhow many times\b(?<unit>.{1,120}?)\s(?:is|are|was|were)\s(?<measured>.{1,120}?)[?？]/iu;

/** "How many pupils for each teacher", "how many tons of coal per day". */
const forEach =
  /\b[Hh]ow many (?:\p{Ll}+(?: \p{Ll}+)? of )?(?<counted>\p{Ll}{3,40})\b.{0,120}?\b(?:(?:for|on|in) each(?: of (?:the|its|their))?|per) (?<each>\p{Ll}{3,40})/u;

const division = /^\s*(\{\{[^{}]+\}\})\s*[/÷]\s*(\{\{[^{}]+\}\})\s*$/;

/**
 * What is wrong with a plan whose last step divides the wrong way round: "how many times as long as A is B" is the length
 * of B by that of A, and "how many pupils for each teacher" the pupils by the teachers.
 */
export function swappedRatio(question: string, steps: readonly ToolStep[]): string | undefined {
  const divided = lastDivision(steps);
  if (divided === undefined) return undefined;
  const { id, over, under } = divided;
  const [above, below] = [over, under].map((reference) => textsOf(reference, steps));
  const asked = timesAsked(question, above, below) ?? eachAsked(question, above, below);
  return asked === undefined
    ? undefined
    : `${id} calculates ${over} / ${under}, and the question asks ${asked}: that is ${under} / ${over}`;
}

/** What is asked of two things by their names, where the texts of the steps say that they are the wrong way round. */
function timesAsked(question: string, above: readonly string[] = [], below = above) {
  const { unit, measured } = howManyTimes.exec(question)?.groups ?? {};
  if (unit === undefined || measured === undefined) return undefined;
  const isSwapped = isOnlyIn(above, unit, measured) && isOnlyIn(below, measured, unit);
  return isSwapped ? `how many times${unit} ${measured} is` : undefined;
}

/** The same for what is counted. */
function eachAsked(question: string, above: readonly string[] = [], below = above) {
  const { counted, each } = forEach.exec(question)?.groups ?? {};
  if (counted === undefined || each === undefined) return undefined;
  const isSwapped = saysOnly(above, each, counted) && saysOnly(below, counted, each);
  return isSwapped ? `for ${counted} for each of ${each}` : undefined;
}

/** The references of the last step, where it divides one by the other. */
function lastDivision(steps: readonly ToolStep[]) {
  const last = steps.at(-1);
  const expression = Object.values(last?.args ?? {}).find((text) => typeof text === "string");
  const [, over, under] = division.exec(expression ?? "") ?? [];
  if (last === undefined || over === undefined || under === undefined) return undefined;
  return { id: last.id, over, under };
}

/** What the step of a reference, and those that it takes results of, say: their purposes and the texts of their arguments. */
function textsOf(reference: string, steps: readonly ToolStep[]): readonly string[] {
  const at = steps.findIndex(({ id }) => id === wholeReference(reference)?.id);
  const step = steps[at];
  if (step === undefined) return [];
  const texts = textsIn(step.args);
  const before = steps.slice(0, at);
  const taken = texts.flatMap(referencesIn).flatMap(({ text }) => textsOf(text, before));
  const own = texts.filter((text) => referencesIn(text).length === 0);
  return [...(step.thought === undefined ? [] : [step.thought]), ...own, ...taken];
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Whether one of the names stands in a text, and none in another. */
function isOnlyIn(names: readonly string[], text: string, other: string): boolean {
  return names.some((name) => stands(name, text)) && !names.some((name) => stands(name, other));
}

function stands(name: string, text: string): boolean {
  const plain = name.trim().toLowerCase();
  return plain !== "" && text.toLowerCase().includes(plain);
}

/** Whether the texts have one word, and not another, in the singular or the plural. */
function saysOnly(texts: readonly string[], word: string, other: string): boolean {
  return texts.some((text) => says(text, word)) && !texts.some((text) => says(text, other));
}

function says(text: string, word: string): boolean {
  return text.toLowerCase().includes(word.replace(/s$/, ""));
}
