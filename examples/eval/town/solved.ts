// A question with what its steps find in a town, and the case that it makes.
import { calculator } from "plangraph";

import { chains } from "./questions/chains.js";
import { changes } from "./questions/changes.js";
import { comparisons } from "./questions/comparisons.js";
import { lookUps } from "./questions/look-ups.js";
import { longComparisons } from "./questions/long-comparisons.js";
import { longQuestions } from "./questions/long.js";
import type { Question, Step } from "./questions/question.js";
import type { Town } from "./town.js";

export const questions = [
  ...lookUps,
  ...changes,
  ...comparisons,
  ...chains,
  ...longQuestions,
  ...longComparisons,
];

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
  /** What a comparison was of: the one that it takes, then the others. */
  readonly compared?: readonly [which: string, ...others: string[]];
  readonly answer: string;
};

/** Solves a question in a town. */
export async function solve(question: Question, town: Town): Promise<Solved> {
  const steps: SolvedStep[] = [];
  let compared: Solved["compared"];
  for (const step of question.steps) {
    const fill = (text: string) =>
      text.replaceAll(/\{\{E(\d+)\}\}/g, (_, at: string) => String(steps[Number(at) - 1]?.value));
    const [names, value] = await resultOf(step, fill, town);
    compared = names ?? compared;
    steps.push({ ...callOf(step, (text) => text), args: callOf(step, fill).planned, value });
  }
  const value = known(steps.at(-1)?.value);
  return {
    question,
    steps,
    value,
    ...(compared !== undefined && { compared }),
    answer: answerOf(question, value, compared?.[0]),
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
    return { name: fill(name), figure: filled === text ? text : Number(filled) };
  });
  const planned = { figures, find: step.take };
  return { tool: "compare", thought: `Which is the ${step.take}`, planned };
}

/** What a step finds, and of a comparison what it was of. */
async function resultOf(
  step: Step,
  fill: Fill,
  town: Town,
): Promise<[names: Solved["compared"], value: Value]> {
  if (step.do === "compare") return takenBy(step.take, step.figures, fill);
  if (step.do === "calculate") {
    return [undefined, Number(await calculator.invoke({ expression: fill(step.expression) }))];
  }
  const thing = town.get(fill(step.name));
  const value =
    step.do === "look" ? thing?.facts[step.fact] : thing?.yearly[step.figure]?.[step.year];
  return [undefined, known(value)];
}

function takenBy(
  take: "largest" | "smallest",
  figures: { readonly [name: string]: string },
  fill: Fill,
): [names: Solved["compared"], value: Value] {
  const all = Object.entries(figures).map(([name, text]) => {
    return { name: fill(name), figure: Number(fill(text)) };
  });
  const ranked = all.toSorted((one, other) => one.figure - other.figure);
  const taken = ranked.at(take === "largest" ? -1 : 0);
  if (taken === undefined) throw new Error("A comparison is of nothing.");
  const others = all.filter(({ name }) => name !== taken.name).map(({ name }) => name);
  return [[taken.name, ...others], taken.figure];
}

function known(value: Value | undefined): Value {
  if (value === undefined)
    throw new Error("A question asks for a fact that the town does not have.");
  return value;
}

/** The case of a solved question, as a line of a file holds it. */
export function caseOf({ question, value, compared }: Solved) {
  const { id, ask, tag, unit, words } = question;
  // Years and counts are right or wrong; other figures may be rounded.
  const number = {
    ...(!Number.isInteger(value) && { percent: 0.15 }),
    ...(unit !== undefined && { unit }),
  };
  const [right, ...others] = compared ?? [];
  return {
    id,
    question: ask,
    expect: typeof value === "number" ? { number: { value, ...number } } : { includes: value },
    ...(right !== undefined &&
      words !== undefined && { expected: { right, others, words: [...words] } }),
    tags: [tag],
  };
}
