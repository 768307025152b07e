import { askedRatio } from "./asked-ratio.js";
import { idsIn, referencesIn, textsIn, type ToolStep, wholeReference } from "./step.js";

/** "How many times as long as A is B": what is measured with, and what is measured. */
const howManyTimes =
  /\bhow many times\b(?<unit>.{1,120}?)\s(?:is|are|was|were)\s(?<measured>.{1,120}?)[?？]/iu;

const division = /^\s*(\{\{[^{}]+\}\})\s*[/÷]\s*(\{\{[^{}]+\}\})\s*$/;

/**
 * What is wrong with a plan whose last step divides the wrong way round: "how many times as long as A is B" is the length
 * of B by that of A, and "how many pupils for each teacher" the pupils by the teachers.
 */
export function swappedRatio(question: string, steps: readonly ToolStep[]): string | undefined {
  const sides = sidesOf(question);
  const divided = lastDivision(steps);
  if (sides === undefined || divided === undefined) return undefined;
  const { id, over, under } = divided;
  const isSwapped = sides.isUnder(textsOf(over, steps)) && sides.isOver(textsOf(under, steps));
  return isSwapped
    ? `${id} calculates ${over} / ${under}, and the question asks ${sides.asks}: that is ${under} / ${over}`
    : undefined;
}

/** What the question divides by what: whether the texts of a step say that it is one or the other. */
function sidesOf(question: string) {
  const { unit, measured } = howManyTimes.exec(question)?.groups ?? {};
  if (unit !== undefined && measured !== undefined) {
    return {
      asks: `how many times${unit} ${measured} is`,
      isOver: (texts: readonly string[]) => isOnlyIn(texts, measured, unit),
      isUnder: (texts: readonly string[]) => isOnlyIn(texts, unit, measured),
    };
  }
  const ratio = askedRatio(question);
  if (ratio === undefined) return undefined;
  const { counted, each } = ratio;
  return {
    asks: `for ${counted} for each of ${each}`,
    isOver: (texts: readonly string[]) => saysOnly(texts, counted, each),
    isUnder: (texts: readonly string[]) => saysOnly(texts, each, counted),
  };
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
  const taken = new Set([wholeReference(reference)?.id]);
  // Backwards, and so each step once: results may be taken again and again.
  return steps.toReversed().flatMap(({ id, thought, args }) => {
    if (!taken.has(id)) return [];
    for (const each of idsIn(args)) taken.add(each);
    const own = textsIn(args).filter((text) => referencesIn(text).length === 0);
    return thought === undefined ? own : [thought, ...own];
  });
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
