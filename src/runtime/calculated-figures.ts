import { oncePerObject } from "../models/once-per-object.js";
import { askedRatio, expressionOf } from "../plan/asked-ratio.js";
import { isYear, numbersIn } from "../plan/asked-figures.js";
import { asksMean } from "../plan/bare-mean.js";
import { figurePlaces, figuresIn } from "../plan/figures.js";
import type { Observation } from "../state/observation.js";
import type { OpenPoint } from "../state/plan.js";
import { type CallsSoFar, hasReference, numberIn } from "./calls-so-far.js";
import { chainEnds } from "./chain-ends.js";
import {
  asksTogether,
  countedAbout,
  countedFigures,
  countedThing,
  type CountedFigure,
  figuresOf,
  lacking,
} from "./counted-figures.js";
import { figuresInResult, smallest } from "./unsaid-figures.js";

/** What is counted for each of something else is calculated from other figures, too. */
const ratio =
  /\b(?:each|every|per|percent(?:age)?|times|an? (?:hour|day|week|month|year)|share)\b|%|[每率倍占]|百分/iu;

/**
 * The question asks how many rooms, and the calculations lack some that were found: of several things together, or with another
 * figure in their place, the teachers of a school. In a plan figures stand as references, of which nothing can be said.
 */
export function calculatedOther(seen: CallsSoFar): OpenPoint | undefined {
  const { question } = seen;
  const calculations = calculationsIn(seen);
  if (calculations.length === 0) return undefined;
  const { thing, counted } = countedAsked(seen);
  const figures = figuresOf(counted);
  const lacks = inNone(calculations, figures);
  const isMeant = asksTogether(question) || hasOther(calculations, counted, question);
  if (lacks.length === 0 || !isMeant) return undefined;
  const told = `The question asks how many ${thing}, and the calculation lacks ${lacks.join(" and ")}. Calculate with the ${thing}: ${figures.join(" and ")}.`;
  return { told, of: seen.tools.calculators };
}

/**
 * The question asks how many rooms there are together, and the last calculation has all of them, and a figure besides: the price of
 * a ticket, by which it multiplies. Not where a result tells them for each of something, or a day.
 */
export function calculatedMore(seen: CallsSoFar): OpenPoint | undefined {
  const { question } = seen;
  const last = calculationsIn(seen).at(-1);
  if (last === undefined || !asksTogether(question)) return undefined;
  const { thing, counted } = countedAsked(seen);
  const figures = figuresOf(counted);
  const isWhole = figures.length > 1 && lacking(figures, last.args).length === 0;
  if (!isWhole || counted.some(({ call }) => ratio.test(call.content))) return undefined;
  const known = new Set([...figures, ...figuresIn(question)]);
  const more = numbersIn(last.args).filter((figure) => !known.has(figure));
  if (more.length === 0) return undefined;
  // Two may have as many, or one was asked about twice.
  const isEach = counted.length === figures.length;
  const alone = isEach ? `Calculate ${figures.join(" + ")}.` : `Calculate with the ${thing} alone.`;
  const told = `The question asks how many ${thing} together, and the last calculation has ${more.join(" and ")} besides. ${alone}`;
  return { told, of: seen.tools.calculators };
}

/** What a sum or a mean is made of, where several such figures were found: "the rooms: 52 and 56". */
export function figuresToSum(seen: CallsSoFar): string | undefined {
  const { question } = seen;
  if (!asksTogether(question) && !asksMean(question)) return undefined;
  const { thing, counted } = countedAsked(seen);
  const figures = counted.map(({ figure }) => figure);
  return figures.length > 1 ? `the ${thing}: ${figures.join(" and ")}` : undefined;
}

/** What a question counts, and what was found of it; nothing where it asks for that for each of something else. */
type Counted = { readonly thing: string; readonly counted: readonly CountedFigure[] };

const countedAsked = oncePerObject((seen: CallsSoFar): Counted => {
  const thing = countedThing(seen.question);
  if (thing === undefined || ratio.test(seen.question)) return { thing: "", counted: [] };
  return { thing, counted: countedOf(thing, seen) };
});

/**
 * The figures of this that were found in no other year than the question says: at the ends of a chain, else on the way, where a
 * model looked up more than it needs; where there is no chain, about the names of the question.
 */
