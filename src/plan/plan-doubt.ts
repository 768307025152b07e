import type { Json } from "../json/json.js";
import { figurePlaces, figuresIn, isCalculation } from "./figures.js";
import type { ToolStep } from "./step.js";

/** Figures that calculations have of themselves: units of time, percent, thousands. */
const ofThemselves: ReadonlySet<number> = new Set([
  0, 12, 24, 30, 52, 60, 100, 360, 365, 366, 1000, 3600,
]);

/** More figures than a question has: it holds a text or a list. */
const maxFigures = 6;

/**
 * What a plan may have forgotten, in words for its planner: a figure of the question that no step has, or a figure to
 * calculate with that nobody gave. Nothing for most plans. It may be wrong: a question may say more than is needed.
 */
export function planDoubt(
  question: string,
  steps: readonly ToolStep[],
  calculates: (tool: string) => boolean,
): string | undefined {
  const asked = figurePlaces(question);
  if (asked.length > maxFigures || steps.length === 0) return undefined;
  const taken = new Set(steps.flatMap(({ args }) => numbersIn(args)));
  const left = asked
    .filter(({ values }) => !values.some((value) => formsOf(value).some((form) => taken.has(form))))
    .map(({ start, end }) => question.slice(start, end).trim());
  if (left.length > 0) {
    return `the question says ${left.join(" and ")}, and no step has it. Add the calculation that it belongs in; if it belongs in none, write the same plan again`;
  }
  const given = new Set(asked.flatMap(({ values }) => values.flatMap(formsOf)));
  const invented = steps
    .filter(({ tool }) => calculates(tool))
    .flatMap(({ id, args }) => numbersIn(args).map((figure) => ({ id, figure })))
    .find(({ figure }) => isFact(figure) && !given.has(figure));
  if (invented === undefined) return undefined;
  const { id, figure } = invented;
  return `${id} has the figure ${figure}, which the question does not say. Plan a step that finds it, and write its id in braces in ${id}; if it is no fact, write the same plan again`;
}

/** A figure that is too large to be a part of a formula. */
function isFact(figure: number): boolean {
  return Math.abs(figure) > 10 && !ofThemselves.has(figure);
}

/** How a figure stands in a calculation: 15 % as 0.15, 1.15, 0.85, 115 and 85. */
function formsOf(value: number): number[] {
  const share = value / 100;
  return [
    value,
    -value,
    share,
    1 + share,
    1 - share,
    100 + value,
    100 - value,
    1 + value,
    1 - value,
  ].map((form) => Number(form.toPrecision(12)));
}

function numbersIn(value: Json): number[] {
  if (typeof value === "number") return [value];
  if (typeof value === "string") return figuresIn(isCalculation(value) ? spaced(value) : value);
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(numbersIn);
}

/** A calculation without its references and with room around its signs: "{{E1}}*1.15" has the figure 1.15. */
function spaced(calculation: string): string {
  return calculation.replaceAll(/\{\{[^{}]*\}\}/g, " ").replaceAll(/[-+*/^%(),×÷−]/g, " ");
}
