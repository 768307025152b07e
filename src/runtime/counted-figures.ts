import type { Json } from "../json/json.js";
import { numbersIn } from "../plan/asked-figures.js";
import type { Observation } from "../state/observation.js";
import { type CallsSoFar, isAbout, tellsFact } from "./calls-so-far.js";
import { figuresBeside } from "./plan/meant-figure.js";
import { contentWords } from "./plan/result-labels.js";

/** "Taken together", "it all costs": one figure of several things. */
const together =
  /\b(?:together|altogether|combined|it all|in (?:all|total))\b|一共|总共|合计|总计/iu;

/** Whether a question asks for one figure of several things together. */
export function asksTogether(question: string): boolean {
  return together.test(question);
}

/** A figure of what a question counts, and the call that found it. */
export type CountedFigure = { readonly figure: number; readonly call: Observation };

/** "By how many minutes", "how many rooms does it have". */
const howMany = /\b[Hh]ow many (?:more |fewer )?(?<thing>\p{Ll}{3,40})\b/u;

/** What a question counts. */
export function countedThing(question: string): string | undefined {
  return howMany.exec(question)?.groups?.["thing"];
}

/** The figures of this, one of each result that is a fact and has only one. */
export function countedFigures(
  thing: string,
  { reads }: Pick<CallsSoFar, "reads">,
): readonly CountedFigure[] {
  const words = contentWords(thing);
  return reads
    .map(({ call }) => call)
    .filter(tellsFact)
    .flatMap((call) => {
      const figure = onlyFigure(call, words);
      return figure === undefined ? [] : [{ figure, call }];
    });
}

/** The only figure of a result that stands beside any of these words. */
export function onlyFigure(call: Observation, words: ReadonlySet<string>): number | undefined {
  const [figure, ...others] = figuresBeside(call, words);
  return others.length === 0 ? figure : undefined;
}

/** Those that were found about one of these names. */
export function countedAbout(
  names: readonly string[],
  counted: readonly CountedFigure[],
): readonly CountedFigure[] {
  return counted.filter(({ call }) => names.some((name) => isAbout(call, name)));
}

/** The figures alone, each once: a tool may have been asked twice. */
export function figuresOf(counted: readonly CountedFigure[]): readonly number[] {
  return [...new Set(counted.map(({ figure }) => figure))];
}

/** Those that the arguments of a call do not have. */
export function lacking(figures: readonly number[], args: Json): readonly number[] {
  const taken = new Set(numbersIn(args));
  return figures.filter((figure) => !taken.has(figure));
}
