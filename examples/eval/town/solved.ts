// A question with what its steps find in a town, and the case that it makes.
import { calculator } from "plangraph";

import { chains } from "./questions/chains.js";
import { changes } from "./questions/changes.js";
import { comparisons } from "./questions/comparisons.js";
import { lookUps } from "./questions/look-ups.js";
import type { Question, Step } from "./questions/question.js";
import type { Town } from "./town.js";

export const questions = [...lookUps, ...changes, ...comparisons, ...chains];

type Value = number | string;

/** A call of a good agent, with references to earlier results and with their values in place of them. */
type SolvedStep = {
  readonly tool: string;
  readonly thought: string;
  readonly planned: { readonly [name: string]: unknown };
  readonly args: { readonly [name: string]: unknown };
  readonly value: Value;
};

export type Solved = {
  readonly question: Question;
  readonly steps: readonly SolvedStep[];
  /** The figure or the name that is asked for. */
  readonly value: Value;
  /** Which one a comparison takes. */
  readonly which?: string;
  readonly answer: string;
};

/** Solves a question in a town. */
export async function solve(question: Question, town: Town): Promise<Solved> {
  const steps: SolvedStep[] = [];
  let which: string | undefined;
  for (const step of question.steps) {
    const fill = (text: string) =>
      text.replaceAll(/\{\{E(\d+)\}\}/g, (_, at: string) => String(steps[Number(at) - 1]?.value));
    const [name, value] = await resultOf(step, fill, town);
    if (step.do === "compare") which = name;
    steps.push({ ...callOf(step, (text) => text), args: callOf(step, fill).planned, value });
  }
  const value = known(steps.at(-1)?.value);
  return {
    question,
    steps,
    value,
    ...(which !== undefined && { which }),
    answer: answerOf(question, value, which),
  };
}

function answerOf({ unit = "", words }: Question, value: Value, which: string | undefined) {
  const figure = `${value} ${unit}`.trim();
  if (which === undefined) return `It is ${figure}.`;
  return `${which} is the one (${words?.[0].split("|")[0]}): ${figure}.`;
}

type Fill = (text: string) => string;

/** The call of a step. */
function callOf(step: Step, fill: Fill): Pick<SolvedStep, "tool" | "thought" | "planned"> {
  if (step.do === "look") {
    const planned = { name: fill(step.name) };
    return { tool: "look_up", thought: `The ${step.fact} of ${step.name}`, planned };
  }
  if (step.do === "year") {
    const { year, figure } = step;
    const planned = { name: fill(step.name), year };
    return { tool: "census", thought: `The ${figure} of ${step.name} in ${year}`, planned };
  }
  if (step.do === "calculate") {
    const planned = { expression: fill(step.expression) };
    return { tool: "calculator", thought: `Calculate ${step.what}`, planned };
  }
  const figures = Object.entries(step.figures).map(([name, text]) => {
    const filled = fill(text);
    return { name, figure: filled === text ? text : Number(filled) };
  });
  const planned = { figures, find: step.take };
  return { tool: "compare", thought: `Which is the ${step.take}`, planned };
}

/** What a step finds: of a comparison the name that it takes, and its figure. */
async function resultOf(step: Step, fill: Fill, town: Town): Promise<[string, Value]> {
  if (step.do === "compare") return takenBy(step.take, step.figures, fill);
  if (step.do === "calculate") {
    return ["", Number(await calculator.invoke({ expression: fill(step.expression) }))];
  }
  const thing = town.get(fill(step.name));
  const value =
    step.do === "look" ? thing?.facts[step.fact] : thing?.yearly[step.figure]?.[step.year];
  return ["", known(value)];
}

function takenBy(
  take: "largest" | "smallest",
  figures: { readonly [name: string]: string },
  fill: Fill,
): [string, number] {
  const ranked = Object.entries(figures)
    .map(([name, text]): [string, number] => [name, Number(fill(text))])
    .toSorted(([, one], [, other]) => one - other);
  return ranked.at(take === "largest" ? -1 : 0) ?? ["", Number.NaN];
}

function known(value: Value | undefined): Value {
  if (value === undefined)
    throw new Error("A question asks for a fact that the town does not have.");
  return value;
}

/** The case of a solved question, as a line of a file holds it. */
export function caseOf({ question, value, which: right }: Solved) {
  const { id, ask, tag, unit, words, steps } = question;
  // Years and counts are right or wrong; other figures may be rounded.
  const number = {
    ...(!Number.isInteger(value) && { percent: 0.15 }),
    ...(unit !== undefined && { unit }),
  };
  const names = steps.flatMap((step) => (step.do === "compare" ? Object.keys(step.figures) : []));
  const others = names.filter((name) => name !== right);
  return {
    id,
    question: ask,
    expect: typeof value === "number" ? { number: { value, ...number } } : { includes: value },
    ...(right !== undefined &&
      words !== undefined && { expected: { right, others, words: [...words] } }),
    tags: [tag],
  };
}
