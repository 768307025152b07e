import type { OpenPoint } from "../state/plan.js";
import { type CallsSoFar, hasReference } from "./calls-so-far.js";
import { chainEnds } from "./chain-ends.js";
import { choice, chosenBy } from "./choice.js";
import {
  asksTogether,
  countedAbout,
  countedFigures,
  countedThing,
  figuresOf,
  lacking,
} from "./counted-figures.js";

/**
 * The last comparison has none of the figures that results have of what the question counts: the lengths of two lines, where it
 * asks by how many minutes. One that failed lacks some of them. In a plan figures stand as references, of which nothing can be
 * said.
 */
export function comparedOther(seen: CallsSoFar): OpenPoint | undefined {
  const { question, all } = seen;
  const { comparisons: of } = seen.tools;
  const made = all.filter(({ tool }) => of.includes(tool));
  const thing = countedThing(question);
  const last = made.at(-1);
  if (last === undefined || thing === undefined || asksNoChoice(question)) return undefined;
  if (hasReference(last)) return undefined;
  const { figures, mayLack } = figuresToCompare(thing, seen);
  const isDone = made.some(({ ok, args }) => ok && lacking(figures, args).length <= mayLack);
  const lacks = lacking(figures, last.args);
  if (figures.length < 2 || isDone || lacks.length === 0) return undefined;
  const what =
    lacks.length === figures.length
      ? `has none of these: ${figures.join(" and ")}. Compare the ${thing}.`
      : `lacks ${lacks.join(" and ")}. Compare the ${thing}: ${figures.join(" and ")}.`;
  return { told: `The question asks how many ${thing}, and the comparison ${what}`, of };
}

type ToCompare = {
  readonly figures: readonly number[];
  /** How many of them a comparison may lack: some may have been found by the way. */
  readonly mayLack: number;
};

/** The figures of what the question counts; where results have none, those by which it chooses: the years of birth, for who is older. */
function figuresToCompare(thing: string, seen: CallsSoFar): ToCompare {
  const counted = figuresOf(countedFigures(thing, seen));
  const how = chosenBy(seen.question);
  const ends = chainEnds(seen);
  if (counted.length > 0 || how === undefined || ends.length < 2) {
    return { figures: counted, mayLack: counted.length - 1 };
  }
  const atEnds = countedAbout(ends, countedFigures(how, seen));
  return { figures: atEnds.length === ends.length ? figuresOf(atEnds) : [], mayLack: 0 };
}

/** "How many streets do they have together?" A model may have compared them all the same. */
function asksNoChoice(question: string): boolean {
  return asksTogether(question) && !choice.test(question);
}
