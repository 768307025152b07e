import type { Json } from "../json/json.js";
import { referencesIn, type ToolStep, wholeReference } from "./step.js";

/** "How many times as long as A is B": what is measured with, and what is measured. */
const howManyTimes =
  /\bhow many times\b(?<unit>.{1,120}?)\s(?:is|are|was|were)\s(?<measured>.{1,120}?)[?？]/iu;

const division = /^\s*(\{\{[^{}]+\}\})\s*[/÷]\s*(\{\{[^{}]+\}\})\s*$/;

/**
 * The doubt about a plan whose last step divides the wrong way round: "how many times as long as A is B" is the length of B
 * by that of A.
 */
export function swappedRatio(question: string, steps: readonly ToolStep[]): string | undefined {
  const { unit, measured } = howManyTimes.exec(question)?.groups ?? {};
  const divided = lastDivision(steps);
  if (unit === undefined || measured === undefined || divided === undefined) return undefined;
  const { id, over, under } = divided;
  const isSwapped =
    isOnlyIn(namesOf(over, steps), unit, measured) &&
    isOnlyIn(namesOf(under, steps), measured, unit);
  return isSwapped
    ? `${id} calculates ${over} / ${under}, and the question asks how many times${unit} ${measured} is: that is ${under} / ${over}. Write the plan with that`
    : undefined;
}

/** The references of the last step, where it divides one by the other. */
function lastDivision(steps: readonly ToolStep[]) {
  const last = steps.at(-1);
  const expression = Object.values(last?.args ?? {}).find((text) => typeof text === "string");
  const [, over, under] = division.exec(expression ?? "") ?? [];
  if (last === undefined || over === undefined || under === undefined) return undefined;
  return { id: last.id, over, under };
}

/** The texts by which the step of a reference, and those that it takes results of, look something up. */
function namesOf(reference: string, steps: readonly ToolStep[]): readonly string[] {
  const at = steps.findIndex(({ id }) => id === wholeReference(reference)?.id);
  const step = steps[at];
  if (step === undefined) return [];
  const texts = textsIn(step.args);
  const before = steps.slice(0, at);
  const taken = texts.flatMap(referencesIn).flatMap(({ text }) => namesOf(text, before));
  return [...texts.filter((text) => referencesIn(text).length === 0), ...taken];
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