function countedOf(thing: string, seen: CallsSoFar): readonly CountedFigure[] {
  const ends = chainEnds(seen);
  const years = figuresIn(seen.question).filter(isYear);
  const reads = seen.reads.filter(({ call }) =>
    numbersIn(call.args)
      .filter(isYear)
      .every((year) => years.length === 0 || years.includes(year)),
  );
  if (ends.length === 0) {
    return countedFigures(thing, { reads: reads.filter(({ about }) => about.length > 0) });
  }
  const onTheWay = countedFigures(thing, {
    reads: reads.filter(({ about }) => about.length === 0),
  });
  const atEnds = countedAbout(ends, onTheWay);
  return atEnds.length > 0 ? atEnds : onTheWay;
}

/**
 * Whether the last calculation has a figure that is none of these, nor one of the question, nor the result of a calculation with
 * them alone. A small one may be a number of things; but not where a result tells it beside one of these.
 */
function hasOther(
  calculations: readonly Observation[],
  counted: readonly CountedFigure[],
  question: string,
): boolean {
  const known = new Set([...figuresOf(counted), ...figuresIn(question)]);
  const beside = new Set(counted.flatMap(({ call }) => figuresInResult(call)));
  let isOther = false;
  for (const calculation of calculations) {
    isOther = numbersIn(calculation.args).some(
      (figure) => !known.has(figure) && (figure >= smallest || beside.has(figure)),
    );
    if (!isOther) known.add(Number(numberIn(calculation)));
  }
  return isOther;
}

/** "How many years lie between the births of Odo Pell and Greta Voss?" */
const between = /\byears (?:\p{L}+ ){0,3}between the (?<events>\p{Ll}{4,40})\b/u;

/** The question asks for the years between two events, and the last calculation is not made of their two years alone. */
export function calculatedBetween(seen: CallsSoFar): OpenPoint | undefined {
  const { question } = seen;
  const events = between.exec(question)?.groups?.["events"];
  const last = calculationsIn(seen).at(-1);
  if (events === undefined || last === undefined || figurePlaces(question).length > 0) {
    return undefined;
  }
  const years = figuresOf(countedFigures(events, seen));
  const taken = new Set(numbersIn(last.args));
  const isOfThem = taken.size === years.length && years.every((year) => taken.has(year));
  if (years.length !== 2 || isOfThem) return undefined;
  const key = `The question asks for the years between the ${events}, and the results say ${years.join(" and ")}.`;
  const result = numberIn(last);
  const other = result === undefined ? "" : ` ${result} is the difference of other figures.`;
  const told = `${key}${other} Calculate ${Math.max(...years)} - ${Math.min(...years)}.`;
  return { key, told, of: seen.tools.calculators };
}

/** The question asks for one ratio of several things together, and the last calculation divides, by those of some alone or by their number. */
export function dividedBySome(seen: CallsSoFar): OpenPoint | undefined {
  const { question } = seen;
  const asked = askedRatio(question);
  const calculations = calculationsIn(seen);
  const last = calculations.at(-1);
  if (asked === undefined || last === undefined || !asksTogether(question)) return undefined;
  const counted = figuresOf(countedFigures(asked.counted, seen));
  const each = figuresOf(countedFigures(asked.each, seen));
  const isDivided = /[/÷]/.test(expressionOf(last.args));
  if (!isDivided || each.length !== counted.length) return undefined;
  const lacks = inNone(calculations, each);
  if (inNone(calculations, counted).length > 0 || lacks.length === 0) return undefined;
  const told = `The question asks for ${asked.counted} "${asked.phrase}" together, and no calculation has ${lacks.join(" and ")}. Calculate (${counted.join(" + ")}) / (${each.join(" + ")}).`;
  return { told, of: seen.tools.calculators };
}

/** Those of the figures that no calculation has. */
function inNone(calculations: readonly Observation[], figures: readonly number[]) {
  return calculations.reduce((left, { args }) => lacking(left, args), figures);
}

/** The calculations that succeeded; none where results stand in them as references. */
function calculationsIn({ all, tools }: CallsSoFar): readonly Observation[] {
  const made = all.filter(({ ok, tool }) => ok && tools.calculators.includes(tool));
  return made.some(hasReference) ? [] : made;
}
