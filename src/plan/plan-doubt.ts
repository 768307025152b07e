import { defined, type Json } from "../json/json.js";
import {
  calculationWord,
  figuresLeft,
  formsOf,
  maxAskedFigures,
  numbersIn,
  ownFigures,
} from "./asked-figures.js";
import { expressionOf, undividedRatio } from "./asked-ratio.js";
import { figurePlaces, type PlacedFigure } from "./figures.js";
import { dependenciesOf, onlyTextIn, type ToolStep, wholeReference } from "./step.js";
import { swappedRatio } from "./swapped-ratio.js";
import { unaskedScale } from "./unasked-scale.js";

/** The tools of a plan that calculate: one that evaluates an `expression`, and those that take figures. */
export type CalculatingTools = {
  readonly calculator: string;
  readonly all: ReadonlySet<string>;
};

/**
 * What a plan may have forgotten, in words for its planner: the look-up of something that a result only names, a figure of
 * the question that no step has, the calculation or the division that the question asks for, a figure or a scale to
 * calculate with that nobody gave, or a ratio the wrong way round. Nothing for most plans. It may be wrong: a question may
 * say more than is needed.
 */
export function planDoubt(
  question: string,
  steps: readonly ToolStep[],
  calculating: CalculatingTools,
): string | undefined {
  const asked = figurePlaces(question);
  if (asked.length > maxAskedFigures || steps.length === 0) return undefined;
  return (
    noExpression(steps, calculating) ??
    forgottenFigure(question, asked, steps) ??
    missingCalculation(question, steps, calculating) ??
    missingDivision(question, steps, calculating) ??
    wrongWayRound(question, steps) ??
    inventedFigure(asked, steps, calculating) ??
    inventedScale(question, steps, calculating)
  );
}

function wrongWayRound(question: string, steps: readonly ToolStep[]): string | undefined {
  const wrong = swappedRatio(question, steps);
  return wrong === undefined ? undefined : `${wrong}. Write the plan with that`;
}

/** A calculation that reads a result as if it were data with fields, or asks for something in words. */
function noExpression(
  steps: readonly ToolStep[],
  { calculator }: CalculatingTools,
): string | undefined {
  const wrong = steps.find(
    ({ tool, args }) => tool === calculator && !isArithmetic(args["expression"]),
  );
  if (wrong === undefined) return undefined;
  const said = JSON.stringify(wrong.args["expression"]);
  return `${wrong.id} calculates ${said}, which is no calculation with figures${lookUpInstead(wrong, steps)}`;
}

/** The look-up that is meant where one result is asked for something that it only names. */
function lookUpInstead(wrong: ToolStep, steps: readonly ToolStep[]): string {
  const [only, ...others] = dependenciesOf(wrong);
  const source = steps.find(({ id }) => id === only);
  const name = source === undefined ? undefined : onlyTextIn(source.args);
  if (source === undefined || name === undefined || others.length > 0) return "";
  const { id, thought } = wrong;
  const args = { ...source.args, [name]: `{{${source.id}}}` };
  const step = { id, ...defined({ thought }), tool: source.tool, args };
  return `. What ${source.id} only names has to be looked up: ${JSON.stringify(step)}`;
}

/** Whether a text can be a calculation, with references as figures. */
function isArithmetic(expression: Json | undefined): boolean {
  if (typeof expression !== "string") return true;
  if (wholeReference(expression.trim()) !== undefined) return false;
  const bare = expression
    .replaceAll(/\{\{[^{}]*\}\}/g, " 1 ")
    .replaceAll(/\bE[1-9]\d{0,3}\b/g, " 1 ")
    .replaceAll(/\b[a-z]\w{0,15}(?=\s*\()/gi, " ")
    .replaceAll(/\b(?:pi|e)\b/gi, " 1 ");
  return /^[\d\s.,+\-*/^%()!×÷−eE]*$/.test(bare);
}

function forgottenFigure(
  question: string,
  asked: readonly PlacedFigure[],
  steps: readonly ToolStep[],
): string | undefined {
  const left = figuresLeft(question, asked, steps);
  return left.length === 0
    ? undefined
    : `the question says ${left.join(" and ")}, and no step has it. Add the calculation that it belongs in; if it belongs in none, write the same plan again`;
}

function missingCalculation(
  question: string,
  steps: readonly ToolStep[],
  { all, calculator }: CalculatingTools,
): string | undefined {
  const word = calculationWord(question);
  return word === undefined || steps.some(({ tool }) => all.has(tool))
    ? undefined
    : `the question asks for a figure ("${word}") that is mostly calculated from others, and no step calculates. Unless one result tells it, plan a step for each of these figures, and then a last one such as {"id": "E3", "tool": "${calculator}", "args": {"expression": "{{E1}} / {{E2}}"}}`;
}

function missingDivision(
  question: string,
  steps: readonly ToolStep[],
  { all }: CalculatingTools,
): string | undefined {
  const calculations = steps.filter(({ tool }) => all.has(tool));
  const ratio = undividedRatio(question, calculations);
  if (ratio === undefined) return undefined;
  const { counted, each, phrase } = ratio;
  return `the question asks for ${counted} "${phrase}", and no step divides. Plan the steps that find the ${counted} and the ${each}, and one that divides the ${counted} by the ${each}`;
}

function inventedScale(
  question: string,
  steps: readonly ToolStep[],
  { calculator }: CalculatingTools,
): string | undefined {
  const calculations = steps.filter(({ tool }) => tool === calculator);
  const scaled = calculations.map(({ id, args }) => {
    return { id, scale: unaskedScale(expressionOf(args), question) };
  });
  const invented = scaled.find(({ scale }) => scale !== undefined);
  if (invented === undefined) return undefined;
  const { id, scale } = invented;
  return `${id} calculates with ${scale}, which the question does not say. Leave ${scale} out; if it converts a unit, write the same plan again`;
}

function inventedFigure(
  asked: readonly PlacedFigure[],
  steps: readonly ToolStep[],
  { all }: CalculatingTools,
): string | undefined {
  const given = new Set(asked.flatMap(({ values }) => values.flatMap(formsOf)));
  const invented = steps
    .filter(({ tool }) => all.has(tool))
    .flatMap(({ id, args }) => numbersIn(args).map((figure) => ({ id, figure })))
    .find(({ figure }) => isFact(figure) && !given.has(figure));
  if (invented === undefined) return undefined;
  const { id, figure } = invented;
  return `${id} has the figure ${figure}, which the question does not say. Plan a step that finds it, and write its id in braces in ${id}; if it is no fact, write the same plan again`;
}

/** A figure that is too large to be a part of a formula. */
function isFact(figure: number): boolean {
  return Math.abs(figure) > 10 && !ownFigures.has(figure);
}
