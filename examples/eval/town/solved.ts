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
    const solved = await solveStep(step, steps, town);
    if (step.do === "compare") which = solved.taken;
    steps.push(solved);
  }
  const value = steps.at(-1)?.value ?? "";
  const { unit = "", words } = question;
  const [said = ""] = words?.[0].split("|") ?? [];
  const figure = `${value} ${unit}`.trim();
  const answer =
    which === undefined ? `It is ${figure}.` : `${which} is the one (${said}): ${figure}.`;
  return { question, steps, value, ...(which !== undefined && { which }), answer };
}

async function solveStep(
  step: Step,
  earlier: readonly SolvedStep[],
  town: Town,
): Promise<SolvedStep & { readonly taken?: string }> {
  const filled = (text: string) =>
    text.replaceAll(/\{\{E(\d+)\}\}/g, (_, at: string) => String(earlier[Number(at) - 1]?.value));
  switch (step.do) {
    case "look": {
      const value = town.get(filled(step.name))?.facts[step.fact];
      const thought = `The ${step.fact} of ${step.name}`;
      const planned = { name: step.name };
      return {
        tool: "look_up",
        thought,
        planned,
        args: { name: filled(step.name) },
        value: known(value),
      };
    }
    case "year": {
      const { year } = step;
      const value = town.get(filled(step.name))?.yearly[step.figure]?.[year];
      const thought = `The ${step.figure} of ${step.name} in ${year}`;
      const planned = { name: step.name, year };
      const args = { name: filled(step.name), year };
      return { tool: "yearly_figures", thought, planned, args, value: known(value) };
    }
    case "calculate": {
      const planned = { expression: step.expression };
      const args = { expression: filled(step.expression) };
      const value = Number(await calculator.invoke(args));
      return { tool: "calculator", thought: `Calculate ${step.what}`, planned, args, value };
    }
    case "compare": {
      const entries = Object.entries(step.figures);
      const figures = entries.map(([name, text]) => ({ name, figure: Number(filled(text)) }));
      const planned = { figures: entries.map(([name, figure]) => ({ name, figure })) };
      const ranked = figures.toSorted((one, other) => one.figure - other.figure);
      const found = ranked.at(step.take === "largest" ? -1 : 0);
      const thought = `Which is the ${step.take}`;
      const [value, taken] = [known(found?.figure), found?.name ?? ""];
      return { tool: "compare", thought, planned, args: { figures }, value, taken };
    }
  }
}

function known(value: Value | undefined): Value {
  if (value === undefined)
    throw new Error("A question asks for a fact that the town does not have.");
  return value;
}

/** The case of a solved question, as a line of a file holds it. */
export function caseOf({ question, value, which: right }: Solved) {
  const { id, ask, tag, unit, words, steps } = question;
  const number = { percent: 0.15, ...(unit !== undefined && { unit }) };
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
