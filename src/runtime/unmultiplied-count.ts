import { askedCounts, isDividedBy, isMultipliedBy } from "../plan/asked-counts.js";
import type { OpenPoint } from "../state/plan.js";
import { type CallsSoFar, expressionsOf } from "./calls-so-far.js";

/** The question asks what 4 things cost together, a result tells it of one, and no calculation multiplies by 4. */
export function unmultipliedCount(seen: CallsSoFar): OpenPoint | undefined {
  const results = seen.reads.filter(({ call }) => call.ok).map(({ call }) => call.content);
  const calculations = expressionsOf(seen);
  // What a calculator of another form takes is not known.
  if (results.length === 0 || calculations.includes("")) return undefined;
  const left = askedCounts(seen.question, results).filter(
    ({ count }) => !calculations.some((expression) => isMultipliedBy(expression, count)),
  );
  if (left.length === 0) return undefined;
  const phrases = left.map(({ phrase }) => JSON.stringify(phrase)).join(" and ");
  const counts = left.map(({ count }) => count);
  const by = counts.join(" and by ");
  const told = `The question says ${phrases}, and ${soFar(calculations, counts)}. Multiply what it asks of one by ${by}.`;
  return { told, of: seen.tools.calculators };
}

/** What was done with the numbers. */
function soFar(calculations: readonly string[], counts: readonly number[]): string {
  if (calculations.length === 0) return "nothing is calculated yet";
  const divisor = counts.find((count) => calculations.some((each) => isDividedBy(each, count)));
  return divisor === undefined
    ? `no calculation multiplies by ${counts.join(" and by ")}`
    : `a calculation divides by ${divisor}, which does not make a total`;
}
