import { placedFigures } from "../evidence/read-figures.js";
import { jsonCopy, parsedJson } from "../json/json.js";
import { oncePerObject } from "../models/once-per-object.js";
import { formsOf, numbersIn, ownFigures } from "../plan/asked-figures.js";
import { figuresIn } from "../plan/figures.js";
import type { Observation } from "../state/observation.js";
import type { OpenPoint } from "../state/plan.js";
import type { CallsSoFar } from "./calls-so-far.js";

/** A smaller figure may be counted: the mean of three, twice as much. */
export const smallest = 11;

/** How far a figure may be from one that was said: a rounded one. */
const tolerance = 5e-4;

/**
 * The last calculation or comparison has figures that nobody said: neither what the model was given, nor the question, nor the
 * results before it. Small models guess them where a result says another one, or none.
 */
export function unsaidFigures({ all, tools, said }: CallsSoFar): OpenPoint | undefined {
  const at = all.findLastIndex(({ tool }) => tools.calculating.has(tool));
  const last = all[at];
  if (last === undefined || said === undefined) return undefined;
  const used = [...new Set(numbersIn(last.args).map(Math.abs))].filter(mustBeSaid);
  const unfound = without(all.slice(0, at).flatMap(figuresInResult), used);
  const left = unfound.length === 0 ? unfound : without(said(), unfound);
  if (left.length === 0) return undefined;
  const what = tools.comparisons.includes(last.tool) ? "comparison" : "calculation";
  const told = `The last ${what} has ${left.join(" and ")}, which neither the question nor a result says. Take the figures from the results.`;
  return { told, of: [...tools.lookUps, ...tools.calculating] };
}

/** The figures in texts, in digits or words, which are read when somebody asks for them. */
export function figuresSaid(texts: readonly string[]): () => readonly number[] {
  let figures: readonly number[] | undefined;
  return () => (figures ??= texts.flatMap(readFigures));
}

/** The figures that a result says. */
export const figuresInResult = oncePerObject(({ content }: Observation): readonly number[] => {
  const value = jsonCopy(parsedJson(content));
  return value === undefined ? readFigures(content) : numbersIn(value);
});

function readFigures(text: string): number[] {
  const read = placedFigures(text).flatMap(({ number, asWritten, also }) =>
    [number, asWritten, also].filter((one) => one !== undefined).map(Number),
  );
  return [...figuresIn(text), ...read];
}

/** Not what calculations have of themselves: units of time, and powers of ten. */
function mustBeSaid(figure: number): boolean {
  return figure >= smallest && !ownFigures.has(figure) && !/^10*$/.test(String(figure));
}

/** Those that are none of the known ones, in any form in which a calculation may have them. */
function without(known: readonly number[], figures: readonly number[]): readonly number[] {
  const forms = known.flatMap(formsOf).map(Math.abs);
  return figures.filter((figure) => !forms.some((form) => isNear(form, figure)));
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= other * tolerance;
}
