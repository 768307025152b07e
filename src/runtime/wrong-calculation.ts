import { numbersIn } from "../plan/asked-figures.js";
import { unaskedMean } from "../plan/bare-mean.js";
import { undividedRatio } from "../plan/asked-ratio.js";
import { unaskedScale } from "../plan/unasked-scale.js";
import type { OpenPoint } from "../state/plan.js";
import { type CallsSoFar, expressionsOf } from "./calls-so-far.js";

/** "For each of its teachers" is a ratio, and no calculation divides. */
export function divisionAsked({ question, all, tools }: CallsSoFar): OpenPoint | undefined {
  const made = all.filter(({ ok, tool }) => ok && tools.calculating.has(tool));
  const ratio = undividedRatio(question, made);
  if (ratio === undefined) return undefined;
  const { counted, each, phrase } = ratio;
  const told = `The question asks for ${counted} "${phrase}", and no calculation divides. Divide the ${counted} by the ${each}.`;
  return { told, of: tools.calculators };
}

/** A calculation multiplies or divides by 100, by 1000 or by 12, nothing asks for that, and none with its figures was made without it since. */
export function scaleUnasked(seen: CallsSoFar): OpenPoint | undefined {
  const results = seen.all.map(({ content }) => content);
  const [scale] = expressionsOf(seen).flatMap((expression, at, all) => {
    const found = unaskedScale(expression, seen.question, results, seen.tools.descriptions);
    const later = all.slice(at + 1);
    return found === undefined || later.some((each) => isWithout(each, expression, found))
      ? []
      : [found];
  });
  if (scale === undefined) return undefined;
  const told = `A calculation has ${scale}, which neither the question nor a result says. Calculate without ${scale}.`;
  return { told, of: seen.tools.calculators };
}

/** Whether a calculation has a figure of another one, and leaves this one out. */
function isWithout(calculation: string, other: string, figure: number): boolean {
  const figures = new Set(numbersIn(calculation));
  return !figures.has(figure) && numbersIn(other).some((each) => figures.has(each));
}

/** The last calculation is a mean, and the question asks for none. */
export function meanUnasked(seen: CallsSoFar): OpenPoint | undefined {
  const last = expressionsOf(seen).at(-1);
  const count = last === undefined ? undefined : unaskedMean(seen.question, last);
  if (count === undefined) return undefined;
  const told = `The last calculation divides a sum by ${count}, and the question asks for no mean. Calculate the sum alone.`;
  return { told, of: seen.tools.calculators };
}
